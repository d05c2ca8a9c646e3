import { invalidRow } from '../core/operation';
import type { RowResult, Run, SharedItem } from '../core/operation';
import { formatCount, plural } from '../core/text';
import type { RunPlan } from './check';
import type { OutputMapper } from './operation';
import type { AcceptedValue, NotAccepted, Outcome, OutcomeName } from './outcomes';

/** What the results of a run are made of: its rows with the outcome of every value, and how many requests it took. */
export type FinishedRun<T> = Pick<RunPlan<T>, 'rows' | 'values' | 'outcomes'> & {
	readonly requests: number;
};

/** Worst first: what may have happened matters more than what certainly did not. */
const SEVERITY: ReadonlyArray<NotAccepted['outcome']> = ['unknown', 'rejected', 'notSent'];

/** Every row has a result: items for its accepted values, and one failure where any value failed. */
export function toResults<T, Item, RequestItem>(
	{ rows, values, outcomes, requests }: FinishedRun<T>,
	outputAs: 'rows' | 'requests',
	{ toItem, toRequestItem, toUnchangedItem, toUnchangedItems }: OutputMapper<T, Item, RequestItem>,
): Run<Item | RequestItem> {
	const counts: Counts = {};
	const unchanged: Array<{ readonly value: T; readonly position: number }> = [];
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
			if (outcome.outcome === 'unchanged') {
				if (outputAs === 'requests') unchanged.push({ value, position });
				else if (toUnchangedItem) items.push(toUnchangedItem(value));
			} else if (outcome.outcome !== 'accepted') failed.push({ ...outcome, index: i - start });
			else if (outputAs === 'rows') items.push(toItem(value, outcome));
			else group(byRequest, { value, accepted: outcome }, position);
		}
		return { items, ...(failed.length > 0 && worstOf(failed, outcomes.slice(start, index))) };
	});
	const shared: Array<SharedItem<RequestItem>> = [...byRequest].map(
		([batch, { accepted, positions }]) => ({
			item: toRequestItem(accepted, batch),
			rows: [...positions],
		}),
	);
	if (unchanged.length > 0 && toUnchangedItems)
		shared.push({
			item: toUnchangedItems(unchanged.map(({ value }) => value)),
			rows: [...new Set(unchanged.map(({ position }) => position))],
		});
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
	outcomes: ReadonlyArray<Outcome | undefined>,
): Pick<RowResult, 'failure' | 'details'> {
	const worst = SEVERITY.flatMap((name) => failed.find(({ outcome }) => outcome === name) ?? [])[0];
	if (!worst) return {};
	return {
		failure: worst.failure,
		details: {
			outcome: worst.outcome,
			...(worst.batch !== undefined && { batch: worst.batch }),
			...(outcomes.length > 1 && {
				counts: countsOf(outcomes),
				failed: failed.map(({ index, outcome }) => ({ index, outcome })),
			}),
		},
	};
}

function countsOf(outcomes: ReadonlyArray<Outcome | undefined>): Counts {
	const counts: Counts = {};
	for (const { outcome } of outcomes.map((each) => each ?? UNACCOUNTED))
		counts[outcome] = (counts[outcome] ?? 0) + 1;
	return counts;
}

/**
 * One sentence: "500 rows, 2 requests: 431 accepted, 62 rejected before sending, 7 unknown", or "50,000 rows: 48,800 unchanged, 1,200
 * sent in 3 requests" where unchanged values are skipped.
 */
function summarize(
	{ rows, invalid, requests }: { rows: number; invalid: number; requests: number },
	counts: Counts,
): string {
	const said = (...parts: ReadonlyArray<readonly [number | undefined, string]>) =>
		parts.flatMap(([number, what]) => (number ? [`${formatCount(number)} ${what}`] : []));
	const { accepted = 0, rejected = 0, unknown = 0, notSent, unchanged } = counts;
	const ends = [
		...said([accepted, 'accepted'], [rejected, 'rejected by the service']),
		...(unchanged ? [] : said([invalid, 'rejected before sending'])),
		...said([unknown, 'unknown (may have arrived)']),
	];
	const inRequests = plural(requests, 'request');
	if (!unchanged) {
		const parts = [...ends, ...said([notSent, 'not sent'])].join(', ') || 'nothing to send';
		return `${plural(rows, 'row')}, ${inRequests}: ${parts}`;
	}
	const sent = accepted + rejected + unknown;
	const parts = [
		...said([unchanged, 'unchanged']),
		sent > 0 ? `${formatCount(sent)} sent in ${inRequests}` : 'nothing sent',
		...said([invalid, 'rejected before sending'], [notSent, 'not sent']),
	];
	return `${plural(rows, 'row')}: ${parts.join(', ')}${sent > accepted ? ` (sent: ${ends.join(', ')})` : ''}`;
}
