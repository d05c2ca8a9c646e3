import { hash } from 'crypto';
import { groupBy, memoize } from 'lodash';
import type { Ledger, OperationContext } from '../core/operation';
import { toLeftOut, type Outcome } from './outcomes';
import { filterPending, type Entry, type Guard } from './plan';

/** The record of a sent entry. Entries with one outcome share it, because there may be 100,000. */
interface SentRecord {
	/** The round of a loop. */
	readonly round: number;
	readonly request: number;
	/** Undefined if the request was never completed. */
	readonly outcome?: Outcome | undefined;
}

/** The settings that distinguish the entries of an execution, apart from their identity. */
export interface LedgerSettings {
	/** The operation. */
	readonly scope: string;
	/** Whether changed content of an identity is sent again. */
	readonly resendsChanged?: boolean;
	/** Whether entries of one identity are distinguished, because the user chose to send duplicates. */
	readonly distinguishesDuplicates: boolean;
	/** Whether a later round of a loop may send to a person again, as a further attempt of a campaign. */
	readonly perRound?: boolean;
}

/**
 * Remembers the sent entries of an execution in its ledger. Records them before sending, and adds their outcomes afterwards.
 * Another try of the node, a retry of the saved execution, and later rounds of a loop read these records.
 */
export function ledgerGuard<T>(
	{ scope, resendsChanged, distinguishesDuplicates, perRound = false }: LedgerSettings,
	{ ledger, account, round }: Pick<OperationContext, 'ledger' | 'account' | 'round'>,
): Guard<T> {
	/** The positions of entries among those of one identity, from 1, if the user chose to send duplicates. */
	const repetitions = new Map<Entry<T>, number>();
	/** The keys of the entries whose request is in progress. */
	const keys = new Map<Entry<T>, string>();
	const hasSentBefore = recallTotals(ledger).requests > 0;

	/** Builds the key of an entry from its identity, its repetition, and a detail: its content if changed content is sent again. */
	function toKey(
		entry: Entry<T>,
		detail = resendsChanged ? JSON.stringify(entry.content) : '',
	): string {
		const parts = [account, scope, entry.identity, repetitions.get(entry) ?? 1, detail];
		return hash('sha256', parts.join('\n'), 'base64url').slice(0, 16); // 96 bits.
	}

	/** Recalls the outcome of an entry that this execution sent before; undefined if no record decides it. */
	function recallOutcome(entry: Entry<T>): Outcome | undefined {
		const key = toKey(entry);
		const earlier = ledger[key] as SentRecord | undefined;
		// `LAST` records the key that was sent last. If other content was sent since, this one is sent again.
		const isLast = !resendsChanged || (ledger[toKey(entry, LAST)] ?? key) === key;
		// Only this round counts for wanted duplicates, for attempts of a campaign, and for entries that were left out before. These
		// keep their reason. Retry On Fail repeats a round, a loop begins a new one.
		const isRoundOnly = distinguishesDuplicates || perRound || entry.outcome !== undefined;
		if (!earlier || !isLast || (isRoundOnly && earlier.round !== round)) return undefined;
		// An entry whose request was never completed may have been sent.
		const { request, outcome = { outcome: 'unknown', request, failure: INTERRUPTED } } = earlier;
		// An earlier round has reported its outcome. An unknown one is repeated, because the user must check it.
		return earlier.round !== round && outcome.outcome !== 'unknown' ? EARLIER_ROUND : outcome;
	}

	return {
		open: ({ entries }) => {
			// Without an earlier request there is nothing to recall.
			if (!hasSentBefore && !distinguishesDuplicates) return {};
			const leaveOut = new Map<Entry<T>, Outcome>();
			for (const same of Object.values(groupBy(entries, 'identity'))) {
				const pending = filterPending(same);
				// If all entries are left out, e.g. because of a new mark, one may still have been sent before.
				const candidates = pending.length > 0 ? pending : same;
				for (const [i, entry] of candidates.entries()) {
					if (distinguishesDuplicates) repetitions.set(entry, i + 1);
					// Otherwise only the first can be pending, because the duplicates guard left out the others.
					const outcome = distinguishesDuplicates || i === 0 ? recallOutcome(entry) : undefined;
					if (outcome) leaveOut.set(entry, outcome);
				}
				if (!resendsChanged) continue;
				// With duplicates, a later row was sent already, so an earlier one that changed would overwrite it.
				const newest = candidates.findLastIndex((entry) => leaveOut.has(entry));
				for (const entry of candidates.slice(0, Math.max(0, newest)))
					if (!leaveOut.has(entry)) leaveOut.set(entry, OLDER);
			}
			return { leaveOut };
		},
		before: (batch) => {
			const request = batch[0]?.request ?? 0;
			const { requests, sent } = recallTotals(ledger);
			ledger[TOTALS] = {
				requests: Math.max(requests, request),
				sent: sent + batch.length,
			} satisfies Totals;
			const record: SentRecord = { round, request };
			for (const entry of batch) {
				const key = toKey(entry);
				// Without earlier requests there is one content per identity, so `LAST` is not needed.
				if (resendsChanged && hasSentBefore) ledger[toKey(entry, LAST)] = key;
				keys.set(entry, key);
				ledger[key] = record;
			}
			return {};
		},
		after: (batch) => {
			const { requests, sent } = recallTotals(ledger);
			// Entries with the same outcome object share one record.
			const toRecord = memoize((outcome: Outcome, request: number): SentRecord => ({
				round,
				request,
				outcome,
			}));
			let unsent = 0;
			for (const entry of batch) {
				const { outcome, request = 0 } = entry;
				const key = keys.get(entry);
				keys.delete(entry);
				// An entry has no key if the run was stopped before it was recorded.
				if (key === undefined) continue;
				const countsAsSent = outcome?.outcome === 'accepted' || outcome?.outcome === 'unknown';
				if (!countsAsSent) unsent += 1;
				// A rejected entry has no record, so it may be sent again.
				ledger[key] = countsAsSent ? toRecord(outcome, request) : undefined;
			}
			ledger[TOTALS] = { requests, sent: sent - unsent } satisfies Totals;
		},
	};
}

/** The counts of an execution: its last request, and the entries that it sent and that were not rejected. */
interface Totals {
	readonly requests: number;
	readonly sent: number;
}

const TOTALS = '#';
/** The detail of the record that contains the key of the content last sent for an identity. */
const LAST = 'last';

/** Recalls the number of the last request of the execution, and how many entries it sent. Rejected ones do not count. */
export const recallTotals = (ledger: Ledger): Totals =>
	(ledger[TOTALS] as Totals | undefined) ?? { requests: 0, sent: 0 };

const EARLIER_ROUND = toLeftOut('Not sent, because this execution sent it in an earlier round');
const OLDER = toLeftOut('Not sent, because a newer row of the same customer was already sent');

const INTERRUPTED = {
	kind: 'connection',
	call: 'an earlier attempt of this node',
	sent: 'unknown',
	code: 'INTERRUPTED',
} as const;
