import isNull from 'lodash/isNull';
import omitBy from 'lodash/omitBy';
import { z } from 'zod/v4';
import { readBody } from '../../core/json';
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
	conversationId: z.string(),
	conversationStatus: z.string().optional(),
	finished: z.boolean(),
	reached: z.union([z.boolean(), z.literal('unknown')]),
	callAgain: z.boolean(),
	endReason: z.string().optional(),
	toPhoneNumber: z.string().optional(),
	customerId: z.string().optional(),
	agentId: z.string().optional(),
	callStartTime: z.string().optional(),
	durationSeconds: z.number().optional(),
	summary: z.string().optional(),
	postCallCategory1: z.string().optional(),
	postCallCategory2: z.string().optional(),
	postCallCategory3: z.string().optional(),
	postCallNotes: z.string().optional(),
	postCallMetadata: z.looseObject({}).optional(),
	dynamicVariables: z.looseObject({}).optional(),
});

/** The statuses of finished conversations, and the end reasons of people who were not reached. */
export interface ConversationReading {
	readonly finishedStates: readonly string[];
	readonly callAgainReasons: readonly string[];
}

/** The fields of a simplified conversation. */
const simplifiedFields = Object.keys(simpleConversationSchema.shape) as ConversationField[];

/** Selects fields, null if missing. Variables are parsed, duration and `finished` added. */
export function selectFields(
	conversation: Conversation,
	names: readonly ConversationField[],
	reading: ConversationReading,
): Record<string, unknown> {
	const start = Date.parse(conversation.callStartTime ?? '');
	const end = Date.parse(conversation.callEndTime ?? '');
	const fields: Readonly<Record<string, unknown>> = {
		...conversation,
		conversationId: conversation.id,
		finished: isFinished(conversation, reading.finishedStates),
		...readCallResult(conversation, reading),
		durationSeconds: end >= start ? (end - start) / 1000 : null,
		dynamicVariables: parseVariables(conversation.dynamicVariables),
		postCallMetadata: parseVariables(conversation.postCallMetadata),
	};
	return Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
}

/** Reduces a conversation to its useful fields, without those that are null. */
export const simplify = (
	conversation: Conversation,
	reading: ConversationReading,
): z.infer<typeof simpleConversationSchema> =>
	omitBy(selectFields(conversation, simplifiedFields, reading), isNull) as z.infer<
		typeof simpleConversationSchema
	>;

/** Parses a JSON object in a string, as the interface shows it. Other values are kept under `text`. */
function parseVariables(value: unknown): Record<string, unknown> | null {
	if (value === null || value === undefined || value === '') return null;
	const body = typeof value === 'string' ? readBody(value) : undefined;
	const parsed: unknown = body?.kind === 'json' ? body.value : value;
	return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
		? { ...parsed }
		: { text: value };
}

const normal = (name: string): string => name.trim().toLowerCase();

/** Names as text or as a list. An empty list is refused, because its expression may have no value. */
const nameList = (many: string, examples: string) => {
	const error = `must be names of ${many} separated by commas, e.g. ${examples}`;
	return z.preprocess(
		(value) => splitList(value),
		z
			.array(z.string({ error }), { error })
			.transform((names) => names.map(normal).filter((name) => name !== ''))
			.refine((names) => names.length > 0, {
				error: `is empty. Enter ${many}, e.g. ${examples}`,
			}),
	);
};

/** The end reasons after which a person may be called again. */
export const endReasons = nameList('end reasons', 'user_did_not_answer');

/** The states in which a conversation is finished. */
export const finishedStates = nameList('statuses', 'completed, failed');

/** Whether a time is set; a service may write an empty time as 1970 or earlier. */
const isSet = (time: string | null | undefined): boolean =>
	(time ?? '').trim() !== '' && !(Date.parse(time ?? '') <= 0);

/** Whether a conversation has a finished status or an end time (interface: States and transitions). */
export const isFinished = (
	{ conversationStatus, callEndTime }: Conversation,
	states: readonly string[],
): boolean => states.includes(normal(conversationStatus ?? '')) || isSet(callEndTime);

/** Reads whether a person was reached. Calls again only for the end reasons that the user listed. */
function readCallResult(
	conversation: Conversation,
	{ finishedStates: states, callAgainReasons }: ConversationReading,
): { readonly reached: boolean | 'unknown'; readonly callAgain: boolean } {
	const { endReason, userJoinTime } = conversation;
	const hasJoined = isSet(userJoinTime);
	const isListed =
		isFinished(conversation, states) && callAgainReasons.includes(normal(endReason ?? ''));
	// A conversation that says both is not clear.
	if (isListed && hasJoined) return { reached: 'unknown', callAgain: false };
	return { reached: hasJoined ? true : isListed ? false : 'unknown', callAgain: isListed };
}
