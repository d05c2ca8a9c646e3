import countBy from 'lodash/countBy';
import { DateTime } from 'luxon';
import type { SentFacts } from '../../bulk/operation';
import type { Plan, PlannedRow, Value } from '../../bulk/plan';
import { pendingOf } from '../../bulk/plan';
import type { Failure, Problem } from '../../core/failures';
import { toSentence } from '../../core/problems';
import { callableMoments } from '../hours/hoursGuard';
import type { PlannedConversation } from './plannedConversation';

const SAMPLE = 3;
const MAX_REASONS = 20;

interface Reason {
	readonly outcome: string;
	readonly reason: string;
	readonly count: number;
}

type Planned = Value<PlannedConversation>;

/** What became of all rows, or what a dry run would do with them, as one item. */
export const toRunItem = (plan: Plan<PlannedConversation>, sent?: SentFacts): object =>
	sent ? finishedItem(plan, sent) : planItem(plan);

function planItem(plan: Plan<PlannedConversation>): object {
	const { rows, values, stop, facts } = plan;
	const pending = pendingOf(values);
	const moments = callableMoments(values);
	const [firstCallableAt] = moments.filter((moment) => typeof moment === 'string').toSorted();
	const { notSent = 0, unknown = 0 } = countBy(values, 'outcome.outcome');
	return {
		dryRun: true,
		rows: rows.length,
		wouldSend: pending.length,
		byCountry: byCountry(pending),
		outsideHours: moments.length,
		...(firstCallableAt !== undefined && { firstCallableAt }),
		notSent: notSent - moments.length,
		unknown,
		rejected: invalidIn(rows),
		reasons: reasonsOf(plan),
		sample: pending.slice(0, SAMPLE).map(({ content: { conversation } }) => ({ ...conversation })),
		...(stop !== undefined && { reasonNotToSend: `Not sent, because ${stop}` }),
		...facts,
	};
}

const invalidIn = (rows: ReadonlyArray<PlannedRow<PlannedConversation>>): number =>
	rows.filter(({ problems }) => problems !== undefined).length;

function finishedItem(
	plan: Plan<PlannedConversation>,
	{ requests, times, zone }: SentFacts,
): object {
	const { rows, values } = plan;
	const counts = countBy(values, ({ outcome }) => outcome?.outcome ?? 'unknown');
	const { accepted = 0, unchanged = 0, rejected = 0, unknown = 0, notSent = 0 } = counts;
	const sentMs = values.flatMap(({ outcome }) =>
		outcome?.outcome === 'accepted' ? (times.get(outcome.batch) ?? []) : [],
	);
	const perHour = countBy(sentMs, (ms) => hourOf(ms, zone));
	return {
		rows: rows.length,
		requests,
		accepted,
		unchanged,
		rejected: rejected + invalidIn(rows),
		unknown,
		notSent,
		byCountry: byCountry(values.filter(({ outcome }) => outcome?.outcome === 'accepted')),
		reasons: reasonsOf(plan),
		perHour: Object.entries(perHour).map(([hour, count]) => ({ hour, accepted: count })),
	};
}

/** How many numbers each country has, by its ISO 3166 code. */
function byCountry(values: readonly Planned[]): Record<string, number> {
	const counts = countBy(values, ({ content: { country } }) => country ?? 'none');
	return Object.fromEntries(Object.entries(counts).toSorted(([, a], [, b]) => b - a));
}

const hourOf = (ms: number, zone: string): string =>
	DateTime.fromMillis(ms, { zone }).startOf('hour').toISO({ suppressMilliseconds: true }) ?? '';

/** Why values were or would be left out, the most frequent reason first; what differs between rows is left away. */
function reasonsOf({ rows, values }: Plan<PlannedConversation>): Reason[] {
	const counts = new Map<string, Reason>();
	const add = (outcome: string, reason: string) => {
		const name = `${outcome}\n${reason}`;
		counts.set(name, { outcome, reason, count: (counts.get(name)?.count ?? 0) + 1 });
	};
	for (const row of rows) if (row.problems) add('rejected', problemOf(row));
	for (const { outcome } of values)
		if (outcome && 'failure' in outcome) add(outcome.outcome, reasonFor(outcome.failure));
	return [...counts.values()].toSorted((a, b) => b.count - a.count).slice(0, MAX_REASONS);
}

/** The problems of a row without its values. */
const problemOf = ({ problems = [] }: PlannedRow<PlannedConversation>): string =>
	problems
		.map(({ path, reason, fix }) => `${labelOf(path)} ${toSentence({ reason, fix })}`)
		.join('. ');

/** The field of a path in the words of the panel: "To Phone Number" for `toPhoneNumber`. */
function labelOf(path: Problem['path']): string {
	const name = String(path.findLast((key) => typeof key === 'string') ?? 'row');
	const words = name.replace(/[A-Z]/g, ' $&').replace(/\bId\b/, 'ID');
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Rows that are left out count by their kind, because their reasons name other rows. */
function reasonFor(failure: Failure): string {
	if (failure.kind === 'skipped' && failure.countedAs !== undefined) return failure.countedAs;
	return 'message' in failure ? failure.message : 'invalid';
}
