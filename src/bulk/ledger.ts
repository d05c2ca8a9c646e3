import { hash } from 'crypto';
import type { Failure } from '../core/failures';
import type { Ledger } from '../core/operation';
import type { Outcome } from './outcomes';

/** What the ledger keeps of a batch: 'sent' until its outcome is known, then what all its values have in common. */
type BatchEntry =
	| 'sent'
	| { readonly outcome: 'accepted'; readonly reply?: unknown }
	| { readonly outcome: 'unknown'; readonly failure: Failure };

/** What it keeps of a value: the number of its batch, and the reply where the value had one of its own. */
type ValueEntry = number | { readonly batch: number; readonly reply?: unknown };

/** Under this key stands the number of the last batch. */
const LAST = '#';

const batchKey = (batch: number): string => `#${batch}`;

/**
 * The key of a value, from its content (as JSON text) and its occurrence among equal ones, so that another chunk size or another
 * order of the rest changes nothing. `seen` counts the occurrences of a run of several groups. Keys are short, because n8n
 * saves each of them with the execution.
 */
export function ledgerKey(operation: string, text: string, seen: Map<string, number>): string {
	const digest = hash('sha256', `${operation}\n${text}`, 'base64url').slice(0, 16);
	const occurrence = (seen.get(digest) ?? 0) + 1;
	seen.set(digest, occurrence);
	return occurrence === 1 ? digest : `${digest}:${occurrence}`;
}

/** The number of the last batch of earlier attempts: numbers go on, because values are known by that of their batch. */
export function lastBatch(ledger: Ledger): number {
	const last = ledger.recall(LAST);
	return typeof last === 'number' ? last : 0;
}

/** The outcome of an earlier execution of the node in this run, where sending again could do harm. */
export function recall(ledger: Ledger, key: string): Outcome | undefined {
	const value = ledger.recall(key) as ValueEntry | undefined;
	if (value === undefined) return undefined;
	if (typeof value === 'object')
		return { outcome: 'accepted', batch: value.batch, reply: value.reply, paired: true };
	const known = ledger.recall(batchKey(value)) as BatchEntry | undefined;
	// A value without its batch may have been sent, too.
	if (known === undefined || known === 'sent') return interrupted(value);
	return known.outcome === 'accepted'
		? { outcome: 'accepted', batch: value, reply: known.reply, paired: false }
		: { outcome: 'unknown', batch: value, failure: known.failure };
}

const interrupted = (batch: number): Outcome => ({
	outcome: 'unknown',
	batch,
	failure: {
		kind: 'connection',
		call: 'an earlier attempt of this node',
		sent: 'unknown',
		code: 'INTERRUPTED',
		message: 'it was interrupted before the reply came',
	},
});

/** Marks the values of a batch as sent, before they are. */
export function markSent(ledger: Ledger, keys: readonly string[], batch: number): void {
	ledger.record(LAST, batch);
	ledger.record(batchKey(batch), 'sent' satisfies BatchEntry);
	for (const key of keys) ledger.record(key, batch satisfies ValueEntry);
}

/** Settles a batch by the outcome of all its values; one that was rejected or not sent is forgotten. */
export function settle(
	ledger: Ledger,
	keys: readonly string[],
	batch: number,
	outcome: Outcome,
): void {
	switch (outcome.outcome) {
		case 'accepted': {
			const { reply } = outcome;
			return ledger.record(batchKey(batch), { outcome: 'accepted', reply } satisfies BatchEntry);
		}
		case 'unknown': {
			const { failure } = outcome;
			return ledger.record(batchKey(batch), { outcome: 'unknown', failure } satisfies BatchEntry);
		}
		default:
			return forget(ledger, keys, batch);
	}
}

/** Settles a batch that was accepted with a reply for each of its values. */
export function settleEach(
	ledger: Ledger,
	keys: readonly string[],
	batch: number,
	replies: readonly unknown[],
): void {
	for (const [i, key] of keys.entries())
		ledger.record(key, { batch, reply: replies[i] } satisfies ValueEntry);
	ledger.record(batchKey(batch), undefined);
}

/** Forgets a batch of which nothing was taken, so that its values go again when the node is run again. */
function forget(ledger: Ledger, keys: readonly string[], batch: number): void {
	for (const key of keys) ledger.record(key, undefined);
	ledger.record(batchKey(batch), undefined);
}
