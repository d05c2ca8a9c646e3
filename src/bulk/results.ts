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
	{ outputAs, includeResponse }: Pick<SendSettings, 'outputAs' | 'includeResponse'>,
	{ toIdentity, toItem, toRequestItem }: OutputMapper<T, Item, RequestItem>,
): Run<Item | RequestItem> {
	const withResponse = <Shown>(item: Shown, response: () => unknown): Shown =>
		includeResponse ? { ...item, response: response() ?? null } : item;
	const counts: Counts = {};
	const leftOut = new Map<string, number>();
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
			if (outcome.outcome !== 'accepted')
				failed.push({ ...outcome, index: i - start, identity: () => toIdentity(value) });
			else if (outputAs === 'rows') {
				const item = { row: position + 1, ...toItem(value, outcome) };
				items.push(withResponse(item, () => outcome.reply));
			} else group(byRequest, { value, accepted: outcome, row: position + 1 });
		}
		return { items, ...(failed.length > 0 && worstOf(failed, row.values.length)) };
	});
	const shared: Array<SharedItem<RequestItem>> = [...byRequest].map(([batch, accepted]) => ({
		item: withResponse(toRequestItem(accepted, batch), () => responseOf(accepted)),
		rows: [...new Set(accepted.map(({ row }) => row - 1))],
	}));
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
	outcome.outcome !== 'accepted' && outcome.failure.kind === 'skipped'
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
	count: number,
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
	{
		rows,
		invalid,
		requests,
		leftOut,
	}: { rows: number; invalid: number; requests: number; leftOut: ReadonlyMap<string, number> },
	counts: Counts,
): string {
	const parts = [
		[counts.accepted, 'accepted'],
		[counts.rejected, 'rejected by the service'],
		[invalid, 'rejected before sending'],
		[counts.unknown, 'unknown (may have arrived)'],
		[counts.notSent, 'not sent'],
	] as const;
	const said = [...parts, ...[...leftOut].map(([what, number]) => [number, what] as const)].flatMap(
		([number, what]) => (number ? [`${formatCount(number)} ${what}`] : []),
	);
	return `${plural(rows, 'row')}, ${plural(requests, 'request')}: ${said.join(', ') || 'nothing to send'}`;
}
