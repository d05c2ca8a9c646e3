import { hash } from 'crypto';
import type { Ledger, OperationContext } from '../core/operation';
import type { Outcome } from './outcomes';
import { leftOut } from './outcomes';
import type { Guard, Value } from './plan';
import { pendingOf } from './plan';

/** What the ledger keeps of a request: its round of a loop, and its outcome once that is known, where all its values have it. */
interface SentRequest {
	readonly round: number;
	readonly outcome?: Outcome | undefined;
}

/** What it keeps of a value: the number of its request, or an outcome of its own. */
type SentValue = number | Extract<Outcome, { readonly batch?: number }>;

/** Under these keys stand the number of the last request, and how many values were sent and not forgotten. */
const LAST = '#';
const SENT = '+';

const requestKey = (number: number): string => `#${number}`;

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
export function ledgerGuard<T>(
	{ scope, contentOf, tellsApart, perRound }: LedgerSettings<T>,
	{ ledger, account, round }: LedgerContext,
): Guard<T> {
	const keys = new Map<Value<T>, string>();
	/** Where it stands which content of an identity an execution sent last, once it has sent several. */
	const lastKeys = new Map<Value<T>, string>();
	const isApart = tellsApart || perRound;

	/** The key of a value: who it is for, within one workspace of one address; `occurrence` counts those of one identity from 1. */
	function keyOf({ identity, content }: Value<T>, occurrence: number, ofRound: string): string {
		const others = occurrence > 1 ? `\n${occurrence}` : '';
		const changed = contentOf ? `\n${JSON.stringify(contentOf(content))}` : '';
		return keyFor(`${identity}${others}${ofRound}${changed}`);
	}

	const keyFor = (text: string): string =>
		hash('sha256', `${account}\n${scope}\n${text}`, 'base64url').slice(0, 16);

	return {
		open: ({ values }) => {
			const counts = new Map<string, number>();
			const hasEarlier = countIn(ledger, LAST) > 0;
			const pending = new Set(pendingOf(values).map(({ identity }) => identity));
			for (const value of values) {
				const before = counts.get(value.identity) ?? 0;
				const occurrence = tellsApart ? before + 1 : 1;
				counts.set(value.identity, before + 1);
				// Who is left out altogether now, e.g. by a mark that came since, may have been sent before.
				if (value.outcome && (pending.has(value.identity) || occurrence <= before)) continue;
				const plain = keyOf(value, occurrence, '');
				// The first round has the same keys whatever the settings, as a retry may have others.
				const ofRound = round > 0 ? keyOf(value, occurrence, `@${round}`) : plain;
				const own = isApart ? ofRound : plain;
				keys.set(value, own);
				// Keys of a run are all different, so only those of an earlier attempt can be known.
				if (!hasEarlier) continue;
				if (contentOf) {
					const lastKey = keyFor(`${value.identity}\n${occurrence}\nlast`);
					lastKeys.set(value, lastKey);
					// It was sent, and then another content: what is newest must be there in the end.
					if ((ledger.recall(lastKey) ?? own) !== own) continue;
				}
				const isOpen = isApart || value.outcome !== undefined;
				const known = [plain, ofRound].flatMap((key) => recall(ledger, key, round) ?? []);
				const sent = known.find(({ isEarlier }) => !(isOpen && isEarlier));
				value.outcome = sent?.outcome ?? value.outcome;
			}
			return {};
		},
		before: (batch) => {
			const number = countIn(ledger, LAST) + 1;
			ledger.record(LAST, number);
			ledger.record(SENT, sentEarlier(ledger) + batch.length);
			ledger.record(requestKey(number), { round } satisfies SentRequest);
			for (const value of batch) {
				value.batch = number;
				const lastKey = lastKeys.get(value);
				if (lastKey !== undefined) ledger.record(lastKey, keys.get(value));
				ledger.record(keys.get(value) ?? '', number satisfies SentValue);
			}
		},
		after: (batch) => {
			const [{ batch: number, outcome: first } = {}] = batch;
			if (number === undefined) return;
			// What the service did not take is forgotten, so another run sends it.
			const isForgotten = ({ outcome }: Value<T>): boolean =>
				outcome?.outcome === 'rejected' || outcome?.outcome === 'notSent';
			const isCommon = batch.every(({ outcome }) => outcome === first);
			for (const value of batch) {
				const key = keys.get(value) ?? '';
				if (isForgotten(value)) {
					if (ledger.recall(key) !== undefined) ledger.record(SENT, sentEarlier(ledger) - 1);
					ledger.record(key, undefined);
				} else if (!isCommon) ledger.record(key, value.outcome);
			}
			const request: SentRequest = { round, outcome: isCommon ? first : undefined };
			ledger.record(requestKey(number), batch.every(isForgotten) ? undefined : request);
		},
	};
}

function countIn(ledger: Ledger, key: string): number {
	const count = ledger.recall(key);
	return typeof count === 'number' ? count : 0;
}

/** How many values the execution has sent that were not rejected. */
export const sentEarlier = (ledger: Ledger): number => countIn(ledger, SENT);

/** The outcome of a value that was sent before, and whether that was in an earlier round. */
function recall(
	ledger: Ledger,
	key: string,
	round: number,
): { readonly outcome: Outcome; readonly isEarlier: boolean } | undefined {
	const value = ledger.recall(key) as SentValue | undefined;
	if (value === undefined) return undefined;
	const number = typeof value === 'number' ? value : (value.batch ?? 0);
	const request = ledger.recall(requestKey(number)) as SentRequest | undefined;
	const isEarlier = request !== undefined && request.round !== round;
	// A value without its request may have been sent, too.
	const outcome = (typeof value === 'number' ? request?.outcome : request && value) ?? {
		outcome: 'unknown',
		batch: number,
		failure: INTERRUPTED,
	};
	return {
		isEarlier,
		outcome: isEarlier && outcome.outcome !== 'unknown' ? EARLIER_ROUND : outcome,
	};
}

const EARLIER_ROUND = leftOut('Not sent, because this execution sent it in an earlier round');

const INTERRUPTED = {
	kind: 'connection',
	call: 'an earlier attempt of this node',
	sent: 'unknown',
	code: 'INTERRUPTED',
} as const;
