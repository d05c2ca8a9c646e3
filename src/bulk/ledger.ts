import { hash } from 'crypto';
import type { Ledger, OperationContext } from '../core/operation';
import type { Outcome } from './outcomes';
import { leftOut } from './outcomes';
import type { Entry, Guard } from './plan';
import { filterPending } from './plan';

/** The record of a request: its round of a loop, and the common outcome of its entries. */
interface RequestRecord {
	readonly round: number;
	readonly outcome?: Outcome | undefined;
}

/** The record of an entry: the number of its request, or its own outcome. */
type EntryRecord = number | Extract<Outcome, { readonly request?: number }>;

const LAST_REQUEST = '#';
const SENT_COUNT = '+';

const requestKey = (number: number): string => `#${number}`;

/** The settings that distinguish the entries of an execution, apart from their identity. */
export interface LedgerSettings<T> {
	/** The operation. */
	readonly scope: string;
	/** The content of an entry, if changed content is sent again. */
	readonly contentOf?: ((content: T) => object) | undefined;
	/** Whether entries of one identity are distinguished, because the user chose to send duplicates. */
	readonly tellsApart: boolean;
	/** Whether a later round of a loop may send to the same person again. */
	readonly perRound: boolean;
}

/**
 * Remembers the sent entries of an execution. Records them before sending, and completes them afterwards.
 * Used by another attempt, a retry of the saved execution, and a later round of a loop.
 */
export function ledgerGuard<T>(
	{ scope, contentOf, tellsApart, perRound }: LedgerSettings<T>,
	{ ledger, account, round }: Pick<OperationContext, 'ledger' | 'account' | 'round'>,
): Guard<T> {
	const keys = new Map<Entry<T>, string>();
	/** The key of the content that was last sent for an identity. */
	const lastKeys = new Map<Entry<T>, string>();
	const isApart = tellsApart || perRound;

	const hashKey = (text: string): string =>
		hash('sha256', `${account}\n${scope}\n${text}`, 'base64url').slice(0, 16);

	/** Builds the key of an entry from its identity, its position among duplicates, its round and its content. */
	function keyFor({ identity, content }: Entry<T>, occurrence: number, ofRound: string): string {
		const number = occurrence > 1 ? `\n${occurrence}` : '';
		const changed = contentOf ? `\n${JSON.stringify(contentOf(content))}` : '';
		return hashKey(`${identity}${number}${ofRound}${changed}`);
	}

	return {
		open: ({ entries }) => {
			const leaveOut = new Map<Entry<T>, Outcome>();
			const counts = new Map<string, number>();
			const hasEarlier = lastRequestNumber(ledger) > 0;
			const pending = new Set(filterPending(entries).map(({ identity }) => identity));
			for (const entry of entries) {
				const before = counts.get(entry.identity) ?? 0;
				const occurrence = tellsApart ? before + 1 : 1;
				counts.set(entry.identity, before + 1);
				// An identity without pending entries, e.g. because of a new mark, may have been sent before.
				if (entry.outcome && (pending.has(entry.identity) || occurrence <= before)) continue;
				const plain = keyFor(entry, occurrence, '');
				// The first round has the same keys under all settings, because a retry may have others.
				const ofRound = round > 0 ? keyFor(entry, occurrence, `@${round}`) : plain;
				const key = isApart ? ofRound : plain;
				keys.set(entry, key);
				// Keys of one run are unique, so only an earlier attempt can have recorded them.
				if (!hasEarlier) continue;
				if (contentOf) {
					const lastKey = hashKey(`${entry.identity}\n${occurrence}\nlast`);
					lastKeys.set(entry, lastKey);
					// Other content was sent since, and the newest content must be sent last.
					if ((ledger.recall(lastKey) ?? key) !== key) continue;
				}
				const mayRepeat = isApart || entry.outcome !== undefined;
				const sent = [plain, ofRound]
					.flatMap((each) => recallOutcome(ledger, each, round) ?? [])
					.find(({ isEarlierRound }) => !(mayRepeat && isEarlierRound));
				if (sent) leaveOut.set(entry, sent.outcome);
			}
			return { leaveOut };
		},
		before: (batch) => {
			const number = batch[0]?.request ?? 0;
			ledger.record(LAST_REQUEST, Math.max(number, lastRequestNumber(ledger)));
			ledger.record(SENT_COUNT, countSent(ledger) + batch.length);
			ledger.record(requestKey(number), { round } satisfies RequestRecord);
			for (const entry of batch) {
				const lastKey = lastKeys.get(entry);
				if (lastKey !== undefined) ledger.record(lastKey, keys.get(entry));
				ledger.record(keys.get(entry) ?? '', number satisfies EntryRecord);
			}
			return {};
		},
		after: (batch) => {
			const [{ request: number, outcome: first } = {}] = batch;
			if (number === undefined) return;
			const isShared = batch.every(({ outcome }) => outcome === first);
			for (const entry of batch) {
				const key = keys.get(entry) ?? '';
				if (wasNotTaken(entry)) {
					if (ledger.recall(key) !== undefined) ledger.record(SENT_COUNT, countSent(ledger) - 1);
					ledger.record(key, undefined);
				} else if (!isShared) ledger.record(key, entry.outcome);
			}
			const request: RequestRecord = { round, outcome: isShared ? first : undefined };
			ledger.record(requestKey(number), batch.every(wasNotTaken) ? undefined : request);
		},
	};
}

/** Whether the service certainly did not accept an entry, so another run sends it. */
const wasNotTaken = ({ outcome }: Entry<unknown>): boolean =>
	outcome?.outcome === 'rejected' || outcome?.outcome === 'notSent';

function recallNumber(ledger: Ledger, key: string): number {
	const count = ledger.recall(key);
	return typeof count === 'number' ? count : 0;
}

/** The number of the last request of the execution; 0 if there was none. */
export const lastRequestNumber = (ledger: Ledger): number => recallNumber(ledger, LAST_REQUEST);

/** Counts the entries that the execution has sent and that were not rejected. */
export const countSent = (ledger: Ledger): number => recallNumber(ledger, SENT_COUNT);

/** Recalls the outcome of an entry that was sent before, and whether an earlier round sent it. */
function recallOutcome(
	ledger: Ledger,
	key: string,
	round: number,
): { readonly outcome: Outcome; readonly isEarlierRound: boolean } | undefined {
	const record = ledger.recall(key) as EntryRecord | undefined;
	if (record === undefined) return undefined;
	const number = typeof record === 'number' ? record : (record.request ?? 0);
	const request = ledger.recall(requestKey(number)) as RequestRecord | undefined;
	const isEarlierRound = request !== undefined && request.round !== round;
	// An entry whose request was never completed may have been sent.
	const outcome = (typeof record === 'number' ? request?.outcome : request && record) ?? {
		outcome: 'unknown',
		request: number,
		failure: INTERRUPTED,
	};
	return {
		isEarlierRound,
		outcome: isEarlierRound && outcome.outcome !== 'unknown' ? EARLIER_ROUND : outcome,
	};
}

const EARLIER_ROUND = leftOut('Not sent, because this execution sent it in an earlier round');

const INTERRUPTED = {
	kind: 'connection',
	call: 'an earlier attempt of this node',
	sent: 'unknown',
	code: 'INTERRUPTED',
} as const;
