import { invalidRow } from '../core/operation';
import type { RowResult, Run } from '../core/operation';
import { formatCount, plural } from '../core/text';
import type { RunPlan } from './check';
import { byteLength, chunks } from './chunks';
import type { BulkOperation, SendSettings } from './operation';
import { MAX_BODY_BYTES } from './send';

/** What a dry run says about a value or an invalid row; the fields of the value stand between `row` and `outcome`. */
interface PreviewItem {
	readonly row: number;
	readonly outcome: 'wouldSend' | 'unchanged' | 'invalid' | 'skipped';
	/** Why it would not be sent. */
	readonly reason?: string;
	/** The request that would carry it, counted from 1. */
	readonly batch?: number;
	readonly dryRun: true;
}

/** The requests that a run would send, by the positions of their values. */
type Batches = readonly number[][];

/** Shows every row in its order with what would become of it, and sends nothing. */
export function preview<T, Settings extends SendSettings>(
	plan: RunPlan<T>,
	operation: BulkOperation<T, Settings, object, object>,
	settings: Settings,
): Run {
	const pending = [...plan.values.keys()].filter((index) => plan.outcomes[index] === undefined);
	const size = { count: settings.batchSize, bytes: MAX_BODY_BYTES };
	const bodyOf = (index: number) => operation.toBody(plan.values[index] as T, settings);
	const bytesOf = (index: number) => byteLength(JSON.stringify(bodyOf(index)));
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
			const item = { row, ...plan.entered, outcome: 'invalid', dryRun: true };
			return { ...invalidRow(plan.problems), failureItem: item };
		}
		const items: object[] = [];
		for (let i = start; i < index; i++) {
			const fields = output.toPreview(values[i] as T);
			const outcome = outcomes[i];
			const batch = batchOf.get(i);
			const facts: Omit<PreviewItem, 'row'> | undefined =
				outcome?.outcome === 'unchanged'
					? { outcome: 'unchanged', dryRun: true }
					: outcome && outcome.outcome !== 'accepted'
						? { outcome: 'skipped', reason: reasonOf(outcome.failure), dryRun: true }
						: batch !== undefined
							? { outcome: 'wouldSend', batch, dryRun: true }
							: undefined;
			if (facts) items.push({ row, ...fields, ...facts });
		}
		return { items };
	});
}

const reasonOf = (failure: object): string => ('message' in failure ? String(failure.message) : '');

/** "Dry run: 62 people would be called in 2 requests, 31 skipped, 17 invalid. Turn off Dry Run to call them." */
function summarize<T>(
	{ rows, outcomes, reasonNotToSend }: RunPlan<T>,
	{ words }: Pick<BulkOperation<T, never, object, object>, 'words'>,
	{ pending, batches }: { readonly pending: number; readonly batches: Batches },
): string {
	const unchanged = outcomes.filter((each) => each?.outcome === 'unchanged').length;
	const skipped = outcomes.length - pending - unchanged;
	const invalid = rows.filter(({ problems }) => problems !== undefined).length;
	const parts = [
		`${words.count(pending)} would be ${words.sent} in ${plural(batches.length, 'request')}`,
		...(unchanged > 0 ? [`${formatCount(unchanged)} unchanged`] : []),
		...(skipped > 0 ? [`${formatCount(skipped)} skipped`] : []),
		...(invalid > 0 ? [`${plural(invalid, 'row')} invalid`] : []),
	];
	const advice = reasonNotToSend ?? `Turn off Dry Run to ${words.send} them`;
	return `Dry run: ${parts.join(', ')}. ${pending > 0 || reasonNotToSend !== undefined ? `${advice}.` : ''}`.trim();
}
