import { hash } from 'crypto';
import { groupBy, memoize } from 'lodash';
import type { Ledger, OperationContext } from '../core/operation';
import { toLeftOut, type Outcome } from './outcomes';
import { filterPending, type Entry, type Gate, type Rule } from './plan';

/** The keys of the ledger apart from those of entries. */
const KEYS = { totals: '#', heldBack: '!', stoppedRound: 'stopped' };

/** The counts of an execution: its last request, and the entries that it sent and that were not rejected. */
interface Totals {
	readonly requests: number;
	readonly sent: number;
}

/** Returns the counts of an execution so far, which are 0 before its first request. */
export const recallTotals = (ledger: Ledger): Totals =>
	(ledger[KEYS.totals] as Totals | undefined) ?? { requests: 0, sent: 0 };

/** Returns the people whom the execution must not call, by number or Person ID, as earlier rounds recorded them. */
export const recallHeldBack = (ledger: Ledger): string[] =>
	(ledger[KEYS.heldBack] as string[] | undefined) ?? [];

/** Records the people whom the execution must not call. Replaces the earlier list. */
export function recordHeldBack(ledger: Ledger, people: readonly string[]): void {
	ledger[KEYS.heldBack] = people;
}

/** Records that the current round of a loop was stopped, so later rounds stop as well. An earlier record stays. */
export function recordStoppedRound({ ledger, round }: OperationContext): void {
	ledger[KEYS.stoppedRound] ??= round;
}

/** Deletes the record of this round's stop, because Retry On Fail has repeated the round without a reason to stop. */
export function clearStoppedRound({ ledger, round }: OperationContext): void {
	if (ledger[KEYS.stoppedRound] === round) delete ledger[KEYS.stoppedRound];
}

/** Returns a reason to stop if a recorded round was stopped, because its rows may name people not to call. */
export function findEarlierStop({ ledger }: OperationContext): string | undefined {
	const stopped = ledger[KEYS.stoppedRound];
	if (stopped === undefined) return undefined;
	return `round ${Number(stopped) + 1} of this execution was stopped. Correct its rows and run the workflow again`;
}

/** The record of a sent entry. Entries with one outcome share it, because there may be 100,000. */
interface SentRecord {
	/** The round of a loop. */
	readonly round: number;
	readonly request: number;
	/** Undefined if the request was never completed. */
	readonly outcome?: Outcome | undefined;
}

/** The sent entries of an execution. As a gate, it records each request and leaves nothing out. */
interface SentLedger<T> extends Gate<T> {
	/** Leaves out entries that the execution sent before, with their outcomes. */
	readonly recall: Rule<T>;
}

/** Opens the ledger of an execution, which later tries, loop rounds and retries of the saved execution read. */
export function openLedger<T>(
	operation: string,
	{ ledger, account, round }: Pick<OperationContext, 'ledger' | 'account' | 'round'>,
): SentLedger<T> {
	const hasEarlierRequest = recallTotals(ledger).requests > 0;

	/** Builds the key of an entry: a hash of its account, operation and identity, cut to 96 bits. */
	const toKey = ({ identity }: Entry<T>): string =>
		hash('sha256', [account, operation, identity].join('\n'), 'base64url').slice(0, 16);

	/** Returns the outcome of an entry that this execution sent before; undefined if the entry keeps its present one. */
	function recallOutcome(entry: Entry<T>): Outcome | undefined {
		const earlier = ledger[toKey(entry)] as SentRecord | undefined;
		// An entry that another rule has left out keeps that outcome, unless this round has sent it.
		if (!earlier || (entry.outcome && earlier.round !== round)) return undefined;
		const { request, outcome = toInterrupted(request) } = earlier;
		// An earlier round has reported its outcome. Only 'unknown' is reported again, because the user must check it.
		return earlier.round !== round && outcome.outcome !== 'unknown' ? EARLIER_ROUND : outcome;
	}

	return {
		recall: ({ entries }) => {
			if (!hasEarlierRequest) return {};
			const leaveOut = new Map<Entry<T>, Outcome>();
			for (const duplicates of Object.values(groupBy(entries, 'identity'))) {
				// Of duplicates, which share one key, only the pending one is checked, or the first if all are left out.
				const entry = filterPending(duplicates)[0] ?? duplicates[0];
				const outcome = entry && recallOutcome(entry);
				if (outcome) leaveOut.set(entry, outcome);
			}
			return { leaveOut };
		},
		claim: async (batch) => {
			const request = batch[0]?.request ?? 0; // A batch is never empty.
			const { requests, sent } = recallTotals(ledger);
			// Entries count as sent before their request, because an interrupted one may have arrived.
			const totals: Totals = { requests: Math.max(requests, request), sent: sent + batch.length };
			ledger[KEYS.totals] = totals;
			const record: SentRecord = { round, request };
			for (const entry of batch) ledger[toKey(entry)] = record;
			return { leaveOut: new Map(), deadlineMs: Infinity }; // Other gates have a deadline.
		},
		settle: (batch) => {
			const { requests, sent } = recallTotals(ledger);
			const request = batch[0]?.request ?? 0;
			// Entries with the same outcome object share one record, because there may be 100,000 entries.
			const toRecord = memoize((outcome: Outcome): SentRecord => ({ round, request, outcome }));
			let unsentCount = 0;
			for (const entry of batch) {
				const { outcome } = entry;
				const countsAsSent = outcome?.outcome === 'accepted' || outcome?.outcome === 'unknown';
				if (!countsAsSent) unsentCount += 1;
				// Without a record, the entry may be sent again.
				ledger[toKey(entry)] = countsAsSent ? toRecord(outcome) : undefined;
			}
			ledger[KEYS.totals] = { requests, sent: sent - unsentCount } satisfies Totals;
		},
		close: async () => [], // The ledger stays open for later tries and rounds.
	};
}

const EARLIER_ROUND = toLeftOut('sentEarlier', 'Sent in an earlier round of this execution');

/** Builds the outcome of an entry whose request was never completed, so it may have been sent. */
const toInterrupted = (request: number): Outcome => ({
	outcome: 'unknown',
	code: 'unknown',
	request,
	failure: {
		kind: 'connection',
		call: 'an earlier attempt of this node',
		sent: 'unknown',
		code: 'INTERRUPTED',
	},
});
