import { credentials } from './credentials.mts';
import { pick, randomUuid } from './random.mts';
import type { Random } from './random.mts';
import type { NewConversation } from './createConversations.mts';

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
const endReasons = ['user_did_not_answer', 'user_hung_up', 'agent_ended', 'voicemail'] as const;

/** Creates an empty store of conversations. */
export function createConversationStore(random: Random) {
	const byId = new Map<string, StoredConversation>();
	const calls = new Map<string, number>();
	return {
		size: () => byId.size,
		all: () => [...byId.values()],
		find: (id: string) => byId.get(id.toLowerCase()),
		/** How often each number was called. */
		callsPerNumber: (): Record<string, number> => Object.fromEntries(calls),
		clear: () => {
			byId.clear();
			calls.clear();
		},
		create: (item: NewConversation, now: number, finish: { min: number; max: number }) => {
			const takes = finish.min + random() * Math.max(0, finish.max - finish.min);
			const conversation: StoredConversation = {
				...item,
				id: randomUuid(random),
				customerId: randomUuid(random),
				createdAt: now,
				finishedAt: now + Math.round(takes),
				endReason: pick(random, endReasons),
			};
			byId.set(conversation.id, conversation);
			calls.set(item.toPhoneNumber, (calls.get(item.toPhoneNumber) ?? 0) + 1);
			return conversation;
		},
	};
}

function stateAt(stored: StoredConversation, now: number) {
	if (now >= stored.finishedAt) return 'completed';
	const ringing = stored.createdAt + (stored.finishedAt - stored.createdAt) / 3;
	return now < ringing ? 'queued' : 'in_progress';
}

/** Shows a conversation at the time `now` (ms) with every documented field (interface: Conversation). */
export function showConversation(stored: StoredConversation, now: number) {
	const iso = (time: number) => new Date(time).toISOString();
	const state = stateAt(stored, now);
	const finished = state === 'completed';
	const answered = stored.endReason !== 'user_did_not_answer';
	const started = stored.createdAt + (stored.finishedAt - stored.createdAt) / 3;
	return {
		id: stored.id,
		phoneId: null,
		agentId: stored.agentId,
		workspaceId: credentials.workspaceId,
		wsUrl: null,
		llmUrl: null,
		callStartTime: state === 'queued' ? null : iso(started),
		callEndTime: finished ? iso(stored.finishedAt) : null,
		userJoinTime: answered && state !== 'queued' ? iso(started) : null,
		userLeaveTime: finished ? iso(stored.finishedAt) : null,
		customerId: stored.customerId,
		toPhoneNumber: stored.toPhoneNumber,
		fromPhoneNumber: null,
		conversationStatus: state,
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
		updatedAt: iso(finished ? stored.finishedAt : Math.min(now, stored.finishedAt)),
	};
}
