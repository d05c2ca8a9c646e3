import type { z } from 'zod/v4';
import type { HeldError, Problem } from '../core/failures';
import type { Desk, Row, Run } from '../core/operation';
import { parseRow } from '../core/operation';
import type { SentRow } from './account';
import { account } from './account';
import type { Bulk, Tally } from './deliver';
import { deliver } from './deliver';
import { dryRun } from './dryRun';
import type { DryItem } from './dryRun';
import type { Duplicates } from './holds';
import { findHolds } from './holds';
import type { Outcome } from './outcomes';

/** What one input row wants to send, and how its run is to treat rows that are invalid or the same. */
export interface Order<T> {
	readonly values: readonly T[];
	/** Orders of one group share requests. */
	readonly group: string;
	readonly invalidRows: 'stop' | 'sendValid';
	readonly duplicates: Duplicates;
	readonly dryRun: boolean;
	/** Why the values of this row must not be sent. */
	readonly barred?: string | undefined;
}

/** How an operation sends in bulk. */
export interface Dispatch<Input, T, Item> {
	readonly input: z.ZodType<Input>;
	readonly order: (input: Input) => Order<T>;
	/** The bulk request of a group, from its first row. */
	readonly bulk: (first: Input) => Bulk<T>;
	readonly item: (value: T, accepted: Extract<Outcome, { outcome: 'accepted' }>) => Item;
	/** What makes two values the same, and the parameter that holds it with its name in a sentence. */
	readonly identity: {
		readonly of: (value: T) => string;
		readonly field: string;
		readonly name: string;
	};
	/** Says why nothing may be sent, where the values of a run are too many. */
	readonly guard?: (inputs: readonly Input[], count: number) => string | undefined;
}

type Checked<Input, T> =
	{ readonly input: Input; readonly order: Order<T> } | { readonly problems: readonly Problem[] };

/** Checks all rows, then sends those that may go, and accounts for every one. */
export const inBulk =
	<Input, T, Item>(dispatch: Dispatch<Input, T, Item>) =>
	async (rows: readonly Row[], desk: Desk): Promise<Run<Item | DryItem>> => {
		const parsed: Array<Checked<Input, T>> = rows.map((row) => {
			const read = parseRow(dispatch.input, row);
			return 'problems' in read ? read : { input: read.input, order: dispatch.order(read.input) };
		});
		const { held, checked } = findHeld(parsed, dispatch);
		const reason = reasonToHold(checked, dispatch, held);
		if (reason !== undefined)
			return account(
				checked.map((row) => hold(row, reason)),
				0,
				dispatch.item,
			);
		return await send({ checked, held }, dispatch, desk);
	};

interface Sorted<Input, T> {
	readonly checked: ReadonlyArray<Checked<Input, T>>;
	/** Why single values are not sent. */
	readonly held: ReadonlyMap<T, string>;
}

/** Values are objects of their own, so that each is told apart from an equal one. */
function findHeld<Input, T, Item>(
	parsed: ReadonlyArray<Checked<Input, T>>,
	{ identity }: Dispatch<Input, T, Item>,
): Sorted<Input, T> {
	const values = parsed.flatMap((row, index) =>
		'problems' in row
			? []
			: row.order.values.map((value) => ({
					value,
					row: index,
					identity: identity.of(value),
					barred: row.order.barred,
					duplicates: row.order.duplicates,
				})),
	);
	const { held, stops } = findHolds(values, identity.name);
	const reasons = new Map<T, string>();
	for (const [position, reason] of held) {
		const unit = values[position];
		if (unit) reasons.set(unit.value, reason);
	}
	const checked = parsed.map((row, index): Checked<Input, T> => {
		const message = stops.get(index);
		return message === undefined ? row : { problems: [{ path: [identity.field], message }] };
	});
	return { held: reasons, checked: stops.size > 0 ? stopping(checked) : checked };
}

/** Duplicates that stop a run stop it whatever is said about invalid rows. */
const stopping = <Input, T>(checked: ReadonlyArray<Checked<Input, T>>): Array<Checked<Input, T>> =>
	checked.map((row) =>
		'problems' in row ? row : { ...row, order: { ...row.order, invalidRows: 'stop' } },
	);

function reasonToHold<Input, T, Item>(
	checked: ReadonlyArray<Checked<Input, T>>,
	{ guard }: Dispatch<Input, T, Item>,
	held: ReadonlyMap<T, string>,
): string | undefined {
	const valid = checked.flatMap((row) => ('problems' in row ? [] : [row]));
	const invalid = checked.length - valid.length;
	if (invalid > 0 && valid.some(({ order }) => order.invalidRows === 'stop')) {
		return `Not sent, because ${invalid === 1 ? 'one row is' : `${invalid} rows are`} invalid. Correct the input, or set 'If Rows Are Invalid' to 'Send the Valid Rows'`;
	}
	const count = valid.reduce(
		(sum, { order }) => sum + order.values.filter((value) => !held.has(value)).length,
		0,
	);
	return guard?.(
		valid.map(({ input }) => input),
		count,
	);
}

function hold<Input, T>(row: Checked<Input, T>, message: string): SentRow<T> {
	if ('problems' in row) return row;
	return { values: row.order.values, outcomes: row.order.values.map(() => heldBack(message)) };
}

function heldBack(message: string): Outcome {
	const failure: HeldError = { kind: 'held', message };
	return { outcome: 'notSent', failure };
}

async function send<Input, T, Item>(
	{ checked, held }: Sorted<Input, T>,
	dispatch: Dispatch<Input, T, Item>,
	desk: Desk,
): Promise<Run<Item | DryItem>> {
	const groups = new Map<string, { first: Input; dry: boolean; values: T[] }>();
	for (const row of checked) {
		if ('problems' in row) continue;
		const { group: name, dryRun: dry, values } = row.order;
		const group = groups.get(name) ?? { first: row.input, dry, values: [] };
		for (const value of values) if (!held.has(value)) group.values.push(value);
		groups.set(name, group);
	}
	const tally: Tally = { requests: 0, batches: 0, seen: new Map() };
	const known = new Map<T, Outcome>([...held].map(([value, reason]) => [value, heldBack(reason)]));
	const dryItems = new Map<T, DryItem>();
	for (const { first, dry, values } of groups.values()) {
		const bulk = dispatch.bulk(first);
		if (dry) for (const [value, item] of dryRun(values, bulk, tally)) dryItems.set(value, item);
		const outcomes = dry ? [] : await deliver(values, bulk, { desk, tally });
		for (const [i, outcome] of outcomes.entries()) {
			const value = values[i];
			if (value !== undefined) known.set(value, outcome);
		}
	}
	const rows = checked.map((row): SentRow<T> => {
		if ('problems' in row) return row;
		const { values } = row.order;
		return { values, outcomes: values.map((value) => known.get(value) ?? DRY) };
	});
	const run = account(
		rows,
		tally.requests,
		(value, accepted) => dryItems.get(value) ?? dispatch.item(value, accepted),
	);
	if (dryItems.size === 0) return run;
	const summary = `Dry run, nothing was sent: ${dryItems.size} would go in ${tally.batches} requests`;
	return { ...run, summary };
}

/** A value of a dry run goes through the books like an accepted one; its item says that nothing was sent. */
const DRY: Outcome = { outcome: 'accepted', batch: 0, reply: undefined };
