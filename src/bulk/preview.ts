import type { Failure } from '../core/failures';
import { invalidRow } from '../core/operation';
import type { RowResult, Run } from '../core/operation';
import { formatCount, plural } from '../core/text';
import type { RunPlan } from './check';
import { chunks } from './chunks';
import type { BulkOperation, SendSettings } from './operation';
import { MAX_BODY_BYTES } from './send';

/** The requests that a run would send, by the positions of their values. */
type Batches = readonly number[][];

/**
 * Shows every row in its order with what would become of it, and sends nothing. The outcome comes right after the row, as in a
 * real run: a table of n8n shows only the first columns.
 */
export function preview<T, Settings extends SendSettings>(
	plan: RunPlan<T>,
	operation: BulkOperation<T, Settings, object, object>,
	settings: Settings,
): Run {
	const pending = [...plan.values.keys()].filter((index) => plan.outcomes[index] === undefined);
	const size = { count: settings.batchSize, bytes: MAX_BODY_BYTES };
	const bodyOf = (index: number) => operation.toBody(plan.values[index] as T, settings);
	const bytesOf = (index: number) => Buffer.byteLength(JSON.stringify(bodyOf(index)));
	const batches = [...chunks(pending, size, bytesOf)];
	const together = settings.outputAs === 'requests';
	const summary = summarize(plan, operation, { pending: pending.length, batches });
	return together
		? {
				rows: rowsOf(plan, operation, new Map()),
				shared: batches.map((batch, i) => ({
					item: {
						outcome: 'wouldSend',
						batch: i + 1,
						count: batch.length,
						body: operation.toRequest(batch.map(bodyOf), settings).body,
						dryRun: true,
					},
					rows: [...new Set(batch.map((index) => plan.rowOf[index] ?? 0))],
				})),
				summary,
			}
		: { rows: rowsOf(plan, operation, numbersOf(batches)), summary };
}

const numbersOf = (batches: Batches): ReadonlyMap<number, number> =>
	new Map(batches.flatMap((batch, i) => batch.map((index) => [index, i + 1] as const)));

function rowsOf<T>(
	{ rows, values, outcomes }: RunPlan<T>,
	{ output }: Pick<BulkOperation<T, never, object, object>, 'output'>,
	batchOf: ReadonlyMap<number, number>,
): RowResult[] {
	let index = 0;
	return rows.map((plan, position): RowResult => {
		const row = position + 1;
		const start = index;
		index += plan.values.length;
		if (plan.problems) {
			const item = { row, outcome: 'invalid', ...plan.entered, dryRun: true };
			return { ...invalidRow(plan.problems), failureItem: item };
		}
		const items: object[] = [];
		for (let i = start; i < index; i++) {
			const fields = output.toPreview(values[i] as T);
			const outcome = outcomes[i];
			const batch = batchOf.get(i);
			if (outcome?.outcome === 'unchanged')
				items.push({ row, outcome: 'unchanged', ...fields, dryRun: true });
			else if (outcome && outcome.outcome !== 'accepted')
				items.push({
					row,
					outcome: 'skipped',
					...fields,
					...reasonOf(outcome.failure),
					dryRun: true,
				});
			else if (batch !== undefined)
				items.push({ row, outcome: 'wouldSend', ...fields, batch, dryRun: true });
		}
		return { items };
	});
}

const reasonOf = (failure: Failure) => ({
	reason: 'message' in failure ? failure.message : '',
	...(failure.kind === 'skipped' && failure.facts),
});

/** "Dry run: 62 people would be called in 2 requests, 31 skipped, 17 invalid. Turn off Dry Run to call them." */
function summarize<T>(
	{ rows, outcomes, reasonNotToSend }: RunPlan<T>,
	{ words }: Pick<BulkOperation<T, never, object, object>, 'words'>,
	{ pending, batches }: { readonly pending: number; readonly batches: Batches },
): string {
	const unchanged = outcomes.filter((each) => each?.outcome === 'unchanged').length;
	const skipped = outcomes.length - pending - unchanged;
	const invalid = rows.filter(({ problems }) => problems !== undefined).length;
	const would = reasonNotToSend === undefined ? 'would' : 'could';
	const parts = [
		`${words.count(pending)} ${would} be ${words.sent} in ${plural(batches.length, 'request')}`,
		...(unchanged > 0 ? [`${formatCount(unchanged)} unchanged`] : []),
		...(skipped > 0 ? [`${formatCount(skipped)} skipped`] : []),
		...(invalid > 0 ? [`${plural(invalid, 'row')} invalid`] : []),
	];
	return [`Dry run: ${parts.join(', ')}.`, ...adviceFor(pending, words.send, reasonNotToSend)].join(
		' ',
	);
}

function adviceFor(pending: number, send: string, reasonNotToSend: string | undefined): string[] {
	if (reasonNotToSend === undefined)
		return pending > 0 ? [`Turn off Dry Run to ${send} them.`] : [];
	return [`${reasonNotToSend.replace(/^(Not sent|Nothing was sent)/, 'Nothing would be sent')}.`];
}
