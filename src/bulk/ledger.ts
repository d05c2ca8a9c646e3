import { hash } from 'crypto';
import { groupBy, memoize } from 'lodash';
import type { Ledger, OperationContext } from '../core/operation';
import { toLeftOut, type Outcome } from './outcomes';
import { filterPending, type Entry, type Gate, type Rule } from './plan';

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
	/** Whether entries of one identity are distinguished, because the user chose to send duplicates. */
	readonly distinguishesDuplicates?: boolean;
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
	{ scope, distinguishesDuplicates = false, perRound = false }: LedgerSettings,
	{ ledger, account, round }: Pick<OperationContext, 'ledger' | 'account' | 'round'>,
): SentLedger<T> {
	/** The positions of entries among those of one identity, from 1, if the user chose to send duplicates. */
	const repetitions = new Map<Entry<T>, number>();
	const hasSentBefore = recallTotals(ledger).requests > 0;

	/** Builds the key of an entry from its identity and its position among those of one identity. */
	function toKey(entry: Entry<T>): string {
		const parts = [account, scope, entry.identity, repetitions.get(entry) ?? 1];
		return hash('sha256', parts.join('\n'), 'base64url').slice(0, 16); // 96 bits.
	}

	/** Recalls the outcome of an entry that this execution sent before; undefined if no record decides it. */
	function recallOutcome(entry: Entry<T>): Outcome | undefined {
		const earlier = ledger[toKey(entry)] as SentRecord | undefined;
		// Only this round counts for wanted duplicates, for attempts of a campaign, and for entries that were left out before. These
		// keep their reason. Retry On Fail repeats a round, a loop begins a new one.
		const isRoundOnly = distinguishesDuplicates || perRound || entry.outcome !== undefined;
		if (!earlier || (isRoundOnly && earlier.round !== round)) return undefined;
		const { request, outcome = toInterrupted(request) } = earlier;
		// An earlier round has reported its outcome. An unknown one is repeated, because the user must check it.
		return earlier.round !== round && outcome.outcome !== 'unknown' ? EARLIER_ROUND : outcome;
	}

	return {
		recall: ({ entries }) => {
			// Without an earlier request there is nothing to recall.
			if (!hasSentBefore && !distinguishesDuplicates) return {};
			const leaveOut = new Map<Entry<T>, Outcome>();
			for (const same of Object.values(groupBy(entries, 'identity'))) {
				const pending = filterPending(same);
				// If all entries are left out, e.g. because of a new mark, one may still have been sent before.
				const candidates = pending.length > 0 ? pending : same;
				for (const [i, entry] of candidates.entries()) {
					if (distinguishesDuplicates) repetitions.set(entry, i + 1);
					// Otherwise only the first can be pending, because the duplicates rule left out the others.
					const outcome = distinguishesDuplicates || i === 0 ? recallOutcome(entry) : undefined;
					if (outcome) leaveOut.set(entry, outcome);
				}
			}
			return { leaveOut };
		},
		claim: async (batch) => {
			const request = batch[0]?.request ?? 0;
			const { requests, sent } = recallTotals(ledger);
			const totals: Totals = { requests: Math.max(requests, request), sent: sent + batch.length };
			ledger[TOTALS] = totals;
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
			ledger[TOTALS] = { requests, sent: sent - unsent } satisfies Totals;
		},
		close: async () => [],
	};
}

/** The counts of an execution: its last request, and the entries that it sent and that were not rejected. */
interface Totals {
	readonly requests: number;
	readonly sent: number;
}

const TOTALS = '#';

/** Recalls the number of the last request, and how many entries the execution sent. Rejected ones do not count. */
export const recallTotals = (ledger: Ledger): Totals =>
	(ledger[TOTALS] as Totals | undefined) ?? { requests: 0, sent: 0 };

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
