import isNull from 'lodash/isNull';
import omitBy from 'lodash/omitBy';
import { z } from 'zod/v4';
import { readBody } from '../../core/json';
import { splitList } from '../../core/schemas';
import type { ConversationField } from './fields';

const text = z.string({ error: 'is not text' }).nullish();

/** A conversation as the service returns it: what nothing is worked out from may be of any type (interface: Conversation). */
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

/** By which statuses a conversation is over, and by which end reasons its person was not reached. */
export interface ConversationReading {
	readonly finishedStates: readonly string[];
	readonly callAgainReasons: readonly string[];
}

/** The fields of a simplified conversation. */
const simplifiedFields = Object.keys(simpleConversationSchema.shape) as ConversationField[];

/** The named fields of a conversation, null where it has none: variables parsed, duration in seconds and `finished` added. */
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
		...reachedBy(conversation, reading),
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

/** The interface shows a string that holds a JSON object; an object counts too, anything else is kept under `text`. */
function parseVariables(value: unknown): Record<string, unknown> | null {
	if (value === null || value === undefined || value === '') return null;
	const body = typeof value === 'string' ? readBody(value) : undefined;
	const parsed: unknown = body?.kind === 'json' ? body.value : value;
	return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
		? { ...parsed }
		: { text: value };
}

const normal = (name: string): string => name.trim().toLowerCase();

/** Names as text, or as a list; none are what an expression without a value gives. */
const namesOf = (many: string, examples: string) => {
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
export const endReasons = namesOf('end reasons', 'user_did_not_answer');

/** The states in which a conversation is finished. */
export const finishedStates = namesOf('statuses', 'completed, failed');

/** Whether a time is set: a service that leaves none out may show the first moment that it knows. */
const isSet = (time: string | null | undefined): boolean =>
	(time ?? '').trim() !== '' && !(Date.parse(time ?? '') <= 0);

/** Whether a conversation is over: by its status, or because it has an end (interface: States and transitions). */
export const isFinished = (
	{ conversationStatus, callEndTime }: Conversation,
	states: readonly string[],
): boolean => states.includes(normal(conversationStatus ?? '')) || isSet(callEndTime);

/** Whether a conversation reached its person, and whether to call again: never for a reason that is not listed. */
export function reachedBy(
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
