import { isNil } from 'lodash';
import { z } from 'zod/v4';
import { isRecord, parseIfJson } from '../../core/json';
import { isBlank } from '../../core/plainText';
import { splitList } from '../../core/schemas';
import type { ConversationField } from './fields';

const text = z.string({ error: 'is not text' }).nullish();

/** A conversation of the service. Fields that the node does not use may have any type (interface: Conversation). */
export const conversationSchema = z.looseObject(
	{
		id: z.string({ error: 'is not the ID of a conversation' }),
		callStartTime: text,
		callEndTime: text,
		userJoinTime: text,
		conversationStatus: text,
		endReason: text,
	},
	{ error: 'is not a conversation' },
);

/** A conversation. */
export type Conversation = z.infer<typeof conversationSchema>;

/** The useful fields of a conversation, for people and agents, and for writing back to a CRM. */
export const simpleConversationSchema = z.object({
	reached: z.union([z.boolean(), z.literal('unknown')]),
	conversationStatus: z.string().nullable(),
	summary: z.string().nullable(),
	callAgain: z.boolean(),
	finished: z.boolean(),
	endReason: z.string().nullable(),
	toPhoneNumber: z.string().nullable(),
	callStartTime: z.string().nullable(),
	durationSeconds: z.number().nullable(),
	postCallCategory1: z.string().nullable(),
	postCallCategory2: z.string().nullable(),
	postCallCategory3: z.string().nullable(),
	postCallNotes: z.string().nullable(),
	postCallMetadata: z.looseObject({}).nullable(),
	dynamicVariables: z.looseObject({}).nullable(),
	conversationId: z.string(),
	customerId: z.string().nullable(),
	agentId: z.string().nullable(),
});

/** The statuses of finished conversations, and the end reasons of people who were not reached. */
interface ConversationReading {
	readonly finishedStates: readonly string[];
	readonly callAgainReasons: readonly string[];
}

/** The fields of a simplified conversation. */
export const simplifiedFields = Object.keys(simpleConversationSchema.shape) as ConversationField[];

/** Selects fields of a conversation, including the computed finished, reached, callAgain and durationSeconds. A missing field becomes null. */
export function selectFields(
	conversation: Conversation,
	names: readonly ConversationField[],
	{ finishedStates: states, callAgainReasons }: ConversationReading,
): Record<string, unknown> {
	const start = Date.parse(conversation.callStartTime ?? '');
	const end = Date.parse(conversation.callEndTime ?? '');
	const finished = isFinished(conversation, states);
	const hasJoined = !isBlank(conversation.userJoinTime);
	const isUnanswered = callAgainReasons.includes(normalizeName(conversation.endReason ?? ''));
	const callAgain = finished && isUnanswered && !hasJoined;
	const fields: Readonly<Record<string, unknown>> = {
		...conversation,
		conversationId: conversation.id,
		finished,
		// Only an end reason in `callAgainReasons` proves that the person was not reached.
		reached: hasJoined || (callAgain ? false : 'unknown'),
		callAgain,
		durationSeconds: end >= start ? (end - start) / 1000 : null,
		dynamicVariables: parseJsonObject(conversation.dynamicVariables),
		postCallMetadata: parseJsonObject(conversation.postCallMetadata),
	};
	return Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
}

/** Reads an object, also from JSON text. A missing value or '' becomes null, any other value `{ text: value }`. */
function parseJsonObject(value: unknown): Record<string, unknown> | null {
	if (isNil(value) || value === '') return null;
	const parsed = parseIfJson(value);
	return isRecord(parsed) ? { ...parsed } : { text: value };
}

const normalizeName = (name: string): string => name.trim().toLowerCase();

/** Builds the schema of names, as text or a list, in lower case. At least one, and none blank. */
const nameList = (examples: string) => {
	const error = `must be names separated by commas, e.g. ${examples}`;
	return z.preprocess(
		(value) => splitList(value),
		z
			.array(z.string({ error }).transform(normalizeName), { error })
			// An expression without a value gives no name or ''. A conversation without a status would match ''.
			.refine((names) => names.length > 0 && !names.includes(''), { error }),
	);
};

/** The end reasons after which a person may be called again. */
export const endReasons = nameList('user_did_not_answer');

/** The states in which a conversation is finished. */
export const finishedStates = nameList('completed, failed');

/** Whether a conversation has a finished status or an end time (interface: States and transitions). */
export const isFinished = (
	{ conversationStatus, callEndTime }: Conversation,
	states: readonly string[],
): boolean => states.includes(normalizeName(conversationStatus ?? '')) || !isBlank(callEndTime);
