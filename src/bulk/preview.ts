import countBy from 'lodash/countBy';
import { describeFailure } from '../core/describeFailure';
import type { Failure } from '../core/failures';
import { invalidRow } from '../core/operation';
import type { RowResult, Run } from '../core/operation';
import { formatCount, plural } from '../core/words';
import type { BulkOperation, SendSettings } from './operation';
import { stoppedBy } from './outcomes';
import type { Plan, Value } from './plan';
import { pendingOf } from './plan';
import { leftOutAs } from './results';
import { batchesOf } from './send';

/**
 * Shows every row in its order with what would become of it, and sends nothing. The outcome comes right after the row, as in a
 * real run: a table of n8n shows only the first columns.
 */
export function preview<T, Settings extends SendSettings>(
	plan: Plan<T>,
	operation: BulkOperation<T, Settings>,
	settings: Settings,
): Run {
	const { output, toRequest } = operation;
	const batches = [...batchesOf(plan, operation, settings)];
	for (const [i, batch] of batches.entries()) for (const value of batch) value.batch = i + 1;
	const requests = plural(batches.length, 'request');
	const summary = summarize(plan, operation, { pending: pendingOf(plan.values).length, requests });
	const counts = leftOutCounts(plan.values);
	const invalid = plan.rows.filter(({ problems }) => problems !== undefined).length;
	if (settings.outputAs === 'run' && output.toRunItem)
		return {
			rows: plan.rows.map(() => ({ items: [] })),
			shared: [{ item: output.toRunItem(plan), rows: [...plan.rows.keys()] }],
			summary,
			// Invalid rows have no items of their own here.
			counts: invalid > 0 ? [...counts, `${formatCount(invalid)} rejected`] : counts,
		};
	const rows = rowsOf(plan, operation, settings);
	if (settings.outputAs !== 'requests') return { rows, summary, counts };
	const shared = batches.map((batch, i) => ({
		item: {
			outcome: plan.stop === undefined ? 'wouldSend' : 'notSent',
			batch: i + 1,
			count: batch.length,
			body: toRequest(
				batch.map(({ content }) => operation.toBody(content, settings)),
				settings,
			).body,
			dryRun: true,
		},
		rows: [...new Set(batch.map(({ row }) => row))],
	}));
	return { rows, shared, summary, counts };
}

function rowsOf<T>(
	{ rows, stop }: Plan<T>,
	{ output }: Pick<BulkOperation<T, never>, 'output'>,
	{ outputAs }: Pick<SendSettings, 'outputAs'>,
): RowResult[] {
	return rows.map(({ values, problems, entered }, position): RowResult => {
		const row = position + 1;
		const items = values.flatMap(({ content, outcome, batch }): object[] => {
			// Requests show what they would send.
			if (!outcome && outputAs === 'requests') return [];
			// What has problems has no batch, unless it goes out in spite of them.
			if (problems && batch === undefined) return [];
			const end = outcome ?? (stop === undefined ? undefined : stoppedBy(stop));
			const item = {
				row,
				outcome: end?.outcome ?? 'wouldSend',
				// What an earlier attempt of the execution sent was accepted.
				...(end && 'failure' in end ? reasonOf(end.failure) : { reason: '' }),
				...output.toPreview(content),
			};
			return [end ? { ...item, dryRun: true } : { ...item, batch, dryRun: true }];
		});
		// A question about the whole run leaves a row without values.
		const open = {
			row,
			outcome: 'notSent',
			...reasonOf(stoppedBy(stop ?? '').failure),
			dryRun: true,
		};
		if (!problems) return { items: values.length === 0 && stop !== undefined ? [open] : items };
		const item = { row, outcome: 'rejected', ...entered, dryRun: true };
		return { ...invalidRow(problems), items, failureItem: item };
	});
}

const reasonOf = (failure: Failure) => ({
	reason: describeFailure(failure, (path) => path.join('.')).message,
	...(failure.kind === 'skipped' && failure.facts),
});

/** "Dry run: 62 people would be called in 2 requests. Turn off Dry Run to call them." */
function summarize<T>(
	{ stop }: Plan<T>,
	{ words }: Pick<BulkOperation<T, never>, 'words'>,
	{ pending, requests }: { readonly pending: number; readonly requests: string },
): string {
	if (stop !== undefined) return `Dry run: nothing would be sent, because ${stop}.`;
	const advice = pending === 0 ? '' : ` Turn off Dry Run to ${words.send} them.`;
	return `Dry run: ${words.count(pending)} would be ${words.sent} in ${requests}.${advice}`;
}

/** How many values would not be sent, by the reason: "37 marked Do Not Call". */
function leftOutCounts<T>(values: ReadonlyArray<Value<T>>): string[] {
	const outcomes = values.flatMap(({ outcome }) => outcome ?? []);
	const counts = countBy(outcomes, (each) => leftOutAs(each) ?? OTHERS[each.outcome]);
	return Object.entries(counts)
		.toSorted(([, a], [, b]) => b - a)
		.map(([what, count]) => `${formatCount(count)} ${what}`);
}

const OTHERS = {
	accepted: 'accepted earlier in this execution',
	rejected: 'rejected',
	unknown: 'unknown (may have arrived)',
	notSent: 'not sent',
	unchanged: 'unchanged',
} as const;
