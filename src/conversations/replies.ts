import { z } from 'zod/v4';
import { UUID } from '../core/uuid';

/** What the service said about one conversation, or, where that cannot be told apart, about all of its request. */
export const rowReply = z.object({ paired: z.boolean(), reply: z.unknown() });

/** What the service said about one conversation. */
export type RowReply = z.infer<typeof rowReply>;

const withId = z.union([
	z.looseObject({ id: z.string() }),
	z.looseObject({ conversationId: z.string() }),
]);

/**
 * Splits the reply to a request of `count` conversations. The interface does not show it: a list of that length, or an
 * object that holds exactly one, is paired row by row; anything else goes to every row as it is.
 */
export function conversationReplies(reply: unknown, count: number): readonly RowReply[] {
	const single = count === 1 && withId.safeParse(reply).success;
	const own = single ? [reply] : (listIn(reply, count) ?? (count === 1 ? [reply] : undefined));
	if (own) return own.map((part) => ({ paired: true, reply: part ?? null }));
	return new Array<RowReply>(count).fill({ paired: false, reply: reply ?? null });
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
export function conversationIdOf({ paired, reply }: RowReply): string | null {
	if (!paired) return null;
	if (typeof reply === 'string') return UUID.test(reply) ? reply : null;
	const known = withId.safeParse(reply).data;
	return known === undefined ? null : String(known.id ?? known.conversationId);
}
