import { z } from 'zod/v4';
import { showConversation } from './conversationStore.mts';
import { phoneNumber } from './customerSchema.mts';
import { json, refusal } from './reply.mts';
import type { Issue, Reply } from './reply.mts';
import type { World } from './world.mts';

/** One conversation to create; the document shows four members and we need all of them. */
const newConversation = z.strictObject({
	agentId: z.uuid(),
	conversationType: z.string().min(1),
	toPhoneNumber: phoneNumber,
	dynamicVariables: z.record(z.string(), z.unknown()),
});

/** A conversation to create that passed the schema. */
export type NewConversation = z.infer<typeof newConversation>;

const batch = z.strictObject({ conversations: z.array(newConversation).min(1) });

/** POST /conversations: creates all conversations or none; the shape of the reply is an option. */
export function createConversations(world: World, body: unknown): Reply {
	const parsed = batch.safeParse(body);
	if (!parsed.success) return refusal(400, parsed.error.issues as Issue[]);
	const items = parsed.data.conversations;
	const { finishAfterMs, conversationReply } = world.options;
	const now = world.now();
	const created = items.map((item) => world.conversations.create(item, now, finishAfterMs));
	if (conversationReply === 'empty') return { status: 200, body: '' };
	if (conversationReply === 'single') return json(200, { id: created[0]?.id });
	if (conversationReply === 'ids') return json(200, { ids: created.map(({ id }) => id) });
	const conversations = created.map((each) => showConversation(each, now));
	return json(200, conversationReply === 'array' ? conversations : { conversations });
}
