import type { HeldError } from '../core/failures';
import type { Desk, Row, Run } from '../core/operation';
import type { SentRow } from './account';
import { account } from './account';
import type { Tally } from './bulk';
import { checkRows, findHeld, reasonToHold } from './check';
import type { Sorted } from './check';
import { deliver } from './deliver';
import { dryRun } from './dryRun';
import type { DryItem } from './dryRun';
import type { Checked, Dispatch } from './order';
import type { Outcome } from './outcomes';

/** Checks all rows, then sends those that may go, and accounts for every one. */
export const inBulk =
	<Input, T, Item>(dispatch: Dispatch<Input, T, Item>) =>
	async (rows: readonly Row[], desk: Desk): Promise<Run<Item | DryItem>> => {
		const { held, checked } = findHeld(checkRows(rows, dispatch), dispatch);
		const reason = reasonToHold(checked, dispatch, held);
		if (reason !== undefined)
			return account(
				checked.map((row) => hold(row, reason)),
				0,
				dispatch.item,
			);
		return await send({ checked, held }, dispatch, desk);
	};

function hold<Input, T>(row: Checked<Input, T>, message: string): SentRow<T> {
	if ('problems' in row) return row;
	return { values: row.order.values, outcomes: row.order.values.map(() => heldBack(message)) };
}

function heldBack(message: string): Outcome {
	const failure: HeldError = { kind: 'held', message };
	return { outcome: 'notSent', failure };
}

/** A value that is left out because the user wants such values left out. */
const skipped = (message: string): Outcome => ({
	outcome: 'notSent',
	failure: { kind: 'skipped', message },
});

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
	const known = new Map<T, Outcome>([...held].map(([value, reason]) => [value, skipped(reason)]));
	const dryItems = new Map<T, DryItem>();
	for (const { first, dry, values } of groups.values()) {
		const bulk = dispatch.bulk(first);
		if (dry) {
			for (const [value, item] of dryRun(values, bulk, tally)) {
				dryItems.set(value, item);
				known.set(value, DRY);
			}
			continue;
		}
		const outcomes = await deliver(values, bulk, { desk, tally });
		for (const [i, outcome] of outcomes.entries()) {
			const value = values[i];
			if (value !== undefined && outcome !== undefined) known.set(value, outcome);
		}
	}
	const rows = checked.map((row): SentRow<T> => {
		if ('problems' in row) return row;
		const { values } = row.order;
		return { values, outcomes: values.map((value) => known.get(value) ?? UNACCOUNTED) };
	});
	const run = account(
		rows,
		tally.requests,
		(value, accepted) => dryItems.get(value) ?? dispatch.item(value, accepted),
	);
	if (dryItems.size === 0) return run;
	const summary = `Dry run, nothing was sent: ${dryItems.size} would go in ${tally.batches} ${tally.batches === 1 ? 'request' : 'requests'}`;
	return { ...run, summary };
}

/** A value of a dry run goes through the books like an accepted one; its item says that nothing was sent. */
const DRY: Outcome = { outcome: 'accepted', batch: 0, reply: undefined };

/** In doubt a value may have been sent. */
const UNACCOUNTED: Outcome = {
	outcome: 'unknown',
	failure: { kind: 'held', message: 'It is not known whether this was sent' },
};
