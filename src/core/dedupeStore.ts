import type { Result } from './result';

/** The names of a store under its lock; each call fails once another process has taken the lock over. */
export interface StoredNames {
	/** Records names and returns those that were there before: n8n's store cannot be asked without a write. */
	record(names: readonly string[]): Promise<ReadonlySet<string>>;
	remove(names: readonly string[]): Promise<void>;
	/** Removes the oldest names until `count` are left. */
	trim(count: number): Promise<void>;
}

/** A store of short names that outlives executions. It fails with a text, e.g. in a workflow that is not saved. */
export interface DedupeStore {
	/** Counts the names. */
	size(): Promise<Result<number, string>>;
	/** Does work alone among all executions and processes. A failure undoes no earlier write. */
	alone<T>(work: (names: StoredNames) => Promise<T>): Promise<Result<T, string>>;
}

/** Why a store cannot be used in a workflow that was never saved. */
export const NOT_SAVED = 'the workflow is not saved';
