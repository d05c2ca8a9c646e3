import type { Desk } from '../core/operation';
import type { Request } from '../core/request';
import type { ChunkSize } from './chunks';
import type { Outcome } from './outcomes';

/** A kind of bulk request: its name, how large it may be, how many at once, and how it is made of values. */
export interface Bulk<T> {
	readonly operation: string;
	readonly size: ChunkSize;
	readonly parallel: number;
	readonly request: (values: readonly T[]) => Request;
	/** The member of the body that lists the values. */
	readonly list: string;
	/** Splits the reply to a request into one for each of its values, where they can be told apart. */
	readonly replies?: (reply: unknown, count: number) => readonly unknown[] | undefined;
	/** Whether a refused request may be sent again in parts, to find the values that are to blame. */
	readonly isolate: boolean;
	/** Ms to wait before each request but the first. */
	readonly pause: number;
	/** What the memory across executions knows a value by, where one is kept. */
	readonly memoryKey?: (value: T) => string;
}

/** What all groups of a run share: how many requests were sent, and how often each value occurred. */
export interface Tally {
	requests: number;
	/** The number of the last batch, also of earlier attempts; one that was stopped before it was sent is no request. */
	batches: number;
	/** Whether the ledger knew of no earlier attempt. */
	readonly isFirst: boolean;
	readonly seen: Map<string, number>;
}

/** A value on its way: its position, its key in the ledger, and how many bytes it has. */
export interface Parcel<T> {
	readonly index: number;
	readonly key: string;
	readonly value: T;
	readonly bytes: number;
}

/** What the batches of a delivery share. */
export interface Sender<T> {
	readonly bulk: Bulk<T>;
	readonly desk: Desk;
	readonly tally: Tally;
	readonly outcomes: Outcome[];
	/** The most values a request may hold, as 413 replies have taught. */
	most: number;
}
