import type { Problem } from '../core/failures';
import type { Outcome } from './outcomes';

/** What a row wants to send, with an outcome where it must not be. */
export interface Entry<T> {
	readonly content: T;
	readonly outcome?: Outcome | undefined;
}

/** What one input row wants to send, or its problems. */
export interface RowPlan<T> {
	readonly entries: ReadonlyArray<Entry<T>>;
	readonly problems?: readonly Problem[] | undefined;
	/** What goes out though the row has problems. */
	readonly urgent?: ReadonlyArray<Entry<T>>;
	/** The fields of an invalid row as they were entered, for a dry run. */
	readonly entered?: Readonly<Record<string, unknown>> | undefined;
}

/** All rows as an operation reads them, and what only all of them can tell. */
export interface RowsRead<T> extends Pick<Findings, 'stop' | 'notes'> {
	readonly rows: ReadonlyArray<RowPlan<T>>;
	/** What is wrong with the run, whatever its rows say. */
	readonly problems?: readonly Problem[];
	/** The columns that each field was read from, where they were chosen for the run. */
	readonly sources?: Sources | undefined;
}

/** The columns that each field was read from, and all columns of the rows. */
export interface Sources {
	readonly fields: Readonly<Record<string, readonly string[]>>;
	readonly columns: ReadonlySet<string>;
}

/** One thing to send: the position of its row, who it is for, and its outcome as soon as that is known. */
export interface Value<T> {
	readonly content: T;
	readonly row: number;
	/** Who it is for, and nothing else. */
	readonly identity: string;
	outcome: Outcome | undefined;
	/** The number of the request that it is in. */
	batch?: number;
	/** When it is too late to send it, in ms. */
	deadlineMs?: number;
}

/** A row of a run with its values, or its problems. */
export interface PlannedRow<T> {
	readonly values: ReadonlyArray<Value<T>>;
	problems?: readonly Problem[] | undefined;
	readonly entered?: Readonly<Record<string, unknown>> | undefined;
}

/** A run about which everything is known except what the service will say. */
export interface Plan<T> {
	readonly rows: ReadonlyArray<PlannedRow<T>>;
	/** The values of the rows that have no problems, and what goes out in spite of them. */
	values: ReadonlyArray<Value<T>>;
	/** The first reason to send nothing, as it follows "Not sent, because". */
	stop: string | undefined;
	/** What the user has to know. */
	readonly notes: string[];
	/** What belongs to the item for the whole run. */
	readonly facts: Record<string, unknown>;
	readonly sources?: Sources | undefined;
}

/** What a guard found in the rows of a run: a reason to send nothing, and what to tell. */
export interface Findings {
	readonly stop?: string | undefined;
	readonly notes?: readonly string[];
	/** What belongs to the item for the whole run. */
	readonly facts?: Readonly<Record<string, unknown>>;
}

/**
 * A safeguard of a run. It leaves a value out by giving it an outcome. `open`, `after` and `close` run in the order of the
 * list, `before` in reverse, so what is nearest to the wire is asked last.
 */
export interface Guard<T> {
	/** All rows are read, nothing is sent: whom to leave out, why to send nothing at all, what to tell. */
	open?(plan: Plan<T>): Promise<Findings> | Findings;
	/** A request is about to leave: whom to leave out of it. */
	before?(batch: ReadonlyArray<Value<T>>): Promise<void> | void;
	/** A request has ended; every value of it has its outcome. */
	after?(batch: ReadonlyArray<Value<T>>): Promise<void> | void;
	/** Nothing more is sent: what is left to write down, and to tell. */
	close?(plan: Plan<T>): Promise<Findings> | Findings;
}

/** The values that have no outcome yet. */
export const pendingOf = <T>(values: ReadonlyArray<Value<T>>): Array<Value<T>> =>
	values.filter(({ outcome }) => outcome === undefined);

/** Makes a plan of the rows that were read. */
export function planRows<T>(
	{ rows: found, problems = [], stop, notes = [], sources }: RowsRead<T>,
	identityOf: (content: T) => string,
): Plan<T> {
	const planned = found.map((each, row): PlannedRow<T> => {
		if (problems.length > 0) return { values: [], problems };
		const { entries, urgent = [], entered, problems: own } = each;
		const values = (own ? urgent : entries).map(({ content, outcome }): Value<T> => ({
			content,
			row,
			identity: identityOf(content),
			outcome,
		}));
		return { values, problems: own, entered };
	});
	const values = planned.flatMap((row) => row.values);
	return { rows: planned, values, stop, notes: [...notes], facts: {}, sources };
}
