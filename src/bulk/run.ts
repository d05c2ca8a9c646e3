import type { z } from 'zod/v4';
import type { HeldError, Problem } from '../core/failures';
import type { Desk, Row, Run } from '../core/operation';
import { parseRow } from '../core/operation';
import type { SentRow } from './account';
import { account } from './account';
import type { Bulk, Tally } from './deliver';
import { deliver } from './deliver';
import type { Outcome } from './outcomes';

/** What one input row wants to send, and how its run is to treat rows that are invalid. */
export interface Order<T> {
	readonly values: readonly T[];
	/** Orders of one group share requests. */
	readonly group: string;
	readonly invalidRows: 'stop' | 'sendValid';
}

/** How an operation sends in bulk. */
export interface Dispatch<Input, T, Item> {
	readonly input: z.ZodType<Input>;
	readonly order: (input: Input) => Order<T>;
	/** The bulk request of a group, from its first row. */
	readonly bulk: (first: Input) => Bulk<T>;
	readonly item: (value: T, accepted: Extract<Outcome, { outcome: 'accepted' }>) => Item;
	/** Says why nothing may be sent, where the values of a run are too many. */
	readonly guard?: (inputs: readonly Input[], count: number) => string | undefined;
}

type Checked<Input, T> =
	{ readonly input: Input; readonly order: Order<T> } | { readonly problems: readonly Problem[] };

/** Checks all rows, then sends those that may go, and accounts for every one. */
export const inBulk =
	<Input, T, Item>(dispatch: Dispatch<Input, T, Item>) =>
	async (rows: readonly Row[], desk: Desk): Promise<Run<Item>> => {
		const checked: Array<Checked<Input, T>> = rows.map((row) => {
			const parsed = parseRow(dispatch.input, row);
			return 'problems' in parsed
				? parsed
				: { input: parsed.input, order: dispatch.order(parsed.input) };
		});
		const held = reasonToHold(checked, dispatch);
		if (held !== undefined)
			return account(
				checked.map((row) => hold(row, held)),
				0,
				dispatch.item,
			);
		return await send(checked, dispatch, desk);
	};

function reasonToHold<Input, T, Item>(
	checked: ReadonlyArray<Checked<Input, T>>,
	{ guard }: Dispatch<Input, T, Item>,
): string | undefined {
	const valid = checked.flatMap((row) => ('problems' in row ? [] : [row]));
	const invalid = checked.length - valid.length;
	if (invalid > 0 && valid.some(({ order }) => order.invalidRows === 'stop')) {
		return `Not sent, because ${invalid === 1 ? 'one row is' : `${invalid} rows are`} invalid. Correct the input, or set 'If Rows Are Invalid' to 'Send the Valid Rows'`;
	}
	const count = valid.reduce((sum, { order }) => sum + order.values.length, 0);
	return guard?.(
		valid.map(({ input }) => input),
		count,
	);
}

function hold<Input, T>(row: Checked<Input, T>, message: string): SentRow<T> {
	if ('problems' in row) return row;
	const failure: HeldError = { kind: 'held', message };
	return {
		values: row.order.values,
		outcomes: row.order.values.map(() => ({ outcome: 'notSent', failure })),
	};
}

async function send<Input, T, Item>(
	checked: ReadonlyArray<Checked<Input, T>>,
	dispatch: Dispatch<Input, T, Item>,
	desk: Desk,
): Promise<Run<Item>> {
	const groups = new Map<string, { first: Input; values: T[]; outcomes: readonly Outcome[] }>();
	for (const row of checked) {
		if ('problems' in row) continue;
		const group = groups.get(row.order.group) ?? { first: row.input, values: [], outcomes: [] };
		for (const value of row.order.values) group.values.push(value);
		groups.set(row.order.group, group);
	}
	const tally: Tally = { requests: 0, batches: 0, seen: new Map() };
	for (const group of groups.values()) {
		group.outcomes = await deliver(group.values, dispatch.bulk(group.first), { desk, tally });
	}
	const taken = new Map<string, number>();
	const sent = checked.map((row): SentRow<T> => {
		if ('problems' in row) return row;
		const { group, values } = row.order;
		const from = taken.get(group) ?? 0;
		taken.set(group, from + values.length);
		return {
			values,
			outcomes: (groups.get(group)?.outcomes ?? []).slice(from, from + values.length),
		};
	});
	return account(sent, tally.requests, dispatch.item);
}
