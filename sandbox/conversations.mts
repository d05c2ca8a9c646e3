import { z } from 'zod/v4';
import { credentials } from './credentials.mts';
import { phoneNumber } from './customers.mts';
import { pick, randomUuid } from './random.mts';
import type { Random } from './random.mts';
import { json, readRefusal, refusal } from './reply.mts';
import type { Issue, Reply } from './reply.mts';
import type { World } from './world.mts';

/** The schema of one conversation to create; the document shows four members, and all are required. */
const newConversation = z.strictObject({
	agentId: z.uuid(),
	conversationType: z.string().min(1),
	toPhoneNumber: phoneNumber,
	dynamicVariables: z.record(z.string(), z.unknown()),
});

const conversationBatch = z.strictObject({ conversations: z.array(newConversation).min(1) });

type NewConversation = z.infer<typeof newConversation>;

/** A conversation as it was created; its state follows from the time. */
export interface StoredConversation extends NewConversation {
	id: string;
	customerId: string;
	/** Ms since the epoch. */
	createdAt: number;
	/** Ms since the epoch at which it is `completed`. */
	finishedAt: number;
	endReason: string;
}

/** The conversations of the sandbox. */
export type ConversationStore = ReturnType<typeof createConversationStore>;

// Only the first is documented; the others are invented.
const endReasons = ['user_did_not_answer', 'user_hung_up', 'agent_ended', 'voicemail'];

/** Creates an empty store of conversations. */
export function createConversationStore(random: Random) {
	const byId = new Map<string, StoredConversation>();
	const calls = new Map<string, number>();
	return {
		size: () => byId.size,
		all: () => [...byId.values()],
		find: (id: string) => byId.get(id.toLowerCase()),
		/** Counts the calls to each number. */
		callsPerNumber: (): Record<string, number> => Object.fromEntries(calls),
		clear: () => {
			byId.clear();
			calls.clear();
		},
		create: (item: NewConversation, now: number, finish: { min: number; max: number }) => {
			const takesMs = finish.min + random() * Math.max(0, finish.max - finish.min);
			const conversation: StoredConversation = {
				...item,
				id: randomUuid(random),
				customerId: randomUuid(random),
				createdAt: now,
				finishedAt: now + Math.round(takesMs),
				endReason: pick(random, endReasons),
			};
			byId.set(conversation.id, conversation);
			calls.set(item.toPhoneNumber, (calls.get(item.toPhoneNumber) ?? 0) + 1);
			return conversation;
		},
	};
}

/** Shows a conversation at a time (ms) with every documented field (interface: Conversation). */
function showConversation(stored: StoredConversation, now: number) {
	const iso = (time: number) => new Date(time).toISOString();
	const started = stored.createdAt + (stored.finishedAt - stored.createdAt) / 3;
	const finished = now >= stored.finishedAt;
	const queued = !finished && now < started;
	const answered = stored.endReason !== 'user_did_not_answer';
	return {
		id: stored.id,
		phoneId: null,
		agentId: stored.agentId,
		workspaceId: credentials.workspaceId,
		wsUrl: null,
		llmUrl: null,
		callStartTime: queued ? null : iso(started),
		callEndTime: finished ? iso(stored.finishedAt) : null,
		userJoinTime: answered && !queued ? iso(started) : null,
		userLeaveTime: finished ? iso(stored.finishedAt) : null,
		customerId: stored.customerId,
		toPhoneNumber: stored.toPhoneNumber,
		fromPhoneNumber: null,
		conversationStatus: finished ? 'completed' : queued ? 'queued' : 'in_progress',
		telephonyType: 'outbound',
		telephonyStatus: null,
		endReason: finished ? stored.endReason : null,
		recordingStatus: null,
		postCallNotes: null,
		postCallCategory1: null,
		postCallCategory2: null,
		postCallCategory3: null,
		postCallMetadata: null,
		conversationType: stored.conversationType,
		dynamicVariables: JSON.stringify(stored.dynamicVariables),
		summary: finished && answered ? 'The customer confirmed the appointment.' : '',
		createdAt: iso(stored.createdAt),
		updatedAt: iso(Math.min(now, stored.finishedAt)),
	};
}

/** Creates all conversations of a batch or none; an option sets the shape of the reply (POST /conversations). */
export function createConversations(world: World, body: unknown): Reply {
	const parsed = conversationBatch.safeParse(body);
	if (!parsed.success) return refusal(400, parsed.error.issues as Issue[]);
	const { finishAfterMs, conversationReply } = world.options;
	const now = world.now();
	const created = parsed.data.conversations.map((item) =>
		world.conversations.create(item, now, finishAfterMs),
	);
	if (conversationReply === 'empty') return { status: 200, body: '' };
	if (conversationReply === 'single') return json(200, { id: created[0]?.id });
	if (conversationReply === 'ids') return json(200, { ids: created.map(({ id }) => id) });
	const conversations = created.map((each) => showConversation(each, now));
	return json(200, conversationReply === 'array' ? conversations : { conversations });
}

/** Shows a conversation; an ID that is not a UUID is unknown (GET /conversations/{id}). */
export function getConversation(world: World, path: string): Reply {
	const stored = world.conversations.find(path.slice(path.lastIndexOf('/') + 1));
	if (!stored) return readRefusal(404, path);
	return json(200, showConversation(stored, world.now()));
}
