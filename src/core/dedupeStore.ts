import type { Result } from './result';

/** The names in a store, for work that has them alone; each call fails where another process has taken over meanwhile. */
export interface StoredNames {
	/** Writes names down, and says which of them were there before: n8n's store can be asked in no other way. */
	record(names: readonly string[]): Promise<ReadonlySet<string>>;
	remove(names: readonly string[]): Promise<void>;
	/** Removes the oldest names until so many are left. */
	trim(count: number): Promise<void>;
}

/** A store of short names that outlives executions and is written at once. Its calls fail with a text, as in a workflow that is not saved. */
export interface DedupeStore {
	/** How many names there are. */
	size(): Promise<Result<number, string>>;
	/** Does work alone among all executions, also of other processes. A failure in the middle leaves what was written until then. */
	alone<T>(work: (names: StoredNames) => Promise<T>): Promise<Result<T, string>>;
}

/** Why a store cannot be used where the workflow was never saved. */
export const NOT_SAVED = 'the workflow is not saved';
