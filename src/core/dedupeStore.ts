import type { Result } from './result';

/** What to change in the store: entries to add, and entries to remove. */
export interface StoreChange {
	readonly add: readonly string[];
	readonly remove: readonly string[];
}

/**
 * A store of short texts that outlives executions and is written at once. Its calls fail with a text, as when the workflow was
 * never saved; an exchange is done as a whole, whatever other executions, also of other processes, do at the same moment.
 */
export interface DedupeStore {
	/** How many entries there are. */
	size(): Promise<Result<number, string>>;
	/** Looks which of some entries are there, and changes the store by what it finds. */
	exchange(
		tests: readonly string[],
		change: (present: ReadonlySet<string>) => StoreChange,
	): Promise<Result<void, string>>;
	/** Removes all entries, if there are as many as expected; says whether it did. */
	clear(expected: number): Promise<Result<boolean, string>>;
}

/** The most entries that a store keeps; n8n drops the oldest above it. */
export const MAX_ENTRIES = 100_000;
