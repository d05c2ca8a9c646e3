import { hash } from 'crypto';
import type { Failure } from '../core/failures';
import type { Ledger, OperationContext } from '../core/operation';
import type { RunPlan } from './check';
import type { BulkOperation, SendSettings } from './operation';
import type { Outcome } from './outcomes';

/** What the ledger keeps of a batch: its round of a loop, and what all its values have in common, once that is known. */
interface BatchEntry {
	readonly round: number;
	readonly outcome: 'sent' | 'accepted' | 'unknown';
	readonly reply?: unknown;
	readonly failure?: Failure;
}

/** What it keeps of a value: the number of its batch, and the reply where the value had one of its own. */
type ValueEntry = number | { readonly batch: number; readonly reply?: unknown };

/** Under these keys stand the number of the last batch, and how many values were sent and not forgotten. */
const LAST = '#';
const SENT = '+';

const batchKey = (batch: number): string => `#${batch}`;

/** The key of the value at a position; its body as JSON is made again where it is not at hand. */
export type KeyOf = (index: number, json?: string) => string;

/**
 * The keys of values in the ledger, by their positions: who they are for, within one workspace of one address, and an occurrence only where
 * duplicates are sent by choice. Content counts only where a changed value goes again.
 */
export function ledgerKeys<T, Settings extends SendSettings>(
	values: readonly T[],
	operation: Pick<
		BulkOperation<T, Settings, unknown, unknown>,
		'attempts' | 'identity' | 'ledgerScope' | 'resendsChanged' | 'toBody'
	>,
	settings: Settings,
	{ account, round }: Pick<OperationContext, 'account' | 'round'>,
): KeyOf {
	const scope = `${account}\n${operation.ledgerScope(settings)}`;
	const resendsChanged = operation.resendsChanged?.(settings) === true;
	const occurrences =
		settings.duplicates === 'sendAll' ? occurrencesOf(values, operation.identity.of) : undefined;
	// A further attempt may be made in a later round of a loop, but not in another try of the same one.
	const isRepeated = operation.attempts?.(settings) !== undefined;
	return (index, json) => {
		const value = values[index] as T;
		const identity = operation.identity.of(value);
		const whose = occurrences
			? `${identity}\n${occurrences[index]}@${round}`
			: isRepeated
				? `${identity}\n@${round}`
				: identity;
		const content = resendsChanged
			? `\n${json ?? JSON.stringify(operation.toBody(value, settings))}`
			: '';
		return hash('sha256', `${scope}\n${whose}${content}`, 'base64url').slice(0, 16);
	};
}

function occurrencesOf<T>(values: readonly T[], identityOf: (value: T) => string): number[] {
	const counts = new Map<string, number>();
	return values.map((value) => {
		const occurrence = (counts.get(identityOf(value)) ?? 0) + 1;
		counts.set(identityOf(value), occurrence);
		return occurrence;
	});
}

/** The number of the last batch of earlier attempts: numbers go on, because values are known by that of their batch. */
export function lastBatch(ledger: Ledger): number {
	const last = ledger.recall(LAST);
	return typeof last === 'number' ? last : 0;
}

/** How many values the execution has sent that were not rejected. */
export function sentEarlier(ledger: Ledger): number {
	const sent = ledger.recall(SENT);
	return typeof sent === 'number' ? sent : 0;
}

/**
 * Notes the outcomes of values that the execution has sent already: in another attempt, or in another round of a loop. Returns
 * their positions.
 */
export function recallSent(
	{ outcomes }: Pick<RunPlan<unknown>, 'outcomes'>,
	keyOf: KeyOf,
	{ ledger, round }: Pick<OperationContext, 'ledger' | 'round'>,
): readonly number[] {
	// Keys of a run are all different, so only those of an earlier attempt can be known.
	if (lastBatch(ledger) === 0) return [];
	const open = [...outcomes.keys()].filter((index) => outcomes[index] === undefined);
	for (const index of open) outcomes[index] = recall(ledger, keyOf(index), round);
	return open.filter((index) => outcomes[index] !== undefined);
}

/** The outcome of a value that was sent before, where sending it again could do harm. */
export function recall(ledger: Ledger, key: string, round: number): Outcome | undefined {
	const value = ledger.recall(key) as ValueEntry | undefined;
	if (value === undefined) return undefined;
	const batch = typeof value === 'object' ? value.batch : value;
	const known = ledger.recall(batchKey(batch)) as BatchEntry | undefined;
	if (known && known.round !== round) return EARLIER_ROUND;
	if (typeof value === 'object')
		return { outcome: 'accepted', batch, reply: value.reply, paired: true };
	// A value without its batch may have been sent, too.
	if (known?.outcome === 'accepted')
		return { outcome: 'accepted', batch, reply: known.reply, paired: false };
	return known?.failure
		? { outcome: 'unknown', batch, failure: known.failure }
		: interrupted(batch);
}

const EARLIER_ROUND: Outcome = {
	outcome: 'notSent',
	failure: {
		kind: 'skipped',
		message: 'Not sent, because this execution sent it in an earlier round',
	},
};

const interrupted = (batch: number): Outcome => ({
	outcome: 'unknown',
	batch,
	failure: {
		kind: 'connection',
		call: 'an earlier attempt of this node',
		sent: 'unknown',
		code: 'INTERRUPTED',
		message: 'it was interrupted before the response came',
	},
});

/** A batch as the ledger writes it down. */
export interface LedgerBatch {
	readonly number: number;
	readonly keys: readonly string[];
}

/** Marks the values of a batch as sent, before they are. */
export function markSent(ledger: Ledger, { number, keys }: LedgerBatch, round: number): void {
	ledger.record(LAST, number);
	ledger.record(SENT, sentEarlier(ledger) + keys.length);
	ledger.record(batchKey(number), { round, outcome: 'sent' } satisfies BatchEntry);
	for (const key of keys) ledger.record(key, number satisfies ValueEntry);
}

/** Settles a batch by the outcome of all its values; one that was rejected or not sent is forgotten. */
export function settle(
	ledger: Ledger,
	batch: LedgerBatch,
	{ outcome, round }: { readonly outcome: Outcome; readonly round: number },
): void {
	if (outcome.outcome === 'accepted') {
		const { reply } = outcome;
		ledger.record(batchKey(batch.number), {
			round,
			outcome: 'accepted',
			reply,
		} satisfies BatchEntry);
	} else if (outcome.outcome === 'unknown') {
		const { failure } = outcome;
		ledger.record(batchKey(batch.number), {
			round,
			outcome: 'unknown',
			failure,
		} satisfies BatchEntry);
	} else {
		forget(ledger, batch.keys);
		ledger.record(batchKey(batch.number), undefined);
	}
}

/** Settles a batch that was accepted with a reply for each of its values. */
export function settleEach(
	ledger: Ledger,
	{ number, keys }: LedgerBatch,
	{ replies, round }: { readonly replies: readonly unknown[]; readonly round: number },
): void {
	for (const [i, key] of keys.entries())
		ledger.record(key, { batch: number, reply: replies[i] } satisfies ValueEntry);
	ledger.record(batchKey(number), { round, outcome: 'accepted' } satisfies BatchEntry);
}

/** Forgets values that the service did not take, so a second run of the node sends them again. */
export function forget(ledger: Ledger, keys: readonly string[]): void {
	for (const key of keys) ledger.record(key, undefined);
	ledger.record(SENT, sentEarlier(ledger) - keys.length);
}
