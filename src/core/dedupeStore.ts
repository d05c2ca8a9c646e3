import type { Result } from './result';

/** What to change in the store: entries to add and to remove, or everything in place of what is there. */
export interface StoreChange {
	readonly add?: readonly string[];
	readonly remove?: readonly string[];
	/** Removes all entries before others are added. */
	readonly clear?: boolean;
}

/** Tests which of some entries are in the store, and decides on a change by what is there. */
export interface Exchange {
	readonly tests: readonly string[];
	/** How many entries the store has where none of the tested ones can be there, so they need no test. */
	readonly sizeWithout?: () => number;
	readonly decide: (present: ReadonlySet<string>, size: number) => StoreChange;
}

/**
 * A store of short texts that outlives executions and is written at once. Its calls fail with a text, as when the workflow was
 * never saved. An exchange is done as a whole, whatever other executions, also of other processes, do at the same moment.
 */
export interface DedupeStore {
	/** How many entries there are. */
	size(): Promise<Result<number, string>>;
	exchange(exchange: Exchange): Promise<Result<void, string>>;
}

/** Max people in a store. */
export const MAX_PEOPLE = 100_000;
