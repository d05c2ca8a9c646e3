import difference from 'lodash/difference';
import range from 'lodash/range';
import uniq from 'lodash/uniq';
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
	/** The same with the half in which the hours begin. */
	readonly allHalves: readonly string[];
	/** Taken in one of the hours of that half that count. */
	readonly hours: readonly string[];
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
export function namesOf(
	{ key, campaign }: Person,
	{ hours, maxAttempts = 0 }: CallRule,
	nowMs: number,
): PersonNames {
	const hourName = (hour: number): string => `${key}@h${hour}`;
	const halfName = (half: number): string => `${key}@d${half}`;
	const now = hourOf(nowMs);
	const own = halfName(halfOf(now));
	const first = hourOf(nowMs - hours * HOUR_MS - MAX_DELAY_MS);
	const firstWhole = Math.ceil(first / HALF_HOURS);
	// An hour ahead, since the clock of another worker may be.
	const end = now + 2;
	const halvesFrom = (half: number): string[] =>
		hours === 0 ? [] : range(half, halfOf(end - 1) + 1).map(halfName);
	const counted = hours === 0 ? [] : range(first, Math.min(end, firstWhole * HALF_HOURS));
	return {
		halves: halvesFrom(firstWhole),
		allHalves: halvesFrom(halfOf(first)),
		hours: counted.map(hourName),
		call: { taken: [hourName(now), own], open: openOf(own) },
		attempts: range(1, maxAttempts + 1).map((attempt) => `${key}/${campaign}#${attempt}`),
		attemptOpen: `${key}/${campaign}?`,
	};
}

const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS);
const halfOf = (hour: number): number => Math.floor(hour / HALF_HOURS);

/** What is asked about everyone. With the half of now, what says that it is open is written down, too. */
export const firstQuestion = ({
	halves,
	allHalves,
	call,
	attempts,
	attemptOpen,
}: PersonNames): string[] =>
	uniq([
		...allHalves,
		...call.taken,
		call.open,
		// A half that has only begun for another worker.
		...halves.slice(-1).map(openOf),
		...(attempts.length > 0 ? [...attempts.slice(0, 1), attemptOpen] : []),
	]);

/** What is asked besides about those who are found: whether a call is open, in which hours it was, and about more attempts. */
export function secondQuestion(names: PersonNames, present: ReadonlySet<string>): string[] {
	const { halves, allHalves, hours, attempts } = names;
	const has = (name: string): boolean => present.has(name);
	const found = allHalves.filter(has);
	const more = [
		...found.map(openOf),
		// A call in one of the halves is enough.
		...(found.length > 0 && !halves.some(has) ? hours : []),
		...(attempts.slice(0, 1).some(has) ? attempts.slice(1) : []),
	];
	return difference(more, firstQuestion(names));
}

/** What the store says about a person: may be called, for the n-th time in the campaign, or not. */
export type Standing =
	| { readonly is: 'free'; readonly attempt: number }
	| { readonly is: 'called' | 'calling' | 'calledOften' };

/** Judges a person by the names that were there before anything was asked. */
export function standingOf(names: PersonNames, present: ReadonlySet<string>): Standing {
	const has = (name: string): boolean => present.has(name);
	const { halves, allHalves, hours, attempts, attemptOpen } = names;
	const made = attempts.filter(has).length;
	if (attempts.length > 0 && has(attemptOpen)) return { is: 'calling' };
	if (halves.some(has) || hours.some(has))
		return { is: allHalves.map(openOf).some(has) ? 'calling' : 'called' };
	if (attempts.length > 0 && made >= attempts.length) return { is: 'calledOften' };
	return { is: 'free', attempt: made + 1 };
}

/** What is written down of a person who is being called: the call, and the attempt of the campaign. */
export function keptNames({ call, attempts, attemptOpen }: PersonNames, attempt: number): string[] {
	const own = attempts.slice(attempt - 1, attempt);
	return [...call.taken, call.open, ...own, ...(own.length > 0 ? [attemptOpen] : [])];
}

/**
 * What is removed of someone whose call is open, once somebody knows how it ended. A look that was cut off left more halves and attempts
 * than there were calls, and never fewer: whoever was not called is free in all of them, and the highest attempt is that call.
 */
export function settledNames(
	names: PersonNames,
	how: 'called' | 'notCalled',
	present: ReadonlySet<string>,
): string[] {
	const { allHalves, hours, call, attempts, attemptOpen } = names;
	const has = (name: string): boolean => present.has(name);
	const highest = has(attemptOpen) ? attempts.filter(has).slice(-1) : [];
	const taken = how === 'called' ? [] : [...allHalves, ...hours, ...call.taken, ...highest];
	return [...taken, ...allHalves.map(openOf), call.open, attemptOpen].filter(has);
}
