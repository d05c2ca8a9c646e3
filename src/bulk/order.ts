import type { z } from 'zod/v4';
import type { Problem } from '../core/failures';
import type { Bulk } from './bulk';
import type { Taken } from './gather';
import type { Duplicates } from './holds';
import type { Accepted } from './outcomes';

/** Whether accepted values come out one by one, or those of a request together. */
export type OutputAs = 'rows' | 'requests';

/** What one input row wants to send, and how its run is to treat rows that are invalid or the same. */
export interface Order<T> {
	readonly values: readonly T[];
	/** Orders of one group share requests. */
	readonly group: string;
	readonly invalidRows: 'stop' | 'sendValid';
	readonly duplicates: Duplicates;
	readonly dryRun: boolean;
	readonly outputAs: OutputAs;
	/** Why the values of this row must not be sent. */
	readonly barred?: string | undefined;
}

/** How accepted values come out: one of them as an item, or all that a request carried. */
export interface Show<T, Item, RequestItem> {
	readonly one: (value: T, accepted: Accepted) => Item;
	readonly all: (taken: ReadonlyArray<Taken<T>>, batch: number) => RequestItem;
}

/** How an operation sends in bulk. */
export interface Dispatch<Input, T, Item = unknown, RequestItem = unknown> {
	readonly input: z.ZodType<Input>;
	readonly order: (input: Input) => Order<T>;
	/** The bulk request of a group, from its first row. */
	readonly bulk: (first: Input) => Bulk<T>;
	readonly show: Show<T, Item, RequestItem>;
	/** What makes two values the same, and the parameter that holds it with its name in a sentence. */
	readonly identity: {
		readonly of: (value: T) => string;
		readonly field: string;
		readonly name: string;
	};
	/** Says why nothing may be sent, where the values of a run are too many. */
	readonly guard?: (inputs: readonly Input[], count: number) => string | undefined;
}

/** An input row that was checked: its order, or its problems. */
export type Checked<Input, T> =
	{ readonly input: Input; readonly order: Order<T> } | { readonly problems: readonly Problem[] };
