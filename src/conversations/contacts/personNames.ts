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
export interface PersonNames {
	/** The half-days that the hours reach into, the oldest first. */
	readonly halfDays: readonly string[];
	/** The hours that count in the oldest half-day. */
	readonly oldestHours: readonly string[];
	/** The hour and the half-day of a call that is made now. */
	readonly call: readonly string[];
	readonly attempts: readonly string[];
}

export type ContactState = 'free' | 'called' | 'calledOften';

/** Whether the store has a name. */
type HasName = (name: string) => boolean;

/** The longest time from a claim to its request. */
export const MAX_DELAY_MS = 600_000;

const toHalfDay = (hour: number): number => Math.floor(hour / 12);

/** Builds the names of a person at a moment, e.g. "…@h490000", "…@d40833" and "…/spring#1". */
export function buildNames({ key, campaign }: Person, rule: CallRule, nowMs: number): PersonNames {
	const nameHour = (hour: number): string => `${key}@h${hour}`;
	const nameHalfDay = (hour: number): string => `${key}@d${toHalfDay(hour)}`;
	const current = Math.floor(nowMs / HOUR_MS);
	const first = Math.floor((nowMs - rule.hours * HOUR_MS - MAX_DELAY_MS) / HOUR_MS);
	// One hour ahead, because the clock of another worker may be.
	const covered = rule.hours === 0 ? [] : range(first, current + 2);
	return {
		halfDays: uniq(covered.map(nameHalfDay)),
		oldestHours: covered.filter((hour) => toHalfDay(hour) === toHalfDay(first)).map(nameHour),
		call: [nameHour(current), nameHalfDay(current)],
		attempts: range(0, rule.maxAttempts).map((made) => `${key}/${campaign}#${made + 1}`),
	};
}

/** Lists what to ask: the oldest hours and further attempts only if their answer matters. */
export function listQuestions(names: PersonNames, has: HasName): string[] {
	const { halfDays, oldestHours, call, attempts } = names;
	const isOldestOnly = halfDays.some(has) && !halfDays.slice(1).some(has);
	const nextAttempts = attempts.slice(0, attempts.filter(has).length + 1);
	return uniq([...halfDays, ...call, ...(isOldestOnly ? oldestHours : []), ...nextAttempts]);
}

/** Reads the state of a person from the names in the store. */
export function readState(names: PersonNames, has: HasName): ContactState {
	const { halfDays, oldestHours, attempts } = names;
	if (halfDays.slice(1).some(has) || oldestHours.some(has)) return 'called';
	return attempts.length > 0 && attempts.every(has) ? 'calledOften' : 'free';
}

/** Lists what makes a person called: the names within the hours, and the last attempt. */
export function listLastCall(names: PersonNames, has: HasName): string[] {
	const { halfDays, oldestHours, call, attempts } = names;
	return [...halfDays, ...oldestHours, ...call, ...attempts.filter(has).slice(-1)].filter(has);
}
