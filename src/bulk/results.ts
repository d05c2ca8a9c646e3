import { countBy, filter, groupBy, omit, orderBy, partition } from 'lodash';
import { describeFailure, nameField } from '../core/describeFailure';
import type { Run } from '../core/operation';
import { formatCount, plural } from '../core/words';
import type { BulkOperation, SendSettings } from './operation';
import type { Failed } from './outcomes';
import { filterPending, type Plan } from './plan';
import { toRowResults } from './rowResults';

/** The columns with which the items of all rows begin. */
const COLUMNS = ['row', 'outcome', 'reason'];

/** Makes the items, the counts and the headline of a run. */
export function toRun<T, Settings extends SendSettings>(
	plan: Plan<T>,
	operation: BulkOperation<T, Settings>,
	{ settings, requests }: { readonly settings: Settings; readonly requests: number },
): Run {
	const { words } = operation;
	const { dryRun } = settings;
	// A dry run numbers the requests that it would send.
	if (dryRun && plan.stop === undefined)
		for (const [i, entry] of filterPending(plan.entries).entries())
			entry.request = Math.floor(i / settings.batchSize) + 1;
	const rows = toRowResults({ plan, operation, settings });
	const hasRunItem = settings.outputAs === 'run';
	const counts = listCounts(plan);
	const size = `${plural(plan.rows.length, 'row')}, ${plural(requests, 'request')}`;
	const { accepted = 0, unknown = 0 } = countBy(plan.entries, 'outcome.outcome');
	// "0 people were called" must be certain, and tells nothing about a single row.
	const hasHeadline = accepted > 0 || (unknown === 0 && plan.rows.length > 1);
	const who = accepted === 1 ? `${words.one} was` : `${words.many} were`;
	return {
		// With one item for the run, failed rows can still be separate errors.
		rows: hasRunItem ? rows.map((row) => ({ ...row, items: [] })) : rows,
		...(hasRunItem && { runItem: toRunItem(plan, operation, dryRun ? undefined : requests) }),
		summary: dryRun
			? summarizePreview(plan, words, settings.batchSize)
			: `${size}: ${counts.join(', ') || 'nothing to send'}`,
		// The summary of a dry run has no counts.
		notes: [...(dryRun && counts.length > 0 ? [counts.join(' · ')] : []), ...plan.notes],
		columns: COLUMNS,
		...(!dryRun && hasHeadline && { happened: `${formatCount(accepted)} ${who} ${words.sent}` }),
	};
}

const NONE = { unchanged: 0, rejected: 0, unknown: 0, notSent: 0, accepted: 0 };

/** Counts rows and entries in words, accepted ones first: "431 accepted", "62 rejected before sending", "9 left out". */
function listCounts<T>({ rows, entries }: Plan<T>): string[] {
	const outcomes = entries.flatMap(({ outcome }) => outcome ?? []);
	const [leftOut, decided] = partition(outcomes, 'countedAs');
	const { accepted, unchanged, rejected, unknown, notSent } = {
		...NONE,
		...countBy(decided, 'outcome'),
	};
	const counts = {
		...{ accepted, unchanged },
		'rejected by the service': rejected,
		'rejected before sending': filter(rows, 'problems').length,
		'unknown (may have arrived)': unknown,
		'not sent': notSent,
		...countBy(leftOut, 'countedAs'),
	};
	return Object.entries(counts).flatMap(([what, count]) =>
		count > 0 ? [`${formatCount(count)} ${what}`] : [],
	);
}

/** "Dry run: 62 people would be called in 2 requests. Turn off Dry Run to call them." */
function summarizePreview<T>(
	{ entries, stop }: Plan<T>,
	words: BulkOperation<T, never>['words'],
	batchSize: number,
): string {
	if (stop !== undefined) return `Dry run: nothing would be sent, because ${stop}.`;
	const { length } = filterPending(entries);
	const requests = plural(Math.ceil(length / batchSize), 'request');
	const advice = length === 0 ? '' : ` Turn off Dry Run to ${words.send} them.`;
	const who = length === 1 ? words.one : words.many;
	return `Dry run: ${formatCount(length)} ${who} would be ${words.sent} in ${requests}.${advice}`;
}

/** Makes the one item for a run: the counts of outcomes. Without `requests`, it is the plan of a dry run. */
function toRunItem<T, Settings extends SendSettings>(
	plan: Plan<T>,
	{ toRunFields }: BulkOperation<T, Settings>,
	requests: number | undefined,
): object {
	const { rows, entries, stop, facts } = plan;
	const outcomes = entries.flatMap(({ outcome }) => outcome ?? []);
	const { accepted, rejected, ...counts } = { ...NONE, ...countBy(outcomes, 'outcome') };
	const invalid = filter(rows, 'problems').length;
	const pending = filterPending(entries).length;
	// Rows without entries and problems were not read, because the run stopped before.
	const unread = rows.filter((row) => row.entries.length === 0 && !row.problems).length;
	const stopped = stop === undefined ? 0 : pending + unread;
	return {
		...(requests === undefined && { dryRun: true }),
		rows: rows.length,
		...(requests !== undefined
			? { requests, accepted }
			: { wouldSend: stop === undefined ? pending : 0 }),
		...{ ...counts, rejected: rejected + invalid, notSent: counts.notSent + stopped },
		...facts,
		...toRunFields(plan),
		reasons: countReasons(plan),
		...(stop !== undefined && { reasonNotToSend: `Not sent, because ${stop}` }),
	};
}

const MAX_RUN_REASONS = 20;

/** Counts the failed rows and entries by outcome and reason, the commonest first: { outcome, reason, count }. */
function countReasons<T>({ rows, entries }: Plan<T>) {
	// Without the values, rows with the same fault have the same reason.
	const invalid = rows.flatMap(({ problems }): Failed[] => {
		const reasons = problems?.map((problem) => omit(problem, 'value'));
		return reasons ? [{ outcome: 'rejected', failure: { kind: 'input', problems: reasons } }] : [];
	});
	const failed = entries.flatMap(({ outcome }) =>
		outcome && 'failure' in outcome ? [outcome] : [],
	);
	const reasons = [...invalid, ...failed].map(({ outcome, failure, countedAs }) => ({
		outcome,
		reason: countedAs ?? describeFailure(failure, nameField).message,
	}));
	const groups = groupBy(reasons, ({ outcome, reason }) => outcome + reason);
	const counts = Object.values(groups).map((same) => ({ ...same[0], count: same.length }));
	return orderBy(counts, 'count', 'desc').slice(0, MAX_RUN_REASONS);
}
