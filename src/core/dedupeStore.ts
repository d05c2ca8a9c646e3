import type { Result } from './result';

/** The texts of a store under its lock. Each call fails once another process has taken the lock over. */
export interface StoredTexts {
	/** Records texts and returns those that were there before. n8n's store has no other way to read. */
	record(texts: readonly string[]): Promise<ReadonlySet<string>>;
	remove(texts: readonly string[]): Promise<void>;
	/** Removes the oldest texts until `count` are left. */
	trim(count: number): Promise<void>;
}

/** A set of short texts that outlives executions. Fails with a reason, e.g. in a workflow that is not saved. */
export interface DedupeStore {
	/** Counts the texts. */
	size(): Promise<Result<number, string>>;
	/** Does work alone among all executions and processes. A failure undoes no earlier write. */
	alone<T>(work: (stored: StoredTexts) => Promise<T>): Promise<Result<T, string>>;
}

/** Why a store cannot be used in a workflow that was never saved. */
export const NOT_SAVED = 'the workflow is not saved';
