import get from 'lodash/get';
import { saysNo } from '../../core/apiError';
import { isRecord } from '../../core/json';
import { UUID } from '../../core/schemas';
import type { EntryVerdict } from '../../bulk/outcomes';

/** Judges each conversation of a request, by its number, in the response that is not shown (interface: POST /conversations). */
export function judgeResponse(
	body: unknown,
	numbers: ReadonlyArray<string | undefined>,
): readonly EntryVerdict[] {
	const count = numbers.length;
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
	if (isMixedUp(list, numbers))
		return repeat(count, unknownStart('The response lists the conversations in another order'));
	return list.map((item) => judgeItem(item, no?.message));
}

/** Whether an item of a list has the phone number of another conversation of the request. */
const isMixedUp = (list: readonly unknown[], numbers: ReadonlyArray<string | undefined>): boolean =>
	list.some((item, place) => {
		const number: unknown = get(item, 'toPhoneNumber');
		return typeof number === 'string' && number !== numbers[place] && numbers.includes(number);
	});

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
