import { invalidRow } from '../core/operation';
import type { RowResult, Run, SharedItem } from '../core/operation';
import { formatCount, plural } from '../core/text';
import type { RunPlan } from './check';
import type { OutputMapper, PlacedValue, SendSettings } from './operation';
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
	{ outputAs, includeResponse }: Pick<SendSettings, 'outputAs' | 'includeResponse'>,
	{ toIdentity, ...output }: OutputMapper<T, Item, RequestItem>,
): Run<Item | RequestItem> {
	const counts: Counts = {};
	const leftOut = new Map<string, number>();
	const unchanged: Array<PlacedValue<T>> = [];
	const byRequest = new Map<number, Array<AcceptedValue<T>>>();
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
		const failed: FailedValue[] = [];
		for (let i = start; i < index; i++) {
			const outcome = outcomes[i] ?? UNACCOUNTED;
			const value = values[i] as T;
			const choice = leftOutAs(outcome);
			if (choice !== undefined) leftOut.set(choice, (leftOut.get(choice) ?? 0) + 1);
			else counts[outcome.outcome] = (counts[outcome.outcome] ?? 0) + 1;
			if (outcome.outcome === 'unchanged') {
				if (outputAs === 'requests') unchanged.push({ value, row: position + 1 });
				else if (output.toUnchangedItem)
					items.push({ row: position + 1, ...output.toUnchangedItem(value) });
			} else if (outcome.outcome !== 'accepted')
				failed.push({ ...outcome, index: i - start, identity: () => toIdentity(value) });
			else if (outputAs === 'rows') {
				const item = { row: position + 1, ...output.toItem(value, outcome) };
				items.push(includeResponse ? { ...item, response: outcome.reply ?? null } : item);
			} else if (outputAs === 'requests')
				group(byRequest, { value, accepted: outcome, row: position + 1 });
		}
		if (failed.length === 0) return { items };
		const worst = worstOf(failed, outcomes.slice(start, index));
		// In the item for the whole run, rows that were left out by choice are counted.
		return outputAs === 'run' && worst.failure?.kind === 'skipped'
			? { items }
			: { items, ...worst };
	});
	const shared: Array<SharedItem<RequestItem>> = [...byRequest].map(([batch, accepted]) => ({
		item: {
			...output.toRequestItem(accepted, batch),
			...(includeResponse && { response: responseOf(accepted) ?? null }),
		},
		rows: [...new Set(accepted.map(({ row }) => row - 1))],
	}));
	if (unchanged.length > 0 && output.toUnchangedItems)
		shared.push({
			item: output.toUnchangedItems(unchanged),
			rows: [...new Set(unchanged.map(({ row }) => row - 1))],
		});
	return {
		rows: results,
		...(shared.length > 0 && { shared }),
		summary: summarize({ rows: rows.length, invalid, requests, leftOut }, counts),
	};
}

/** A value that was not accepted, its position in its row, and who it is for. */
type FailedValue = NotAccepted & {
	readonly index: number;
	readonly identity: () => Readonly<Record<string, unknown>>;
};

/** What a value that was left out by choice counts as, apart from those that were not sent for another reason. */
const leftOutAs = (outcome: Outcome): string | undefined =>
	'failure' in outcome && outcome.failure.kind === 'skipped'
		? (outcome.failure.countedAs ?? 'skipped')
		: undefined;

type Counts = Partial<Record<OutcomeName, number>>;

function group<T>(groups: Map<number, Array<AcceptedValue<T>>>, value: AcceptedValue<T>): void {
	const { batch } = value.accepted;
	const values = groups.get(batch);
	if (values) values.push(value);
	else groups.set(batch, [value]);
}

/** The response to a request, or the parts of it that belong to its values. */
function responseOf<T>(values: ReadonlyArray<AcceptedValue<T>>): unknown {
	const whole = values.find(({ accepted }) => !accepted.paired);
	return whole ? whole.accepted.reply : values.map(({ accepted }) => accepted.reply);
}

/** In doubt a value may have been sent. */
const UNACCOUNTED: Outcome = {
	outcome: 'unknown',
	failure: { kind: 'held', message: 'It is unknown whether this was sent' },
};

function worstOf(
	failed: readonly FailedValue[],
	outcomes: ReadonlyArray<Outcome | undefined>,
): Pick<RowResult, 'failure' | 'details'> {
	const worst = SEVERITY.flatMap((name) => failed.find(({ outcome }) => outcome === name) ?? [])[0];
	if (!worst) return {};
	return {
		failure: worst.failure,
		details: {
			outcome: worst.outcome,
			// Other rows end as errors, which n8n shows with their columns.
			...(worst.failure.kind === 'skipped' && worst.identity()),
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
	{
		rows,
		invalid,
		requests,
		leftOut,
	}: { rows: number; invalid: number; requests: number; leftOut: ReadonlyMap<string, number> },
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
	const others = [...leftOut].map(([what, number]) => [number, what] as const);
	const inRequests = plural(requests, 'request');
	if (!unchanged) {
		const parts =
			[...ends, ...said([notSent, 'not sent'], ...others)].join(', ') || 'nothing to send';
		return `${plural(rows, 'row')}, ${inRequests}: ${parts}`;
	}
	const sent = accepted + rejected + unknown;
	const parts = [
		...said([unchanged, 'unchanged']),
		sent > 0 ? `${formatCount(sent)} sent in ${inRequests}` : 'nothing sent',
		...said([invalid, 'rejected before sending'], [notSent, 'not sent'], ...others),
	];
	return `${plural(rows, 'row')}: ${parts.join(', ')}${sent > accepted ? ` (sent: ${ends.join(', ')})` : ''}`;
}
