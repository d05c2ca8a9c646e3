import { createHash } from 'crypto';
import type { Outcome } from './outcomes';
import type { Ledger } from '../core/operation';

/** What the ledger keeps of a value: 'sent' until its outcome is known. */
type Entry =
	| { readonly state: 'sent'; readonly batch: number }
	| { readonly state: 'settled'; readonly outcome: Outcome };

/**
 * A key for each value, from its content (as JSON text) and its occurrence among equal ones, so that another chunk size or another
 * order of the rest changes nothing. `seen` counts the occurrences of a run of several groups.
 */
export function ledgerKeys(
	operation: string,
	texts: readonly string[],
	seen = new Map<string, number>(),
): string[] {
	return texts.map((text) => {
		const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22);
		const key = `${operation}:${digest}`;
		const occurrence = (seen.get(key) ?? 0) + 1;
		seen.set(key, occurrence);
		return `${key}:${occurrence}`;
	});
}

/** The outcome of an earlier execution of the node in this run, where sending again could do harm. */
export function recall(ledger: Ledger, key: string): Outcome | undefined {
	const entry = ledger.recall(key) as Entry | undefined;
	if (entry === undefined) return undefined;
	if (entry.state === 'settled') return entry.outcome;
	const failure = {
		kind: 'connection' as const,
		call: 'an earlier attempt of this node',
		sent: 'unknown' as const,
		code: 'INTERRUPTED',
		message: 'it was interrupted before the reply came',
	};
	return { outcome: 'unknown', batch: entry.batch, failure };
}

/** Marks values as sent, before they are. */
export function markSent(ledger: Ledger, keys: readonly string[], batch: number): void {
	for (const key of keys) ledger.record(key, { state: 'sent', batch } satisfies Entry);
}

/** Settles values: what was rejected or not sent is forgotten, so that it goes again when the node is run again. */
export function settle(ledger: Ledger, keys: readonly string[], outcome: Outcome): void {
	const final = outcome.outcome === 'accepted' || outcome.outcome === 'unknown';
	for (const key of keys)
		ledger.record(key, final ? ({ state: 'settled', outcome } satisfies Entry) : undefined);
}
