import type { HeldError } from '../core/failures';
import type { Desk, Row, Run } from '../core/operation';
import type { SentRow } from './account';
import { account } from './account';
import type { Tally } from './bulk';
import { checkRows, findHeld, reasonToHold } from './check';
import type { Sorted } from './check';
import { deliver } from './deliver';
import { dryRun, showPlanned } from './dryRun';
import type { DryItem, DryRequestItem, Planned } from './dryRun';
import { lastBatch } from './ledger';
import type { Checked, Dispatch } from './order';
import type { Outcome } from './outcomes';

/** What comes out of a bulk operation: items of rows, items of requests, or what a dry run says of them. */
export type BulkItem<Item, RequestItem> = Item | RequestItem | DryItem | DryRequestItem;

/** Checks all rows, then sends those that may go, and accounts for every one. */
export const inBulk =
	<Input, T, Item, RequestItem>(dispatch: Dispatch<Input, T, Item, RequestItem>) =>
	async (rows: readonly Row[], desk: Desk): Promise<Run<BulkItem<Item, RequestItem>>> => {
		const { held, checked } = findHeld(checkRows(rows, dispatch), dispatch);
		const reason = reasonToHold(checked, dispatch, held);
		return reason === undefined
			? await send({ checked, held }, dispatch, desk)
			: account(
					checked.map((row) => outcomesOf(row, () => heldBack(reason))),
					0,
					dispatch.show,
				);
	};

/** A row with the outcomes of its values, which are asked for in their order. */
function outcomesOf<Input, T>(
	row: Checked<Input, T>,
	outcomeOf: (value: T, group: string) => Outcome,
): SentRow<T> {
	if ('problems' in row) return row;
	const { values, outputAs, group } = row.order;
	return { values, outputAs, outcomes: values.map((value) => outcomeOf(value, group)) };
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

async function send<Input, T, Item, RequestItem>(
	sorted: Sorted<Input, T>,
	dispatch: Dispatch<Input, T, Item, RequestItem>,
	desk: Desk,
): Promise<Run<BulkItem<Item, RequestItem>>> {
	const tally: Tally = { requests: 0, batches: lastBatch(desk.ledger), seen: new Map() };
	const planned = new Map<T, Planned>();
	// A group tells the outcomes of its values in their order, which is that of the rows.
	const told = new Map<string, Iterator<Outcome | undefined>>();
	for (const [group, { first, dry, values }] of groupsOf(sorted)) {
		const bulk = dispatch.bulk(first);
		if (dry) {
			for (const [value, plan] of dryRun(values, bulk, tally)) planned.set(value, plan);
		} else {
			const outcomes = await deliver(values, bulk, { desk, tally });
			told.set(group, outcomes.values());
		}
	}
	const rows = sorted.checked.map((row) =>
		outcomesOf(row, (value, group) => {
			const reason = sorted.held.get(value);
			if (reason !== undefined) return skipped(reason);
			const plan = planned.get(value);
			return plan ? inBooks(plan.batch) : (told.get(group)?.next().value ?? UNACCOUNTED);
		}),
	);
	const run = account(rows, tally.requests, showPlanned(planned, dispatch.show));
	return planned.size === 0 ? run : { ...run, summary: summarizeDry(planned) };
}

/** The rows of one group, with the values of them that go. */
interface Group<Input, T> {
	readonly first: Input;
	readonly dry: boolean;
	readonly values: T[];
}

function groupsOf<Input, T>({
	checked,
	held,
}: Sorted<Input, T>): ReadonlyMap<string, Group<Input, T>> {
	const groups = new Map<string, Group<Input, T>>();
	for (const row of checked) {
		if ('problems' in row) continue;
		const { group: name, dryRun: dry, values } = row.order;
		const group = groups.get(name) ?? { first: row.input, dry, values: [] };
		for (const value of values) if (!held.has(value)) group.values.push(value);
		groups.set(name, group);
	}
	return groups;
}

/** A value of a dry run goes through the books like an accepted one; its item says that nothing was sent. */
const inBooks = (batch: number): Outcome => ({
	outcome: 'accepted',
	batch,
	reply: undefined,
	paired: false,
});

/** In doubt a value may have been sent. */
const UNACCOUNTED: Outcome = {
	outcome: 'unknown',
	failure: { kind: 'held', message: 'It is not known whether this was sent' },
};

function summarizeDry(planned: ReadonlyMap<unknown, Planned>): string {
	const requests = new Set([...planned.values()].map(({ batch }) => batch)).size;
	return `Dry run, nothing was sent: ${planned.size} would go in ${requests} ${requests === 1 ? 'request' : 'requests'}`;
}
