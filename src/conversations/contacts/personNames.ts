import { HOUR_MS } from '../../core/schedule';

/**
 * The record of a person, as names in n8n's store. A call stands there under its hour and under its quarter of the day:
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
	/** Taken in one of the quarters that lie in the hours as a whole. */
	readonly quarters: readonly string[];
	/** Taken in the quarter in which the hours begin, and in each hour of it that counts. */
	readonly oldest: { readonly quarter: string; readonly hours: readonly string[] } | undefined;
	/** Open in one of these quarters. */
	readonly opens: readonly string[];
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

const QUARTER_HOURS = 6;

/** A request leaves at most so long after its people were claimed. */
export const MAX_DELAY_MS = 600_000;

/** The names of a person at a moment. */
export function namesOf({ key, campaign }: Person, rule: CallRule, nowMs: number): PersonNames {
	const hour = hourOf(nowMs);
	const hourName = (each: number): string => `${key}@h${each}`;
	const quarterName = (each: number): string => `${key}@q${each}`;
	const openName = (each: number): string => `${quarterName(each)}?`;
	const { quarters, oldest, hours } = slotsBack(nowMs, rule.hours);
	const own = quarterOf(hour);
	const asked = [...new Set([...quarters, ...(oldest === undefined ? [] : [oldest])])];
	return {
		quarters: quarters.map(quarterName),
		oldest:
			oldest === undefined
				? undefined
				: { quarter: quarterName(oldest), hours: hours.map(hourName) },
		opens: asked.map(openName),
		call: { taken: [hourName(hour), quarterName(own)], open: openName(own) },
		attempts: Array.from(
			{ length: rule.maxAttempts ?? 0 },
			(_, i) => `${key}/${campaign}#${i + 1}`,
		),
		attemptOpen: `${key}/${campaign}?`,
	};
}

const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS);
const quarterOf = (hour: number): number => Math.floor(hour / QUARTER_HOURS);

/** The quarters and hours that some hours reach back to, and an hour ahead, since the clock of another worker may be. */
function slotsBack(nowMs: number, hours: number) {
	if (hours === 0) return { quarters: [], oldest: undefined, hours: [] };
	const first = hourOf(nowMs - hours * HOUR_MS - MAX_DELAY_MS);
	const last = hourOf(nowMs) + 1;
	const isWhole = first % QUARTER_HOURS === 0;
	const firstQuarter = quarterOf(first) + (isWhole ? 0 : 1);
	return {
		quarters: range(firstQuarter, quarterOf(last)),
		oldest: isWhole ? undefined : quarterOf(first),
		hours: isWhole ? [] : range(first, Math.min(last, firstQuarter * QUARTER_HOURS - 1)),
	};
}

const range = (from: number, to: number): number[] =>
	Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

/** What is asked about everyone. With the quarter of now, what says that it is open is written down, too. */
export const firstQuestion = ({
	quarters,
	oldest,
	opens,
	call,
	attempts,
	attemptOpen,
}: PersonNames): string[] => [
	...new Set([
		...quarters,
		...(oldest ? [oldest.quarter] : []),
		...call.taken,
		call.open,
		// A quarter that has only begun for another worker.
		...opens.slice(quarters.length - 1, quarters.length),
		...(attempts.length > 0 ? [...attempts.slice(0, 1), attemptOpen] : []),
	]),
];

/** What is asked besides about those who are found: whether a call is open, in which hours it was, and about more attempts. */
export function secondQuestion(names: PersonNames, present: ReadonlySet<string>): string[] {
	const { quarters, oldest, opens, attempts } = names;
	const has = (name: string): boolean => present.has(name);
	const isTaken = quarters.some(has) || (oldest !== undefined && has(oldest.quarter));
	const asked = new Set(firstQuestion(names));
	return [
		...(isTaken ? [...opens, ...(oldest?.hours ?? [])] : []),
		...(attempts.slice(0, 1).some(has) ? attempts.slice(1) : []),
	].filter((name) => !asked.has(name));
}

/** What the store says about a person: may be called, for the n-th time in the campaign, or not. */
export type Standing =
	| { readonly is: 'free'; readonly attempt: number }
	| { readonly is: 'called' | 'calling' | 'calledOften' };

/** Judges a person by the names that were there before anything was asked. */
export function standingOf(names: PersonNames, present: ReadonlySet<string>): Standing {
	const has = (name: string): boolean => present.has(name);
	const { quarters, oldest, opens, attempts, attemptOpen } = names;
	const made = attempts.filter(has).length;
	if (attempts.length > 0 && has(attemptOpen)) return { is: 'calling' };
	const isTaken = quarters.some(has) || (oldest?.hours.some(has) ?? false);
	if (isTaken) return { is: opens.some(has) ? 'calling' : 'called' };
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
 * What is removed of someone whose call is open, once somebody knows how it ended. The highest attempt is that call: of a look that was
 * cut off there may be more than were made, and never fewer.
 */
export function settledNames(
	{ quarters, oldest, opens, call, attempts, attemptOpen }: PersonNames,
	how: 'called' | 'notCalled',
	has: (name: string) => boolean,
): string[] {
	const hours = [...quarters, ...(oldest ? [oldest.quarter, ...oldest.hours] : []), ...call.taken];
	const highest = attempts.filter(has).slice(-1);
	const taken = how === 'called' ? [] : [...hours, ...(has(attemptOpen) ? highest : [])];
	return [...taken, ...opens, attemptOpen].filter(has);
}
