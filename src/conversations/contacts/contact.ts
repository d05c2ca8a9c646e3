import { intersection, range, uniq } from 'lodash';
import { HOUR_MS } from '../../core/time';

/** A person of one workspace. */
export interface Person {
	readonly key: string;
	/** Matters only if attempts are counted. */
	readonly campaign: string;
	/** Whether a smaller request follows a rejected one. Its attempt, and its call of the day, are counted already. */
	readonly isResent?: boolean;
}

/** When a person may be called: hours after the last call, and up to some attempts per campaign. */
export interface CallRule {
	readonly hours: number;
	readonly maxAttempts?: number | undefined;
}

export type ContactState = 'free' | 'called' | 'calledOften';

/** The record of a person in the store. */
export type Contact = ReturnType<typeof readContact>;

/** The longest time from a claim to its request. */
export const MAX_DELAY_MS = 600_000;

/** A moment, and whether the store has a text. */
interface Moment {
	readonly nowMs: number;
	readonly has: (text: string) => boolean;
}

/** Returns the half-day that contains an hour, both counted from 1970. */
const toHalfDay = (hour: number): number => Math.floor(hour / 12);
/** Builds the text of a call in an hour. */
const toHourText = (key: string, hour: number): string => `${key}@h${hour}`;
/** Builds the text of a call in a half-day, because one text is looked up faster than twelve. */
const toHalfDayText = (key: string, halfDay: number): string => `${key}@d${halfDay}`;

/** Reads whether a person was called within some hours; `lookups` are the texts that decide it. */
function readCalls(key: string, hours: number, { nowMs, has }: Moment) {
	// A request may leave MAX_DELAY_MS after its claim.
	const first = Math.floor((nowMs - hours * HOUR_MS - MAX_DELAY_MS) / HOUR_MS);
	// The next hour is included, because the clock of another worker may be ahead.
	const covered = hours === 0 ? [] : range(first, Math.floor(nowMs / HOUR_MS) + 2);
	const halfDays = uniq(covered.map(toHalfDay)).map((halfDay) => toHalfDayText(key, halfDay));
	const [oldest, ...later] = halfDays;
	const wasCalledLater = later.some(has);
	// The oldest half-day may begin before the covered hours, so a call in it is looked up by hour.
	const needsHours = oldest !== undefined && has(oldest) && !wasCalledLater;
	const oldestHours = needsHours
		? covered.filter((hour) => toHalfDay(hour) === toHalfDay(first))
		: [];
	const hourTexts = oldestHours.map((hour) => toHourText(key, hour));
	return { isCalled: wasCalledLater || hourTexts.some(has), lookups: [...halfDays, ...hourTexts] };
}

/** Reads a person's record from the store's texts, e.g. "…@h490000". It is final once all `lookups` were looked up. */
export function readContact(
	{ key, campaign, isResent = false }: Person,
	{ hours, maxAttempts = 0 }: CallRule,
	moment: Moment,
) {
	const { has } = moment;
	const { isCalled, lookups: callLookups } = readCalls(key, hours, moment);
	const hour = Math.floor(moment.nowMs / HOUR_MS);
	const call = [toHourText(key, hour), toHalfDayText(key, toHalfDay(hour))];
	// The attempt of a request that is sent again is counted already.
	const attempts = range(isResent ? 0 : maxAttempts).map((n) => `${key}/${campaign}#${n + 1}`);
	const attemptsMade = attempts.filter(has);
	// The next attempt is also looked up, because n8n's store records what it looks up.
	const attemptLookups = attempts.slice(0, attemptsMade.length + 1);
	const lookups = uniq([...callLookups, ...call, ...attemptLookups]);
	const added = lookups.filter((text) => !has(text));
	const isOften = attempts.length > 0 && attemptsMade.length === attempts.length;
	const stateByAttempts: ContactState = isOften ? 'calledOften' : 'free';
	// The half-day before ends earlier, so keeping it does no harm and saves a slow removal.
	const previousHalfDay = toHalfDayText(key, toHalfDay(hour) - 1);
	return {
		key,
		isResent,
		state: isCalled ? ('called' as const) : stateByAttempts,
		lookups,
		/** The texts that looking up adds to the store. */
		added,
		/** The added texts that a claim keeps. */
		kept: intersection(added, [...call, previousHalfDay, ...attempts]),
		/** The texts of a call made now that the store had before. */
		shared: call.filter(has),
	};
}
