import type { Problem } from '../core/failures';
import type { Outcome } from './outcomes';

/** One content to send, with its row and its outcome. Only `run` and `send` set the outcome. */
export interface Entry<T> {
	/** The position of its row, from 0. */
	readonly row: number;
	/** The key of its person or customer. */
	readonly identity: string;
	readonly content: T;
	outcome?: Outcome | undefined;
	/** The number of its request, from 1. */
	request?: number;
}

/** The contents of one input row, and its problems. */
export interface RowRead<T> {
	/** Contents may exist despite problems, because a customer's mark is always sent. */
	readonly contents: readonly T[];
	readonly problems?: readonly Problem[] | undefined;
	/** The reason in the items of a row that is sent in part: "Only the mark is sent". */
	readonly reason?: string | undefined;
	/** The fields of an invalid row as the user entered them. */
	readonly entered?: Readonly<Record<string, unknown>> | undefined;
}

/** The columns that each field was read from, and all columns of the rows. */
export interface Sources {
	readonly fields: Readonly<Record<string, readonly string[]>>;
	readonly columns: ReadonlySet<string>;
}

/** All rows as an operation reads them. */
export interface RowsRead<T> {
	readonly rows: ReadonlyArray<RowRead<T>>;
	/** The reason why nothing may be sent, to follow "Not sent, because". */
	readonly stop?: string | undefined;
	readonly notes?: readonly string[];
	readonly sources?: Sources | undefined;
}

/** A row of a run: its entries, and its problems. */
export interface PlannedRow<T> extends Omit<RowRead<T>, 'contents'> {
	readonly entries: ReadonlyArray<Entry<T>>;
}

/** A run before sending: all is decided except the responses of the service. */
export interface Plan<T> {
	readonly rows: ReadonlyArray<PlannedRow<T>>;
	readonly entries: ReadonlyArray<Entry<T>>;
	/** The first reason to send nothing. */
	readonly stop: string | undefined;
	readonly notes: readonly string[];
	/** Fields that guards add to the item for the whole run. */
	readonly facts: Readonly<Record<string, unknown>>;
	readonly sources: Sources | undefined;
}

/** The findings of a guard, which changes nothing itself. */
export interface Findings<T> {
	/** The entries that are not sent, each with its outcome. */
	readonly leaveOut?: ReadonlyMap<Entry<T>, Outcome>;
	/** The latest time to send the request, in ms. */
	readonly deadlineMs?: number;
	/** A reason to send nothing, to follow "Not sent, because". */
	readonly stop?: string | undefined;
	readonly notes?: readonly string[];
	readonly facts?: Readonly<Record<string, unknown>>;
}

/** A value, now or later. */
export type Awaitable<T> = T | Promise<T>;

/**
 * Decides which entries are sent. `open`, `after` and `close` run in the order of the list.
 * `before` runs in reverse, so the first guard decides last.
 */
export interface Guard<T> {
	/** Runs when all rows are read and nothing is sent. */
	open?(plan: Plan<T>): Awaitable<Findings<T>>;
	/** Runs when a request is about to leave. */
	before?(batch: ReadonlyArray<Entry<T>>): Awaitable<Findings<T>>;
	/** Runs when a request has ended. Its entries without an outcome are sent again in smaller requests. */
	after?(batch: ReadonlyArray<Entry<T>>): Awaitable<void>;
	/** Runs when nothing more will be sent. */
	close?(plan: Plan<T>): Awaitable<Findings<T>>;
}

/** The entries that have no outcome yet. */
export const filterPending = <T>(entries: ReadonlyArray<Entry<T>>): Array<Entry<T>> =>
	entries.filter(({ outcome }) => outcome === undefined);

/** Makes one entry of each content. */
export function planRows<T>(
	{ rows: rowsRead, stop, notes = [], sources }: RowsRead<T>,
	identityOf: (content: T) => string,
): Plan<T> {
	const rows = rowsRead.map(({ contents, ...read }, row): PlannedRow<T> => ({
		...read,
		entries: contents.map((content) => ({ row, identity: identityOf(content), content })),
	}));
	return { rows, entries: rows.flatMap(({ entries }) => entries), stop, notes, facts: {}, sources };
}
