import { get, map } from 'lodash';
import { findReportedError } from '../../core/apiError';
import { UUID } from '../../core/schemas';
import {
	toRejected,
	toUnknown,
	type Accepted,
	type Failed,
	type Outcome,
} from '../../bulk/outcomes';

/** Returns the outcome of each conversation. The service does not document the response of POST /conversations. */
export function readOutcomes(accepted: Accepted, sent: readonly unknown[]): readonly Outcome[] {
	const { reply, request } = accepted;
	const reported = findReportedError(reply);
	const list = [reply, get(reply, 'conversations'), get(reply, 'data')].find(Array.isArray);
	const numbers = map(sent, 'conversation.toPhoneNumber');
	const isMixedUp = map(list, 'toPhoneNumber').some(
		(number, i) => typeof number === 'string' && number !== numbers[i] && numbers.includes(number),
	);
	// An item with the number of another row means another order.
	if (isMixedUp) return sent.map(() => unknownStart(OTHER_ORDER, request));
	if (list?.length === sent.length)
		return list.map((item: unknown) => readItem({ ...accepted, reply: item }, reported?.message));
	if (list) {
		const counts = `The response lists ${list.length} of ${sent.length} conversations`;
		return sent.map(() => unknownStart(counts, request));
	}
	if (reported) return sent.map(() => toRejected(reported.message, request));
	// Without a list, the response belongs to a conversation only if it is the only one.
	return sent.map(() => ({ ...accepted, isPaired: sent.length === 1 }));
}

/** Returns the outcome of an item. If the response reports an error, only an ID proves that it was accepted. */
function readItem(item: Accepted, listError: string | undefined): Outcome {
	const reported = findReportedError(item.reply);
	const taken = { ...item, isPaired: true }; // Its response is its own.
	if (reported && readConversationId(taken) !== null) return unknownStart(HAS_ID, item.request);
	if (reported) return toRejected(reported.message, item.request);
	if (listError === undefined || readConversationId(taken) !== null) return taken;
	const nothing = `The response says no (${listError}), and nothing about this conversation`;
	return unknownStart(nothing, item.request);
}

/** Reads the ID of an accepted conversation; null if the response has no ID, or belongs to several (not paired). */
export function readConversationId(outcome: Outcome | undefined): string | null {
	if (outcome?.outcome !== 'accepted' || !outcome.isPaired) return null;
	const { reply } = outcome;
	if (typeof reply === 'string') return UUID.test(reply) ? reply : null;
	const paths = ['id', 'conversationId', 'data.id', 'data.conversationId'];
	return (
		paths.map((path): unknown => get(reply, path)).find((id) => typeof id === 'string') ?? null
	);
}

const OTHER_ORDER = 'The response lists the conversations in another order';
const HAS_ID = 'The response rejects this conversation, but gives it an ID';

const unknownStart = (message: string, request: number): Failed =>
	toUnknown(`${message}, so this one may have been started. Check in the service`, request);
