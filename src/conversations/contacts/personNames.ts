import { HOUR_MS } from '../../core/time';

/**
 * The record of a person, as names in n8n's store. A call stands there under its hour and under its half of the day:
 *
 *                claim, before the request           accepted
 *      free ─────────────────────────────▶ calling ────────────▶ called
 *       ▲        rejected, or never left      │
 *       ├─────────────────────────────────────┤  no answer, stop, kill: stays "calling", which is reported as unknown,
 *       │                                     │  until somebody settles it or the hours have passed
 *
 * calling = taken and open, called = taken alone, free = neither. To look is to record: whatever is cut off, a name is there too
 * much, and `open` is removed last, so a person is unknown then, and never "called" who was not.
 */
export interface PersonNames {
	/** Taken in one of the halves that lie in the hours as a whole. */
	readonly halves: readonly string[];
	/** Taken in the half in which the hours begin, and in each hour of it that counts. */
	readonly oldest: { readonly half: string; readonly hours: readonly string[] } | undefined;
	/** What a call of now is written down as, and what says that it has not ended. */
	readonly call: { readonly taken: readonly string[]; readonly open: string };
	/** The attempts of a campaign, kept until somebody settles them, and what says that the highest has not ended. */
	readonly attempts: readonly string[];
	readonly attemptOpen: string;
}

/** Whom names are about: a person of one workspace, in a campaign where attempts are counted. */
export interface Person {
	readonly key: string;
	readonly campaign: string;
}

/** How often a person may be called: not within some hours, and so many times in a campaign, where that is limited. */
export interface CallRule {
	readonly hours: number;
	readonly maxAttempts: number | undefined;
}

const HALF_HOURS = 12;

/** What says that a call of a half has not ended. */
const openOf = (half: string): string => `${half}?`;

/** A request leaves at most so long after its people were claimed. */
export const MAX_DELAY_MS = 600_000;

/** The names of a person at a moment. */
export function namesOf({ key, campaign }: Person, rule: CallRule, nowMs: number): PersonNames {
	const hour = hourOf(nowMs);
	const hourName = (each: number): string => `${key}@h${each}`;
	const halfName = (each: number): string => `${key}@d${each}`;
	const { halves, oldest, hours } = slotsBack(nowMs, rule.hours);
	const own = halfName(halfOf(hour));
	return {
		halves: halves.map(halfName),
		oldest:
			oldest === undefined ? undefined : { half: halfName(oldest), hours: hours.map(hourName) },
		call: { taken: [hourName(hour), own], open: openOf(own) },
		attempts: Array.from(
			{ length: rule.maxAttempts ?? 0 },
			(_, i) => `${key}/${campaign}#${i + 1}`,
		),
		attemptOpen: `${key}/${campaign}?`,
	};
}

const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS);
const halfOf = (hour: number): number => Math.floor(hour / HALF_HOURS);

/** The halves and hours that some hours reach back to, and an hour ahead, since the clock of another worker may be. */
function slotsBack(nowMs: number, hours: number) {
	if (hours === 0) return { halves: [], oldest: undefined, hours: [] };
	const first = hourOf(nowMs - hours * HOUR_MS - MAX_DELAY_MS);
	const last = hourOf(nowMs) + 1;
	const isWhole = first % HALF_HOURS === 0;
	const firstHalf = halfOf(first) + (isWhole ? 0 : 1);
	return {
		halves: range(firstHalf, halfOf(last)),
		oldest: isWhole ? undefined : halfOf(first),
		hours: isWhole ? [] : range(first, Math.min(last, firstHalf * HALF_HOURS - 1)),
	};
}

const range = (from: number, to: number): number[] =>
	Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

/** What is asked about everyone. With the half of now, what says that it is open is written down, too. */
export const firstQuestion = ({
	halves,
	oldest,
	call,
	attempts,
	attemptOpen,
}: PersonNames): string[] => [
	...new Set([
		...halves,
		...(oldest ? [oldest.half] : []),
		...call.taken,
		call.open,
		// A half that has only begun for another worker.
		...halves.slice(-1).map(openOf),
		...(attempts.length > 0 ? [...attempts.slice(0, 1), attemptOpen] : []),
	]),
];

/** What is asked besides about those who are found: whether a call is open, in which hours it was, and about more attempts. */
export function secondQuestion(names: PersonNames, present: ReadonlySet<string>): string[] {
	const { halves, oldest, attempts } = names;
	const has = (name: string): boolean => present.has(name);
	const found = askedHalves(names).filter(has);
	const asked = new Set(firstQuestion(names));
	return [
		...found.map(openOf),
		// A call in one of the halves is enough.
		...(oldest && has(oldest.half) && !halves.some(has) ? oldest.hours : []),
		...(attempts.slice(0, 1).some(has) ? attempts.slice(1) : []),
	].filter((name) => !asked.has(name));
}

const askedHalves = ({ halves, oldest }: PersonNames): string[] => [
	...halves,
	...(oldest ? [oldest.half] : []),
];

/** What the store says about a person: may be called, for the n-th time in the campaign, or not. */
export type Standing =
	| { readonly is: 'free'; readonly attempt: number }
	| { readonly is: 'called' | 'calling' | 'calledOften' };

/** Judges a person by the names that were there before anything was asked. */
export function standingOf(names: PersonNames, present: ReadonlySet<string>): Standing {
	const has = (name: string): boolean => present.has(name);
	const { halves, oldest, attempts, attemptOpen } = names;
	const made = attempts.filter(has).length;
	if (attempts.length > 0 && has(attemptOpen)) return { is: 'calling' };
	const isTaken = halves.some(has) || (oldest?.hours.some(has) ?? false);
	if (isTaken)
		return { is: askedHalves(names).some((half) => has(openOf(half))) ? 'calling' : 'called' };
	if (attempts.length > 0 && made >= attempts.length) return { is: 'calledOften' };
	return { is: 'free', attempt: made + 1 };
}

/** What stays of a person who is being called: the call, and the attempt of the campaign. */
export function keptNames({ call, attempts, attemptOpen }: PersonNames, attempt: number) {
	const own = attempts.slice(attempt - 1, attempt);
	return {
		taken: [...call.taken, ...own],
		open: [call.open, ...(own.length > 0 ? [attemptOpen] : [])],
	};
}

/**
 * What is removed of someone whose call is open, once somebody knows how it ended. A look that was cut off left more halves and attempts
 * than there were calls, and never fewer: whoever was not called is free in all of them, and the highest attempt is that call.
 */
export function settledNames(
	names: PersonNames,
	how: 'called' | 'notCalled',
	has: (name: string) => boolean,
): string[] {
	const { oldest, call, attempts, attemptOpen } = names;
	const halves = askedHalves(names);
	const hours = [...halves, ...(oldest?.hours ?? []), ...call.taken];
	const highest = has(attemptOpen) ? attempts.filter(has).slice(-1) : [];
	const taken = how === 'called' ? [] : [...hours, ...highest];
	return [...taken, ...halves.map(openOf), call.open, attemptOpen].filter(has);
}
