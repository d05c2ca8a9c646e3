import { get, map } from 'lodash';
import { findReportedError } from '../../core/apiError';
import { isBlank } from '../../core/plainText';
import { UUID } from '../../core/schemas';
import {
	toRejected,
	toUnknown,
	type Accepted,
	type Failed,
	type Outcome,
} from '../../bulk/outcomes';

/** Returns the outcome of each sent conversation. The response of POST /conversations is not documented. */
export function readOutcomes(accepted: Accepted, sent: readonly unknown[]): readonly Outcome[] {
	const { reply, request } = accepted;
	const overall = findReportedError(reply);
	const list = [reply, get(reply, 'conversations'), get(reply, 'data')].find(Array.isArray);
	const numbers = map(sent, 'conversation.toPhoneNumber');
	const hasOtherOrder = map(list, 'toPhoneNumber').some(
		(number, i) => typeof number === 'string' && number !== numbers[i] && numbers.includes(number),
	);
	if (hasOtherOrder) return sent.map(() => unknownStart(OTHER_ORDER, request));
	if (list?.length === sent.length)
		return list.map((item: unknown) => readItem({ ...accepted, reply: item }, overall?.message));
	if (list) {
		const counts = `The response lists ${list.length} of ${sent.length} conversations`;
		return sent.map(() => unknownStart(counts, request));
	}
	if (overall) return sent.map(() => toRejected(overall.message, request));
	// Without a list, the response belongs to a conversation only if it is the only one.
	return sent.map(() => ({ ...accepted, isPaired: sent.length === 1 }));
}

/** Returns the outcome of an item; unknown if its error contradicts its ID, or the overall error contradicts the item. */
function readItem(item: Accepted, overallError: string | undefined): Outcome {
	const reported = findReportedError(item.reply);
	const accepted = { ...item, isPaired: true };
	const hasId = readConversationId(accepted) !== null;
	if (reported && hasId) return unknownStart(HAS_ID, item.request);
	if (reported) return toRejected(reported.message, item.request);
	if (overallError === undefined) return accepted;
	return unknownStart(`The response says no (${overallError}), but lists this one`, item.request);
}

/** Reads the ID of an accepted conversation; null without an ID, or if the response belongs to several conversations. */
export function readConversationId(outcome: Outcome | undefined): string | null {
	if (outcome?.outcome !== 'accepted' || !outcome.isPaired) return null;
	const { reply } = outcome;
	if (typeof reply === 'string') return UUID.test(reply) ? reply : null;
	const paths = ['id', 'conversationId', 'data.id', 'data.conversationId'];
	const ids = paths.map((path): unknown => get(reply, path));
	return ids.find((id): id is string => typeof id === 'string' && !isBlank(id)) ?? null;
}

const OTHER_ORDER = 'The response lists the conversations in another order';
const HAS_ID = 'The response rejects this conversation, but gives it an ID';

const unknownStart = (message: string, request: number): Failed =>
	toUnknown(`${message}, so this one may have been started. Check in the service`, request);
