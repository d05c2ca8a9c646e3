import { hash } from 'crypto';
import type { Failure } from '../core/failures';
import type { Ledger, OperationContext } from '../core/operation';
import type { Outcome } from './outcomes';
import { leftOut } from './outcomes';
import type { Guard, Value } from './plan';
import { pendingOf } from './plan';

/** What the ledger keeps of a request: its round of a loop, and what its values have in common, once that is known. */
interface BatchEntry {
	readonly round: number;
	readonly outcome: 'sent' | 'accepted' | 'unknown';
	readonly reply?: unknown;
	readonly failure?: Failure;
}

/** What it keeps of a value: the number of its request, and what became of it where that is not the same for all. */
type ValueEntry =
	number | { readonly batch: number; readonly reply?: unknown; readonly failure?: Failure };

/** Under these keys stand the number of the last request, and how many values were sent and not forgotten. */
const LAST = '#';
const SENT = '+';

const batchKey = (batch: number): string => `#${batch}`;

/** By what values are known in the ledger of an execution, besides who they are for. */
export interface LedgerSettings<T> {
	/** The operation. */
	readonly scope: string;
	/** The content of a value, where a changed one is sent again. */
	readonly contentOf?: ((content: T) => object) | undefined;
	/** Whether values of one identity are told apart, as duplicates that are sent by choice. */
	readonly tellsApart: boolean;
	/** Whether a later round of a loop may send to the same person again. */
	readonly perRound: boolean;
}

type LedgerContext = Pick<OperationContext, 'ledger' | 'account' | 'round'>;

/**
 * Knows what the execution has sent: marked before sending, settled after. It answers when n8n runs the node again, in another
 * attempt, a retry of the saved execution or a later round of a loop. It also numbers the requests.
 */
export function ledgerGuard<T>(settings: LedgerSettings<T>, context: LedgerContext): Guard<T> {
	const { ledger, round } = context;
	const keys = new Map<Value<T>, string>();
	const isApart = settings.tellsApart || settings.perRound;
	return {
		open: ({ values }) => {
			const occurrences = settings.tellsApart ? occurrencesOf(values) : undefined;
			const hasEarlier = lastBatch(ledger) > 0;
			for (const value of pendingOf(values)) {
				const whole = { settings, context, occurrence: occurrences?.get(value) ?? 1 };
				const plain = keyOf(value, { ...whole, isOfRound: false });
				// The first round has the same keys whatever the settings, as a retry may have others.
				const ofRound = round > 0 ? keyOf(value, { ...whole, isOfRound: true }) : plain;
				keys.set(value, isApart ? ofRound : plain);
				// Keys of a run are all different, so only those of an earlier attempt can be known.
				if (!hasEarlier) continue;
				const known = [plain, ofRound].map((key) => recall(ledger, key, round));
				value.outcome = known.find((each) => each && !(isApart && each === EARLIER_ROUND));
			}
			return {};
		},
		before: (batch) => {
			const number = lastBatch(ledger) + 1;
			ledger.record(LAST, number);
			ledger.record(SENT, sentEarlier(ledger) + batch.length);
			ledger.record(batchKey(number), { round, outcome: 'sent' } satisfies BatchEntry);
			for (const value of batch) {
				value.batch = number;
				ledger.record(keys.get(value) ?? '', number satisfies ValueEntry);
			}
		},
		after: (batch) => {
			settle(context, batch, keys);
		},
	};
}

/** Writes down how the values of a request ended; what the service did not take is forgotten, so another run sends it. */
function settle<T>(
	{ ledger, round }: LedgerContext,
	batch: ReadonlyArray<Value<T>>,
	keys: ReadonlyMap<Value<T>, string>,
): void {
	const [first] = batch;
	const number = first?.batch;
	if (number === undefined) return;
	const common = first?.outcome;
	const isPaired = common?.outcome === 'accepted' && common.paired;
	const isCommon = !isPaired && batch.every(({ outcome }) => outcome === common);
	for (const value of batch) {
		const key = keys.get(value) ?? '';
		const { outcome } = value;
		if (!isKept(outcome)) {
			if (ledger.recall(key) !== undefined) ledger.record(SENT, sentEarlier(ledger) - 1);
			ledger.record(key, undefined);
		} else if (!isCommon) ledger.record(key, { batch: number, ...detailsOf(outcome) });
	}
	const isLeft = batch.some(({ outcome }) => isKept(outcome));
	const entry: BatchEntry = {
		round,
		outcome: common?.outcome === 'unknown' && isCommon ? 'unknown' : 'accepted',
		...(isCommon && detailsOf(common)),
	};
	ledger.record(batchKey(number), isLeft ? entry : undefined);
}

const isKept = (outcome: Outcome | undefined): boolean =>
	outcome?.outcome !== 'rejected' && outcome?.outcome !== 'notSent';

function detailsOf(outcome: Outcome | undefined): Pick<BatchEntry, 'reply' | 'failure'> {
	if (outcome?.outcome === 'accepted') return { reply: outcome.reply };
	return outcome && 'failure' in outcome ? { failure: outcome.failure } : {};
}

interface KeyParts<T> {
	readonly settings: LedgerSettings<T>;
	readonly context: LedgerContext;
	/** Which of several values of one identity it is, from 1. */
	readonly occurrence: number;
	readonly isOfRound: boolean;
}

/** The key of a value: who it is for, within one workspace of one address. */
function keyOf<T>(
	value: Value<T>,
	{ settings: { scope, contentOf }, context, occurrence: number, isOfRound }: KeyParts<T>,
): string {
	const occurrence = number > 1 ? `\n${number}` : '';
	const round = isOfRound ? `@${context.round}` : '';
	const content = contentOf ? `\n${JSON.stringify(contentOf(value.content))}` : '';
	const whole = `${context.account}\n${scope}\n${value.identity}${occurrence}${round}${content}`;
	return hash('sha256', whole, 'base64url').slice(0, 16);
}

/** Which of several values of one identity each is, from 1. */
function occurrencesOf<T>(values: ReadonlyArray<Value<T>>): ReadonlyMap<Value<T>, number> {
	const counts = new Map<string, number>();
	const occurrences = new Map<Value<T>, number>();
	for (const value of values) {
		const occurrence = (counts.get(value.identity) ?? 0) + 1;
		counts.set(value.identity, occurrence);
		occurrences.set(value, occurrence);
	}
	return occurrences;
}

/** The number of the last request of earlier attempts: numbers go on, because values are known by that of their request. */
function lastBatch(ledger: Ledger): number {
	const last = ledger.recall(LAST);
	return typeof last === 'number' ? last : 0;
}

/** How many values the execution has sent that were not rejected. */
export function sentEarlier(ledger: Ledger): number {
	const sent = ledger.recall(SENT);
	return typeof sent === 'number' ? sent : 0;
}

/** The outcome of a value that was sent before, where sending it again could do harm. */
function recall(ledger: Ledger, key: string, round: number): Outcome | undefined {
	const value = ledger.recall(key) as ValueEntry | undefined;
	if (value === undefined) return undefined;
	const own = typeof value === 'object' ? value : { batch: value };
	const { batch } = own;
	const known = ledger.recall(batchKey(batch)) as BatchEntry | undefined;
	if (known && known.round !== round) return EARLIER_ROUND;
	const paired = typeof value === 'object';
	const { reply, failure } = paired ? own : { ...known };
	if (failure) return { outcome: 'unknown', batch, failure };
	// A value without its request may have been sent, too.
	if (known?.outcome !== 'accepted') return interrupted(batch);
	return { outcome: 'accepted', batch, reply, paired };
}

const EARLIER_ROUND = leftOut('Not sent, because this execution sent it in an earlier round');

const interrupted = (batch: number): Outcome => ({
	outcome: 'unknown',
	batch,
	failure: {
		kind: 'connection',
		call: 'an earlier attempt of this node',
		sent: 'unknown',
		code: 'INTERRUPTED',
	},
});
