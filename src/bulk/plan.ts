import type { Problem } from '../core/failures';
import type { Outcome } from './outcomes';

/** The content that is sent for one row, and its outcome. Only `applyFindings` and `sendAll` set the outcome. */
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

/** One input row as an operation reads it: what to send, or its problems. */
export interface RowRead<T> {
	/** Undefined if the row is invalid, or was not read because the run stops. */
	readonly content?: T | undefined;
	readonly problems?: readonly Problem[] | undefined;
	/** The reason in the item of a row that is sent in part: "Only the mark is sent". */
	readonly reason?: string | undefined;
	/** The fields of an invalid row as the user entered them. */
	readonly entered?: Readonly<Record<string, unknown>> | undefined;
}

/** All rows as an operation reads them. */
export interface RowsRead<T> extends Pick<Findings<T>, 'stop' | 'notes'> {
	readonly rows: ReadonlyArray<RowRead<T>>;
}

/** A row of a run: its entry, or its problems. */
export interface PlannedRow<T> extends Omit<RowRead<T>, 'content'> {
	readonly entry?: Entry<T> | undefined;
}

/** A run before sending: all is decided except the responses of the service. */
export interface Plan<T> {
	readonly rows: ReadonlyArray<PlannedRow<T>>;
	/** The entries of all rows that have one. */
	readonly entries: ReadonlyArray<Entry<T>>;
	/** The first reason to send nothing. */
	readonly stop: string | undefined;
	readonly notes: readonly string[];
	/** Fields that rules add to each item of a dry run. */
	readonly facts: Readonly<Record<string, unknown>>;
}

/** The findings of a rule, which changes nothing itself. */
export interface Findings<T> {
	/** The entries that are not sent, each with its outcome. */
	readonly leaveOut?: ReadonlyMap<Entry<T>, Outcome>;
	/** A reason to send nothing, to follow "Not sent, because". */
	readonly stop?: string | undefined;
	readonly notes?: readonly string[];
	readonly facts?: Readonly<Record<string, unknown>>;
}

/** Decides from the rows alone which entries are left out, or that the run stops. */
export type Rule<T> = (plan: Plan<T>) => Findings<T>;

/** Records a request before it leaves, and its outcomes afterwards. */
export interface Gate<T> {
	/** Claims the entries of a request, or leaves them out. The request must leave before the deadline (ms). */
	claim(batch: ReadonlyArray<Entry<T>>): Promise<{
		readonly leaveOut: ReadonlyMap<Entry<T>, Outcome>;
		readonly deadlineMs: number;
	}>;
	/** Records the outcomes of a request. Its entries without an outcome are sent again in smaller requests. */
	settle(batch: ReadonlyArray<Entry<T>>): void;
	/** Ends the run, and returns notes for its hint. */
	close(): Promise<readonly string[]>;
}

/** The entries that have no outcome yet. */
export const filterPending = <T>(entries: ReadonlyArray<Entry<T>>): Array<Entry<T>> =>
	entries.filter(({ outcome }) => outcome === undefined);

/** Makes a plan of the rows, with an entry for each row that has something to send. */
export function planRows<T>(
	{ rows: rowsRead, stop, notes = [] }: RowsRead<T>,
	identityOf: (content: T) => string,
): Plan<T> {
	const rows = rowsRead.map(({ content, ...read }, row): PlannedRow<T> => {
		if (content === undefined) return read;
		return { ...read, entry: { row, identity: identityOf(content), content } };
	});
	return { rows, entries: rows.flatMap(({ entry }) => entry ?? []), stop, notes, facts: {} };
}

/** Adds findings to a plan, which keeps its first reason to stop. Also sets the outcomes of left-out entries. */
export function applyFindings<T>(plan: Plan<T>, findings: Findings<T>): Plan<T> {
	for (const [entry, outcome] of findings.leaveOut ?? []) entry.outcome = outcome;
	return {
		...plan,
		stop: plan.stop ?? findings.stop,
		notes: [...plan.notes, ...(findings.notes ?? [])],
		facts: { ...plan.facts, ...findings.facts },
	};
}
