import { saysNo } from '../../core/apiError';
import { isRecord } from '../../core/json';
import { UUID } from '../../core/schemas';
import type { EntryVerdict } from '../../bulk/outcomes';

/** Judges each conversation of a request by its response, which the interface does not show (interface: POST /conversations). */
export function judgeResponse(body: unknown, count: number): readonly EntryVerdict[] {
	const no = saysNo(body);
	const list = findList(body);
	if (!list)
		return repeat(
			count,
			no ? rejected(no.message) : { kind: 'accepted', reply: body, isPaired: count === 1 },
		);
	if (list.length !== count)
		return repeat(
			count,
			unknownStart(`The response lists ${list.length} of ${count} conversations`),
		);
	return list.map((item) => judgeItem(item, no?.message));
}

/** Judges an item of a list. In a negative response, only an ID proves that it was accepted. */
function judgeItem(item: unknown, wholeNo: string | undefined): EntryVerdict {
	const no = saysNo(item);
	if (no) return rejected(no.message);
	return wholeNo === undefined || readConversationId(item) !== null
		? { kind: 'accepted', reply: item, isPaired: true }
		: unknownStart(`The response says no (${wholeNo}), and nothing about this conversation`);
}

/** The list of conversations in a response: itself, or its `conversations` or `data`. */
const findList = (body: unknown): readonly unknown[] | undefined =>
	[body, ...(isRecord(body) ? [body['conversations'], body['data']] : [])].find(Array.isArray);

/** The conversation ID in the response of one conversation; null if it has no ID. */
export function readConversationId(reply: unknown): string | null {
	if (typeof reply === 'string') return UUID.test(reply) ? reply : null;
	if (!isRecord(reply)) return null;
	const id = [reply['id'], reply['conversationId']].find((each) => typeof each === 'string');
	return id ?? readConversationId(reply['data']);
}

const rejected = (message: string): EntryVerdict => ({ kind: 'rejected', message });

const unknownStart = (message: string): EntryVerdict => ({
	kind: 'unknown',
	message: `${message}, so it is unknown whether this one was started`,
});

const repeat = (count: number, verdict: EntryVerdict): readonly EntryVerdict[] =>
	Array.from({ length: count }, () => verdict);
