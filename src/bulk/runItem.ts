import countBy from 'lodash/countBy';
import sum from 'lodash/sum';
import type { Problem } from '../core/failures';
import { toSentence } from '../core/problems';
import type { BulkOperation, SendSettings, SentFacts } from './operation';
import type { LeftOut, Outcome } from './outcomes';
import type { Plan } from './plan';

const MAX_RUN_REASONS = 20;

const isLeftOut = (outcome: Outcome): outcome is LeftOut => 'countedAs' in outcome;

/** Counts the rows and entries of a run by outcome. `leftOut` counts by the user's reason. */
export function countOutcomes<T>({ rows, entries }: Plan<T>) {
	const outcomes = entries.flatMap(({ outcome }) => outcome ?? []);
	const counts = countBy(outcomes, (outcome) => (isLeftOut(outcome) ? '' : outcome.outcome));
	const { accepted = 0, unchanged = 0, rejected = 0, unknown = 0, notSent = 0 } = counts;
	return {
		...{ accepted, unchanged, rejected, unknown, notSent },
		/** Rows with problems, which are rejected before sending. */
		invalid: rows.filter(({ problems }) => problems !== undefined).length,
		leftOut: countBy(outcomes.filter(isLeftOut), 'countedAs'),
		pending: entries.length - outcomes.length,
	};
}

/** Makes the one item for a run: the counts of outcomes, or the plan of a dry run. */
export function toRunItem<T, Settings extends SendSettings>(
	plan: Plan<T>,
	{ toRunFields }: BulkOperation<T, Settings>,
	sent: SentFacts | undefined,
): object {
	const { leftOut, pending, invalid, ...counts } = countOutcomes(plan);
	return {
		...(sent ? {} : { dryRun: true }),
		rows: plan.rows.length,
		...(sent ? { requests: sent.requests, accepted: counts.accepted } : { wouldSend: pending }),
		unchanged: counts.unchanged,
		rejected: counts.rejected + invalid,
		unknown: counts.unknown,
		notSent: counts.notSent + sum(Object.values(leftOut)),
		...toRunFields(plan, sent),
		reasons: countReasons(plan),
		...(plan.stop !== undefined && { reasonNotToSend: `Not sent, because ${plan.stop}` }),
		...plan.facts,
	};
}

/** Counts the reasons why rows are not sent, the commonest first, without values of single rows. */
function countReasons<T>({ rows, entries }: Plan<T>) {
	const ofRows = rows.flatMap(({ problems }) =>
		problems ? [['rejected', describeProblems(problems)]] : [],
	);
	const ofEntries = entries.flatMap(({ outcome }) => {
		if (outcome === undefined) return [];
		if (isLeftOut(outcome)) return [[outcome.outcome, outcome.countedAs]];
		if (!('failure' in outcome)) return [];
		const { failure } = outcome;
		return [[outcome.outcome, 'message' in failure ? failure.message : failure.kind]];
	});
	return Object.entries(countBy([...ofRows, ...ofEntries], (pair) => pair.join('\n')))
		.map(([pair, count]) => {
			const [outcome, ...reason] = pair.split('\n');
			return { outcome, reason: reason.join('\n'), count };
		})
		.toSorted((a, b) => b.count - a.count)
		.slice(0, MAX_RUN_REASONS);
}

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
