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
	/** Whether a later round of a loop may send to the same person again. */
	readonly perRound?: boolean;
}

/**
 * Remembers the sent entries of an execution. Records them before sending, and completes them afterwards.
 * Another attempt, a retry of the saved execution, and later rounds of a loop read these records.
 */
export function ledgerGuard<T>(
	{ scope, resendsChanged, distinguishesDuplicates, perRound = false }: LedgerSettings,
	{ ledger, account, round }: Pick<OperationContext, 'ledger' | 'account' | 'round'>,
): Guard<T> {
	/** The positions of entries among those of one identity, from 1, if the user chose to send duplicates. */
	const repetitions = new Map<Entry<T>, number>();
	/** The keys of the entries whose request is in progress. */
	const keys = new Map<Entry<T>, string>();
	const isFirstRun = recallTotals(ledger).requests === 0;

	/** The key of an entry: its identity and a detail, which is its content if changed content is sent again. */
	function toKey(
		entry: Entry<T>,
		detail = resendsChanged ? JSON.stringify(entry.content) : '',
	): string {
		const parts = [account, scope, entry.identity, repetitions.get(entry) ?? 1, detail];
		return hash('sha256', parts.join('\n'), 'base64url').slice(0, 16);
	}

	/** Finds the outcome of an entry that this execution sent before; undefined if it must be sent. */
	function recallOutcome(entry: Entry<T>): Outcome | undefined {
		const key = toKey(entry);
		const earlier = ledger[key] as SentRecord | undefined;
		// If other content was sent since, this one is sent again, so it is the last.
		const isLast = !resendsChanged || (ledger[toKey(entry, LAST)] ?? key) === key;
		// A later round may send it again, e.g. as a further attempt.
		const mayRepeat = distinguishesDuplicates || perRound || entry.outcome !== undefined;
		if (!earlier || !isLast || (mayRepeat && earlier.round !== round)) return undefined;
		// An entry whose request was never completed may have been sent.
		const { request, outcome = { outcome: 'unknown', request, failure: INTERRUPTED } } = earlier;
		// An earlier round has reported its outcome. An unknown one is repeated, because the user must check it.
		return earlier.round !== round && outcome.outcome !== 'unknown' ? EARLIER_ROUND : outcome;
	}

	return {
		open: ({ entries }) => {
			// A first run has nothing to recall.
			if (isFirstRun && !distinguishesDuplicates) return {};
			const leaveOut = new Map<Entry<T>, Outcome>();
			for (const same of Object.values(groupBy(entries, 'identity'))) {
				const pending = filterPending(same);
				// An identity without pending entries, e.g. because of a new mark, may have been sent before.
				const candidates = pending.length > 0 ? pending : same;
				for (const [i, entry] of candidates.entries()) {
					if (distinguishesDuplicates) repetitions.set(entry, i + 1);
					const outcome = distinguishesDuplicates || i === 0 ? recallOutcome(entry) : undefined;
					if (outcome) leaveOut.set(entry, outcome);
				}
				if (!resendsChanged) continue;
				// A row before the newest sent row is outdated.
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
				if (resendsChanged && !isFirstRun) ledger[toKey(entry, LAST)] = key;
				keys.set(entry, key);
				ledger[key] = record;
			}
			return {};
		},
		after: (batch) => {
			const { requests, sent } = recallTotals(ledger);
			const toRecord = memoize((outcome: Outcome, request: number): SentRecord => ({
				round,
				request,
				outcome,
			}));
			let undone = 0;
			for (const entry of batch) {
				const { outcome, request = 0 } = entry;
				const key = keys.get(entry);
				keys.delete(entry);
				// An entry has no key if the run was stopped before it was recorded.
				if (key === undefined) continue;
				const mayBeTaken = outcome?.outcome === 'accepted' || outcome?.outcome === 'unknown';
				if (!mayBeTaken) undone += 1;
				ledger[key] = mayBeTaken ? toRecord(outcome, request) : undefined;
			}
			ledger[TOTALS] = { requests, sent: sent - undone } satisfies Totals;
		},
	};
}

/** The counts of an execution: its last request, and the entries that it sent and that were not rejected. */
interface Totals {
	readonly requests: number;
	readonly sent: number;
}

const TOTALS = '#';
/** Distinguishes the key of the content that was last sent for an identity. */
const LAST = 'last';

/** Recalls how many requests and entries the execution has sent. Rejected entries do not count. */
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
