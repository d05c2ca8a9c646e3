import countBy from 'lodash/countBy';
import type { Failure, Problem } from '../core/failures';
import { toSentence } from '../core/problems';
import type { BulkOperation, SendSettings, SentFacts } from './operation';
import type { Outcome } from './outcomes';
import type { Plan } from './plan';

const MAX_REASONS = 20;

/** Counts the rows and entries of a run by what became of them; `left` counts those left out by the user's wish, by reason. */
export function countOutcomes<T>({ rows, entries }: Plan<T>) {
	const outcomes = entries.flatMap(({ outcome }) => outcome ?? []);
	const left = countBy(
		outcomes.flatMap((outcome) => ('countedAs' in outcome ? outcome : [])),
		'countedAs',
	);
	const counts = countBy(
		outcomes.filter((outcome) => !('countedAs' in outcome)),
		'outcome',
	);
	const { accepted = 0, unchanged = 0, rejected: refused = 0, unknown = 0, notSent = 0 } = counts;
	return {
		accepted,
		unchanged,
		/** Rejected by the service. */
		refused,
		/** Rows with problems, which are rejected before sending. */
		invalid: rows.filter(({ problems }) => problems !== undefined).length,
		unknown,
		notSent,
		left,
		pending: entries.length - outcomes.length,
	};
}

/** Makes the one item for a run: what became of all rows, or what a dry run would do with them. */
export function toRunItem<T, Settings extends SendSettings>(
	plan: Plan<T>,
	{ toRunFields }: BulkOperation<T, Settings>,
	sent: SentFacts | undefined,
): object {
	const { left, pending, ...counts } = countOutcomes(plan);
	const leftOut = Object.values(left).reduce((sum, count) => sum + count, 0);
	return {
		...(sent ? {} : { dryRun: true }),
		rows: plan.rows.length,
		...(sent ? { requests: sent.requests, accepted: counts.accepted } : { wouldSend: pending }),
		unchanged: counts.unchanged,
		rejected: counts.refused + counts.invalid,
		unknown: counts.unknown,
		notSent: counts.notSent + leftOut,
		...toRunFields(plan, sent),
		reasons: countReasons(plan),
		...(plan.stop !== undefined && { reasonNotToSend: `Not sent, because ${plan.stop}` }),
		...plan.facts,
	};
}

interface Reason {
	readonly outcome: string;
	readonly reason: string;
	readonly count: number;
}

/** Counts the reasons why rows are not sent, the commonest first; values of single rows are left away. */
function countReasons<T>({ rows, entries }: Plan<T>): Reason[] {
	const reasons = [
		...rows.flatMap(({ problems }) =>
			problems ? [{ outcome: 'rejected', reason: describeProblems(problems) }] : [],
		),
		...entries.flatMap(({ outcome }) => (outcome ? (toReason(outcome) ?? []) : [])),
	];
	return Object.entries(countBy(reasons, (reason) => JSON.stringify(reason)))
		.map(([reason, count]) => ({ ...(JSON.parse(reason) as Omit<Reason, 'count'>), count }))
		.toSorted((a, b) => b.count - a.count)
		.slice(0, MAX_REASONS);
}

function toReason(outcome: Outcome): Omit<Reason, 'count'> | undefined {
	if ('countedAs' in outcome) return { outcome: outcome.outcome, reason: outcome.countedAs };
	return 'failure' in outcome
		? { outcome: outcome.outcome, reason: describeShortly(outcome.failure) }
		: undefined;
}

const describeShortly = (failure: Failure): string =>
	'message' in failure ? failure.message : failure.kind;

const describeProblems = (problems: readonly Problem[]): string =>
	problems
		.map(({ path, reason, fix }) => `${toLabel(path)} ${toSentence({ reason, fix })}`)
		.join('. ');

/** Names the field of a path as the panel does: "To Phone Number" for `toPhoneNumber`. */
function toLabel(path: Problem['path']): string {
	const name = String(path.findLast((key) => typeof key === 'string') ?? 'row');
	const words = name.replace(/[A-Z]/g, ' $&').replace(/\bId\b/, 'ID');
	return words.charAt(0).toUpperCase() + words.slice(1);
}
