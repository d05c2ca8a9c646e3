import get from 'lodash/get';
import { saysNo } from '../../core/apiError';
import { isRecord } from '../../core/json';
import { UUID } from '../../core/schemas';
import type { Accepted, Failed, Outcome } from '../../bulk/outcomes';
import { unknown } from '../../bulk/outcomes';

/** Judges each conversation of a request, by its number, in the response that is not shown (interface: POST /conversations). */
export function judgeResponse(
	accepted: Accepted,
	numbers: ReadonlyArray<string | undefined>,
): readonly Outcome[] {
	const { reply, request } = accepted;
	const repeat = (outcome: Outcome): Outcome[] => numbers.map(() => outcome);
	const no = saysNo(reply);
	const list = findList(reply);
	if (!list)
		return repeat(
			no ? rejected(no.message, request) : { ...accepted, isPaired: numbers.length === 1 },
		);
	const lists = `The response lists ${list.length} of ${numbers.length} conversations`;
	if (list.length !== numbers.length) return repeat(unknownStart(lists, request));
	const mixed = 'The response lists the conversations in another order';
	if (isMixedUp(list, numbers)) return repeat(unknownStart(mixed, request));
	return list.map((item) => judgeItem({ ...accepted, reply: item }, no?.message));
}

/** Whether an item of a list has the phone number of another conversation of the request. */
const isMixedUp = (list: readonly unknown[], numbers: ReadonlyArray<string | undefined>): boolean =>
	list.some((item, place) => {
		const number: unknown = get(item, 'toPhoneNumber');
		return typeof number === 'string' && number !== numbers[place] && numbers.includes(number);
	});

/** Judges an item of a list. In a negative response, only an ID proves that it was accepted. */
function judgeItem(item: Accepted, wholeNo: string | undefined): Outcome {
	const no = saysNo(item.reply);
	if (no) return rejected(no.message, item.request);
	return wholeNo === undefined || readConversationId(item.reply) !== null
		? { ...item, isPaired: true }
		: unknownStart(
				`The response says no (${wholeNo}), and nothing about this conversation`,
				item.request,
			);
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

const ITEM = { kind: 'api', call: 'an item of the response', status: 200, issues: [] } as const;

const rejected = (message: string, request: number): Failed => ({
	outcome: 'rejected',
	request,
	failure: { ...ITEM, message },
});

const unknownStart = (message: string, request: number): Failed =>
	unknown(`${message}, so it is unknown whether this one was started`, request);
