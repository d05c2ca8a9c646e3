import { invalidRow } from '../core/operation';
import type { RowResult, Run, SharedItem } from '../core/operation';
import { formatCount, plural } from '../core/text';
import type { RunPlan } from './check';
import type { OutputMapper, SendSettings } from './operation';
import type { AcceptedValue, NotAccepted, Outcome, OutcomeName } from './outcomes';

/** What the results of a run are made of: its rows with the outcome of every value, and how many requests it took. */
export type FinishedRun<T> = Pick<RunPlan<T>, 'rows' | 'values' | 'outcomes'> & {
	readonly requests: number;
};

/** Worst first: what may have happened matters more than what certainly did not. */
const SEVERITY: readonly OutcomeName[] = ['unknown', 'rejected', 'notSent', 'accepted'];

/** Every row has a result: items for its accepted values, and one failure where any value failed. */
export function toResults<T, Item, RequestItem>(
	{ rows, values, outcomes, requests }: FinishedRun<T>,
	outputAs: SendSettings['outputAs'],
	{ toItem, toRequestItem }: OutputMapper<T, Item, RequestItem>,
): Run<Item | RequestItem> {
	const counts: Counts = {};
	const byRequest = new Map<number, RequestGroup<T>>();
	let index = 0;
	let invalid = 0;
	const results = rows.map((row, position): RowResult<Item> => {
		const start = index;
		index += row.values.length;
		if (row.problems) {
			invalid += 1;
			return { ...invalidRow(row.problems), details: { outcome: 'rejected' } };
		}
		const items: Item[] = [];
		const failed: Array<NotAccepted & { readonly index: number }> = [];
		for (let i = start; i < index; i++) {
			const outcome = outcomes[i] ?? UNACCOUNTED;
			const value = values[i] as T;
			counts[outcome.outcome] = (counts[outcome.outcome] ?? 0) + 1;
			if (outcome.outcome !== 'accepted') failed.push({ ...outcome, index: i - start });
			else if (outputAs === 'rows') items.push(toItem(value, outcome));
			else if (outputAs === 'requests') group(byRequest, { value, accepted: outcome }, position);
		}
		const worst = failed.length > 0 ? worstOf(failed, row.values.length) : {};
		// In the item for the whole run, rows that were left out by choice are counted.
		return outputAs === 'run' && worst.failure?.kind === 'skipped'
			? { items }
			: { items, ...worst };
	});
	const shared: Array<SharedItem<RequestItem>> = [...byRequest].map(
		([batch, { accepted, positions }]) => ({
			item: toRequestItem(accepted, batch),
			rows: [...positions],
		}),
	);
	return {
		rows: results,
		...(shared.length > 0 && { shared }),
		summary: summarize({ rows: rows.length, invalid, requests }, counts),
	};
}

type Counts = Partial<Record<OutcomeName, number>>;

/** The accepted values of one request, and the rows that they are of. */
interface RequestGroup<T> {
	readonly accepted: Array<AcceptedValue<T>>;
	readonly positions: Set<number>;
}

function group<T>(
	groups: Map<number, RequestGroup<T>>,
	value: AcceptedValue<T>,
	position: number,
): void {
	const { batch } = value.accepted;
	const request = groups.get(batch) ?? { accepted: [], positions: new Set() };
	request.accepted.push(value);
	request.positions.add(position);
	groups.set(batch, request);
}

/** In doubt a value may have been sent. */
const UNACCOUNTED: Outcome = {
	outcome: 'unknown',
	failure: { kind: 'held', message: 'It is not known whether this was sent' },
};

function worstOf(
	failed: ReadonlyArray<NotAccepted & { readonly index: number }>,
	count: number,
): Pick<RowResult, 'failure' | 'details'> {
	const worst = SEVERITY.flatMap((name) => failed.find(({ outcome }) => outcome === name) ?? [])[0];
	if (!worst) return {};
	return {
		failure: worst.failure,
		details: {
			outcome: worst.outcome,
			...(worst.batch !== undefined && { batch: worst.batch }),
			...(count > 1 && {
				counts: countsOf(failed, count),
				failed: failed.map(({ index, outcome }) => ({ index, outcome })),
			}),
		},
	};
}

function countsOf(failed: readonly NotAccepted[], count: number): Counts {
	const accepted = count - failed.length;
	const counts: Counts = accepted > 0 ? { accepted } : {};
	for (const { outcome } of failed) counts[outcome] = (counts[outcome] ?? 0) + 1;
	return counts;
}

/** One sentence: "500 rows, 2 requests: 431 accepted, 62 rejected before sending, 7 unknown". */
function summarize(
	{ rows, invalid, requests }: { rows: number; invalid: number; requests: number },
	counts: Counts,
): string {
	const parts = [
		[counts.accepted, 'accepted'],
		[counts.rejected, 'rejected by the service'],
		[invalid, 'rejected before sending'],
		[counts.unknown, 'unknown (may have arrived)'],
		[counts.notSent, 'not sent'],
	] as const;
	const said = parts.flatMap(([number, what]) =>
		number ? [`${formatCount(number)} ${what}`] : [],
	);
	return `${plural(rows, 'row')}, ${plural(requests, 'request')}: ${said.join(', ') || 'nothing to send'}`;
}
