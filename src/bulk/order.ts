import type { Problem } from '../core/failures';
import type { Row } from '../core/operation';
import type { Bulk } from './bulk';
import type { Taken } from './gather';
import type { Duplicates } from './holds';
import type { Accepted } from './outcomes';

/** Whether accepted values come out one by one, or those of a request together. */
export type OutputAs = 'rows' | 'requests';

/** How rows are to be sent, and how a run is to treat rows that are invalid or the same; most rows share their terms. */
export interface Terms<T> {
	/** Rows of one group share requests, which are made by the terms of the first of them. */
	readonly group: string;
	readonly invalidRows: 'stop' | 'sendValid';
	readonly duplicates: Duplicates;
	readonly dryRun: boolean;
	readonly outputAs: OutputAs;
	readonly bulk: () => Bulk<T>;
	/** The most values that may be sent in a run. */
	readonly most?: number;
}

/** What one input row wants to send, and on which terms. */
export interface Order<T> {
	readonly values: readonly T[];
	readonly terms: Terms<T>;
	/** Why the values of this row must not be sent. */
	readonly barred?: string | undefined;
}

/** An input row that was checked: its order, or its problems. */
export type Checked<T> = Order<T> | { readonly problems: readonly Problem[] };

/** How accepted values come out: one of them as an item, or all that a request carried. */
export interface Show<T, Item, RequestItem> {
	readonly one: (value: T, accepted: Accepted) => Item;
	readonly all: (taken: ReadonlyArray<Taken<T>>, batch: number) => RequestItem;
}

/** How an operation sends in bulk. */
export interface Dispatch<T, Item = unknown, RequestItem = unknown> {
	/** Checks one input row. */
	readonly read: (row: Row) => Checked<T>;
	readonly show: Show<T, Item, RequestItem>;
	/** What makes two values the same, and the parameter that holds it with its name in a sentence. */
	readonly identity: {
		readonly of: (value: T) => string;
		readonly field: string;
		readonly name: string;
	};
	/** Says why nothing is sent where the values of a run are more than the terms allow. */
	readonly tooMany?: (count: number, most: number) => string;
}
