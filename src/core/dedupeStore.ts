import type { Result } from './result';

/** The texts of a store under its lock. Each call fails once another process has taken the lock over. */
export interface StoredTexts {
	/** Records texts and returns those that were there before. n8n's store has no other way to read. */
	record(texts: readonly string[]): Promise<ReadonlySet<string>>;
	remove(texts: readonly string[]): Promise<void>;
}

/** A set of short texts that outlives executions. Fails with a reason. */
export interface DedupeStore {
	/** Whether the workflow is saved. Otherwise n8n keeps no texts, and nothing may be recorded. */
	readonly isSaved: boolean;
	/** Counts the texts. */
	size(): Promise<Result<number, string>>;
	/** Does work alone among all executions and processes. A failure undoes no earlier write. */
	alone<T>(work: (stored: StoredTexts) => Promise<T>): Promise<Result<T, string>>;
}
