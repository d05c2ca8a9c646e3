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

/** Called: within Hours Between Calls. Called often: all attempts of the campaign are made. Free: neither. */
export type ContactState = 'free' | 'called' | 'calledOften';

/** The record of a person in the store. */
export type Contact = ReturnType<typeof readContact>;

/** The longest time from a claim to its request. */
export const MAX_DELAY_MS = 600_000;

/** The store at a moment. `has` is false for texts that were not looked up yet. */
interface StoreView {
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
function readCalls(key: string, hours: number, { nowMs, has }: StoreView) {
	if (hours === 0) return { isCalled: false, lookups: [] };
	// A request may leave MAX_DELAY_MS after its claim.
	const first = Math.floor((nowMs - hours * HOUR_MS - MAX_DELAY_MS) / HOUR_MS);
	// The range includes the next hour, because the clock of another worker may be ahead.
	const covered = range(first, Math.floor(nowMs / HOUR_MS) + 2);
	const halfDayTexts = uniq(covered.map(toHalfDay)).map((halfDay) => toHalfDayText(key, halfDay));
	const [oldest, ...later] = halfDayTexts;
	const wasCalledLater = later.some(has);
	// The oldest half-day may begin before the covered hours, so a call in it is looked up by hour.
	const needsHours = oldest !== undefined && has(oldest) && !wasCalledLater;
	const oldestHours = covered.filter((hour) => toHalfDay(hour) === toHalfDay(first));
	const hourTexts = needsHours ? oldestHours.map((hour) => toHourText(key, hour)) : [];
	const lookups = [...halfDayTexts, ...hourTexts];
	return { isCalled: wasCalledLater || hourTexts.some(has), lookups };
}

/** Reads whether all attempts of a campaign are made; `lookups` are the texts that decide it. */
function readAttempts(person: Person, maxAttempts: number, has: StoreView['has']) {
	const { key, campaign, isResent = false } = person;
	// Empty without Attempts, and for a request that is sent again, whose attempt is counted already.
	const attempts = range(isResent ? 0 : maxAttempts).map((n) => `${key}/${campaign}#${n + 1}`);
	const made = attempts.filter(has);
	// The next attempt is the one of this call. Looking it up records it, unless it was made before.
	const lookups = attempts.slice(0, made.length + 1);
	return { hasNoAttemptLeft: attempts.length > 0 && made.length === attempts.length, lookups };
}

/** Reads a person's record from the store's texts, e.g. "…@h490000". It is final once all `lookups` were looked up. */
export function readContact(person: Person, { hours, maxAttempts = 0 }: CallRule, view: StoreView) {
	const { key, isResent = false } = person;
	const { isCalled, lookups: callLookups } = readCalls(key, hours, view);
	const attempts = readAttempts(person, maxAttempts, view.has);
	const stateByAttempts: ContactState = attempts.hasNoAttemptLeft ? 'calledOften' : 'free';
	const hour = Math.floor(view.nowMs / HOUR_MS);
	const callTexts = [toHourText(key, hour), toHalfDayText(key, toHalfDay(hour))];
	const lookups = uniq([...callLookups, ...callTexts, ...attempts.lookups]);
	const added = lookups.filter((text) => !view.has(text));
	// Looking up adds the half-day before. Keeping it does no harm, because it ends earlier, and saves a slow removal.
	const previousHalfDay = toHalfDayText(key, toHalfDay(hour) - 1);
	return {
		key,
		isResent,
		state: isCalled ? ('called' as const) : stateByAttempts,
		lookups,
		/** The texts that looking up adds to the store. */
		added,
		/** The added texts that a claim keeps. */
		kept: intersection(added, [...callTexts, previousHalfDay, ...attempts.lookups]),
		/** The texts of a call made now that the store had before. */
		shared: callTexts.filter(view.has),
	};
}
