import intersection from 'lodash/intersection';
import range from 'lodash/range';
import uniq from 'lodash/uniq';
import { HOUR_MS } from '../../core/time';

/** A person of one workspace; the campaign matters only if attempts are counted. */
export interface Person {
	readonly key: string;
	readonly campaign: string;
	/** Whether this execution called the person before, and may call again. */
	readonly isRepeat?: boolean;
}

/** When a person may be called: hours after the last call, and up to some attempts per campaign. */
export interface CallRule {
	readonly hours: number;
	readonly maxAttempts?: number | undefined;
}

/** The names of a person in the store. */
export type PersonNames = ReturnType<typeof namePerson>;

export type ContactState = 'free' | 'called' | 'calledOften';

/** The longest time from a claim to its request. */
export const MAX_DELAY_MS = 600_000;

const toHalfDay = (hour: number): number => Math.floor(hour / 12);

/** Names a person at a moment, e.g. "…@h490000", "…@d40833" and "…/spring#1". `has` checks the store for a name. */
export function namePerson(
	{ key, campaign }: Person,
	{ hours, maxAttempts }: CallRule,
	{ nowMs, has }: { readonly nowMs: number; readonly has: (name: string) => boolean },
) {
	const nameHour = (hour: number): string => `${key}@h${hour}`;
	const nameHalfDay = (hour: number): string => `${key}@d${toHalfDay(hour)}`;
	const current = Math.floor(nowMs / HOUR_MS);
	const first = Math.floor((nowMs - hours * HOUR_MS - MAX_DELAY_MS) / HOUR_MS);
	// One hour ahead, because the clock of another worker may be.
	const covered = hours === 0 ? [] : range(first, current + 2);
	const halfDays = uniq(covered.map(nameHalfDay));
	const oldestHours = covered.filter((hour) => toHalfDay(hour) === toHalfDay(first)).map(nameHour);
	const call = [nameHour(current), nameHalfDay(current)];
	const attempts = range(0, maxAttempts).map((made) => `${key}/${campaign}#${made + 1}`);
	const wasCalledLater = (): boolean => halfDays.slice(1).some(has);

	const listQuestions = (): string[] => {
		const nextAttempts = attempts.slice(0, attempts.filter(has).length + 1);
		const isOldestOnly = halfDays.some(has) && !wasCalledLater();
		return uniq([...halfDays, ...call, ...(isOldestOnly ? oldestHours : []), ...nextAttempts]);
	};
	const listAdded = (): string[] => listQuestions().filter((name) => !has(name));

	return {
		/** Lists the names to ask: the oldest hours and further attempts only if their answer matters. */
		listQuestions,
		/** Lists the names that the questions added to the store. */
		listAdded,
		/** Lists the added names that a claim keeps. The last half-day is one, because n8n removes names slowly. */
		listClaim: (): string[] =>
			intersection(listAdded(), [...call, nameHalfDay(current - 12), ...attempts]),
		/** Lists the names of a call made now that the store had before. */
		listShared: (): string[] => call.filter(has),
		/** Lists the names that make a person called: those within the hours, and the last attempt. */
		listLastCall: (): string[] =>
			[...halfDays, ...oldestHours, ...call, ...attempts.filter(has).slice(-1)].filter(has),
		readState: (): ContactState => {
			if (wasCalledLater() || oldestHours.some(has)) return 'called';
			return attempts.length > 0 && attempts.every(has) ? 'calledOften' : 'free';
		},
	};
}
