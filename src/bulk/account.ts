import type { Problem } from '../core/failures';
import type { RowResult, Run } from '../core/operation';
import { gather } from './gather';
import type { OutputAs, Show } from './order';
import type { Missed, Outcome, OutcomeName } from './outcomes';

/** An input row after its bulk requests: the outcome of each of its values, or why it was not sent. */
export type SentRow<T> =
	| {
			readonly values: readonly T[];
			readonly outcomes: readonly Outcome[];
			readonly outputAs: OutputAs;
	  }
	| { readonly problems: readonly Problem[] };

/** Worst first: what may have happened matters more than what certainly did not. */
const SEVERITY: readonly OutcomeName[] = ['unknown', 'rejected', 'notSent', 'accepted'];

/** Accounts for every row: items for its accepted values, and one failure for a row in which any value failed. */
export function account<T, Item, RequestItem>(
	rows: Iterable<SentRow<T>>,
	requests: number,
	show: Show<T, Item, RequestItem>,
): Run<Item | RequestItem> {
	const gathered = gather(show.all);
	const counts: Counts = {};
	let invalid = 0;
	const results: Array<RowResult<Item>> = [];
	// Rows come one by one, so that what they hold besides need not be kept.
	for (const row of rows) {
		if ('problems' in row) invalid += 1;
		else {
			for (const { outcome } of row.outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
			if (row.outputAs === 'requests') gathered.add(row, results.length);
		}
		results.push(accountRow(row, show.one));
	}
	const shared = gathered.items();
	return {
		rows: results,
		...(shared.length > 0 && { shared }),
		summary: summarize({ rows: results.length, invalid, requests }, counts),
	};
}

type Counts = Partial<Record<OutcomeName, number>>;

function accountRow<T, Item>(
	row: SentRow<T>,
	item: Show<T, Item, unknown>['one'],
): RowResult<Item> {
	if ('problems' in row) {
		return {
			items: [],
			failure: { kind: 'input', problems: row.problems },
			details: { outcome: 'rejected' },
		};
	}
	const items: Item[] = [];
	const missed: Array<Missed & { readonly index: number }> = [];
	for (const [index, value] of row.values.entries()) {
		const outcome = row.outcomes[index];
		if (outcome?.outcome === 'accepted') {
			if (row.outputAs === 'rows') items.push(item(value, outcome));
		} else if (outcome) missed.push({ ...outcome, index });
	}
	if (missed.length === 0) return { items };
	const worst = SEVERITY.flatMap((name) => missed.filter(({ outcome }) => outcome === name))[0];
	if (!worst) return { items };
	return {
		items,
		failure: worst.failure,
		details: {
			outcome: worst.outcome,
			...(worst.batch !== undefined && { batch: worst.batch }),
			...(row.values.length > 1 && {
				counts: count(row.outcomes),
				failed: missed.map(({ index, outcome }) => ({ index, outcome })),
			}),
		},
	};
}

function count(outcomes: ReadonlyArray<Pick<Outcome, 'outcome'>>): Counts {
	const counts: Counts = {};
	for (const { outcome } of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
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
	const told = parts.filter(([number]) => number).map(([number, what]) => `${number} ${what}`);
	return `${plural(rows, 'row')}, ${plural(requests, 'request')}: ${told.join(', ') || 'nothing to send'}`;
}

const plural = (number: number, word: string): string =>
	`${number} ${word}${number === 1 ? '' : 's'}`;
