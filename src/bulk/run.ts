import type { HeldError } from '../core/failures';
import type { Desk, Row, Run } from '../core/operation';
import type { SentRow } from './account';
import { account } from './account';
import type { Tally } from './bulk';
import { checkRows, reasonToHold } from './check';
import type { Sorted } from './check';
import { deliver } from './deliver';
import { dryRun, showPlanned } from './dryRun';
import type { DryItem, DryRequestItem, Planned } from './dryRun';
import { lastBatch } from './ledger';
import type { Dispatch, Terms } from './order';
import type { Outcome } from './outcomes';

/** What comes out of a bulk operation: items of rows, items of requests, or what a dry run says of them. */
export type BulkItem<Item, RequestItem> = Item | RequestItem | DryItem | DryRequestItem;

/** Checks all rows, then sends those that may go, and accounts for every one. */
export const inBulk =
	<T, Item, RequestItem>(dispatch: Dispatch<T, Item, RequestItem>) =>
	async (rows: Iterable<Row>, desk: Desk): Promise<Run<BulkItem<Item, RequestItem>>> => {
		const sorted = checkRows(rows, dispatch);
		const reason = reasonToHold(sorted, dispatch);
		return reason === undefined
			? await send(sorted, dispatch, desk)
			: account(
					outcomesOf(sorted, () => heldBack(reason)),
					0,
					dispatch.show,
				);
	};

/** The rows with the outcomes of their values, which are asked for in their order. */
function* outcomesOf<T>(
	{ checked }: Sorted<T>,
	outcomeOf: (value: T, group: string) => Outcome,
): Generator<SentRow<T>, void, undefined> {
	for (const row of checked) {
		if ('problems' in row) {
			yield row;
			continue;
		}
		const { values, terms } = row;
		const outcomes = values.map((value) => outcomeOf(value, terms.group));
		yield { values, outputAs: terms.outputAs, outcomes };
	}
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

async function send<T, Item, RequestItem>(
	sorted: Sorted<T>,
	dispatch: Dispatch<T, Item, RequestItem>,
	desk: Desk,
): Promise<Run<BulkItem<Item, RequestItem>>> {
	const batches = lastBatch(desk.ledger);
	const tally: Tally = { requests: 0, batches, isFirst: batches === 0, seen: new Map() };
	const planned = new Map<T, Planned>();
	// A group tells the outcomes of its values in their order, which is that of the rows.
	const told = new Map<string, Iterator<Outcome | undefined>>();
	for (const [group, { terms, values }] of groupsOf(sorted)) {
		const bulk = terms.bulk();
		if (terms.dryRun) {
			for (const [value, plan] of dryRun(values, bulk, tally)) planned.set(value, plan);
		} else {
			const outcomes = await deliver(values, bulk, { desk, tally });
			told.set(group, outcomes.values());
		}
	}
	const rows = outcomesOf(sorted, (value, group) => {
		const reason = sorted.held.get(value);
		if (reason !== undefined) return skipped(reason);
		const plan = planned.get(value);
		return plan ? inBooks(plan.batch) : (told.get(group)?.next().value ?? UNACCOUNTED);
	});
	const run = account(rows, tally.requests, showPlanned(planned, dispatch.show));
	return planned.size === 0 ? run : { ...run, summary: summarizeDry(planned) };
}

/** The values of one group that go, and the terms of its first row. */
interface Group<T> {
	readonly terms: Terms<T>;
	readonly values: T[];
}

function groupsOf<T>({ checked, held }: Sorted<T>): ReadonlyMap<string, Group<T>> {
	const groups = new Map<string, Group<T>>();
	for (const row of checked) {
		if ('problems' in row) continue;
		const { terms, values } = row;
		const group = groups.get(terms.group) ?? { terms, values: [] };
		for (const value of values) if (!held.has(value)) group.values.push(value);
		groups.set(terms.group, group);
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
