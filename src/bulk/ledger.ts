import { hash } from 'crypto';
import { groupBy, memoize } from 'lodash';
import { z } from 'zod/v4';
import type { Ledger, OperationContext } from '../core/operation';
import { toLeftOut, type Outcome } from './outcomes';
import { filterPending, type Entry, type Gate, type Rule } from './plan';

/** The keys of the ledger that are no keys of entries. */
const KEYS = { totals: '#', heldBack: '!', stoppedRound: 'stopped' };

/** The counts of an execution: its last request, and the entries that it sent and that were not rejected. */
interface Totals {
	readonly requests: number;
	readonly sent: number;
}

/** Recalls the number of the last request, and how many entries the execution sent. Rejected ones do not count. */
export const recallTotals = (ledger: Ledger): Totals =>
	(ledger[KEYS.totals] as Totals | undefined) ?? { requests: 0, sent: 0 };

/** Recalls the people whom the execution holds back, by number or Person ID. */
export const recallHeldBack = (ledger: Ledger): string[] =>
	z.array(z.string()).catch([]).parse(ledger[KEYS.heldBack]);

/** Records the people whom the execution holds back. */
export function recordHeldBack(ledger: Ledger, people: readonly string[]): void {
	ledger[KEYS.heldBack] = people;
}

/** Records a stopped round of a loop. Returns why later rounds stop: its rows may mark their people. */
export function recordStoppedRound(
	stop: string | undefined,
	{ ledger, round }: Pick<OperationContext, 'ledger' | 'round'>,
): string | undefined {
	if (stop !== undefined) ledger[KEYS.stoppedRound] ??= round;
	// If the stopped round runs again without a reason to stop, later rounds may run.
	else if (ledger[KEYS.stoppedRound] === round) delete ledger[KEYS.stoppedRound];
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

/** The settings that distinguish the entries of an execution, apart from their identity. */
interface LedgerSettings {
	/** The operation. */
	readonly scope: string;
	/** Whether a later round of a loop may send to a person again, as a further attempt of a campaign. */
	readonly perRound?: boolean;
}

/** The sent entries of an execution. As a gate, it records each request and leaves nothing out. */
interface SentLedger<T> extends Gate<T> {
	/** Leaves out entries that the execution sent before, with their outcomes. */
	readonly recall: Rule<T>;
}

/** Opens the ledger of an execution, which later tries, rounds of a loop and retries of the saved execution read. */
export function openLedger<T>(
	{ scope, perRound = false }: LedgerSettings,
	{ ledger, account, round }: Pick<OperationContext, 'ledger' | 'account' | 'round'>,
): SentLedger<T> {
	const hasSentBefore = recallTotals(ledger).requests > 0;

	/** Builds the key of an entry from its identity. */
	const toKey = ({ identity }: Entry<T>): string =>
		hash('sha256', [account, scope, identity].join('\n'), 'base64url').slice(0, 16); // 96 bits.

	/** Recalls the outcome of an entry that this execution sent before; undefined if no record decides it. */
	function recallOutcome(entry: Entry<T>): Outcome | undefined {
		const earlier = ledger[toKey(entry)] as SentRecord | undefined;
		// Only this round counts for attempts of a campaign, and for entries that were left out before. These keep their reason.
		// Retry On Fail repeats a round, a loop begins a new one.
		const isRoundOnly = perRound || entry.outcome !== undefined;
		if (!earlier || (isRoundOnly && earlier.round !== round)) return undefined;
		const { request, outcome = toInterrupted(request) } = earlier;
		// An earlier round has reported its outcome. An unknown one is repeated, because the user must check it.
		return earlier.round !== round && outcome.outcome !== 'unknown' ? EARLIER_ROUND : outcome;
	}

	return {
		recall: ({ entries }) => {
			// Without an earlier request there is nothing to recall.
			if (!hasSentBefore) return {};
			const leaveOut = new Map<Entry<T>, Outcome>();
			for (const same of Object.values(groupBy(entries, 'identity'))) {
				// The duplicates rule keeps one. If all are left out, e.g. because of a new mark, one may still have been sent before.
				const entry = filterPending(same)[0] ?? same[0];
				const outcome = entry && recallOutcome(entry);
				if (outcome) leaveOut.set(entry, outcome);
			}
			return { leaveOut };
		},
		claim: async (batch) => {
			const request = batch[0]?.request ?? 0;
			const { requests, sent } = recallTotals(ledger);
			const totals: Totals = { requests: Math.max(requests, request), sent: sent + batch.length };
			ledger[KEYS.totals] = totals;
			const record: SentRecord = { round, request };
			for (const entry of batch) ledger[toKey(entry)] = record;
			return { leaveOut: new Map(), deadlineMs: Infinity };
		},
		settle: (batch) => {
			const { requests, sent } = recallTotals(ledger);
			const request = batch[0]?.request ?? 0;
			// Entries with the same outcome object share one record.
			const toRecord = memoize((outcome: Outcome): SentRecord => ({ round, request, outcome }));
			let unsent = 0;
			for (const entry of batch) {
				const { outcome } = entry;
				const countsAsSent = outcome?.outcome === 'accepted' || outcome?.outcome === 'unknown';
				if (!countsAsSent) unsent += 1;
				// A rejected entry has no record, so it may be sent again.
				ledger[toKey(entry)] = countsAsSent ? toRecord(outcome) : undefined;
			}
			ledger[KEYS.totals] = { requests, sent: sent - unsent } satisfies Totals;
		},
		close: async () => [],
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
