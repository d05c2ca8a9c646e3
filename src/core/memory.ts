import type { Result } from './result';

/** What is known of a key: never seen, sent without a known outcome, or settled as done. */
export type Known = 'new' | 'sent' | 'done';

/**
 * A memory that outlives executions and is written at once. Its calls fail with a text, as when the workflow was never
 * saved; of two that claim a key at the same moment, one is told that it is new.
 */
export interface Memory {
	/** Records keys as sent, and says what was known of each before. */
	claim(keys: readonly string[]): Promise<Result<ReadonlyMap<string, Known>, string>>;
	/** Records keys as done. */
	settle(keys: readonly string[]): Promise<Result<void, string>>;
	/** Forgets keys, of which it is certain that they were not sent. */
	release(keys: readonly string[]): Promise<Result<void, string>>;
}
