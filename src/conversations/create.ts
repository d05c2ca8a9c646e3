import { z } from 'zod/v4';
import type { Accepted } from '../bulk/outcomes';
import type { BulkItem } from '../bulk/run';
import { inBulk } from '../bulk/run';
import type { Operation } from '../core/operation';
import { parseRow } from '../core/operation';
import { input } from './createInput';
import type { NewConversation } from './newConversation';
import { orderOf } from './order';
import { conversationIdOf } from './replies';

/** One conversation that the service took; what it answered is in `reply`, its shape is not documented. */
const output = z.object({
	outcome: z.literal('accepted'),
	conversationId: z.string().nullable(),
	toPhoneNumber: z.string(),
	agentId: z.string(),
	batch: z.int(),
	reply: z.unknown(),
});

/** A conversation that the service took, with its ID where the reply tells it. */
type Started = Pick<z.infer<typeof output>, 'conversationId' | 'toPhoneNumber' | 'agentId'>;

/** All conversations that the service took with one request; `reply` is null where each of them had its own. */
interface ConversationsOfRequest {
	readonly outcome: 'accepted';
	readonly batch: number;
	readonly count: number;
	readonly conversations: ReadonlyArray<Started>;
	readonly reply: unknown;
}

/** Starts conversations, many in one request (interface: POST /conversations). */
export const create: Operation<BulkItem<z.infer<typeof output>, ConversationsOfRequest>> = {
	output,
	run: inBulk({
		read: (row) => {
			const read = parseRow(input, row);
			return 'problems' in read ? read : orderOf(read.input);
		},
		identity: {
			of: ({ toPhoneNumber }: NewConversation) => toPhoneNumber,
			field: 'toPhoneNumber',
			name: 'phone number',
		},
		tooMany: (count, most) =>
			`Nothing was sent: ${count} conversations are more than 'Maximum Conversations' (${most}) allows. Raise it if you mean to start them all`,
		show: {
			one: (conversation, accepted) => ({
				outcome: 'accepted' as const,
				...started(conversation, accepted),
				batch: accepted.batch,
				reply: accepted.reply ?? null,
			}),
			all: (taken, batch): ConversationsOfRequest => ({
				outcome: 'accepted',
				batch,
				count: taken.length,
				conversations: taken.map(({ value, accepted }) => started(value, accepted)),
				reply: taken.find(({ accepted }) => !accepted.paired)?.accepted.reply ?? null,
			}),
		},
	}),
};

const started = (
	{ toPhoneNumber, agentId }: NewConversation,
	{ paired, reply }: Accepted,
): Started => ({
	conversationId: paired ? conversationIdOf(reply) : null,
	toPhoneNumber,
	agentId,
});
