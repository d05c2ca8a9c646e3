import { z } from 'zod/v4';
import { UUID } from '../core/uuid';

const withId = z.union([
	z.looseObject({ id: z.string() }).transform(({ id }) => id),
	z.looseObject({ conversationId: z.string() }).transform(({ conversationId }) => conversationId),
]);

/**
 * Splits the reply to a request of `count` conversations. The interface does not show it: a list of that length, or an
 * object that holds exactly one, is paired row by row; anything else is said about all of them.
 */
export function conversationReplies(reply: unknown, count: number): readonly unknown[] | undefined {
	if (count === 1 && withId.safeParse(reply).success) return [reply];
	return listIn(reply, count) ?? (count === 1 ? [reply] : undefined);
}

function listIn(reply: unknown, count: number): readonly unknown[] | undefined {
	const fits = (value: unknown): value is unknown[] =>
		Array.isArray(value) && value.length === count;
	if (fits(reply)) return reply;
	if (typeof reply !== 'object' || reply === null) return undefined;
	const lists = Object.values(reply).filter(fits);
	return lists.length === 1 ? lists[0] : undefined;
}

/** The conversation ID in a reply that belongs to one conversation, or null; a plain text is an ID itself. */
export function conversationIdOf(reply: unknown): string | null {
	if (typeof reply === 'string') return UUID.test(reply) ? reply : null;
	return withId.safeParse(reply).data ?? null;
}
