import { UUID } from '../core/schemas';
import type { PlannedConversation } from './createInput';

/** The text in a member of an object: without a schema, because there is one for every row. */
function textIn(value: unknown, name: string): string | undefined {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
	const member: unknown = Reflect.get(value, name);
	return typeof member === 'string' ? member : undefined;
}

const idIn = (value: unknown): string | undefined =>
	textIn(value, 'id') ?? textIn(value, 'conversationId');

/**
 * Splits the response to a request of conversations. The interface does not show it: a list of that length, or an object with
 * exactly one, is paired by the phone numbers that it names, or else in order. Anything else is of all of them.
 */
export function conversationReplies(
	reply: unknown,
	planned: readonly PlannedConversation[],
): readonly unknown[] | undefined {
	// It says itself which conversation it is of.
	const isOne = planned.length === 1 && textIn(reply, 'conversationId') !== undefined;
	const list = isOne ? undefined : listIn(reply, planned.length);
	if (list) return byNumber(list, planned);
	return planned.length === 1 ? [reply] : undefined;
}

function listIn(reply: unknown, count: number): readonly unknown[] | undefined {
	const fits = (value: unknown): value is unknown[] =>
		Array.isArray(value) && value.length === count;
	if (fits(reply)) return reply;
	if (typeof reply !== 'object' || reply === null) return undefined;
	const lists = Object.values(reply).filter(fits);
	const [list] = lists;
	// One conversation may hold lists of its own, such as its tags.
	return lists.length === 1 && (count > 1 || idIn(list?.[0]) !== undefined) ? list : undefined;
}

/** Puts items that name their numbers into the order of the conversations; a number of several rows keeps its order. */
function byNumber(
	list: readonly unknown[],
	planned: readonly PlannedConversation[],
): readonly unknown[] | undefined {
	const numbers = list.map((item) => textIn(item, 'toPhoneNumber'));
	if (numbers.some((number) => number === undefined)) return list;
	const left = new Map<string, unknown[]>();
	for (const [i, number = ''] of numbers.entries())
		left.set(number, [...(left.get(number) ?? []), list[i]]);
	const items = planned.map(({ conversation }) =>
		left.get(conversation.toPhoneNumber ?? '')?.shift(),
	);
	// A list that names other numbers is of no single row.
	return items.some((item) => item === undefined) ? undefined : items;
}

/** The conversation ID in a response that belongs to one conversation, or null; a plain text is an ID itself. */
export function conversationIdOf(reply: unknown): string | null {
	if (typeof reply === 'string') return UUID.test(reply) ? reply : null;
	return idIn(reply) ?? null;
}
