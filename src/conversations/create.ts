import { z } from 'zod/v4';
import type { BulkOperation } from '../bulk/operation';
import type { AcceptedOutcome } from '../bulk/outcomes';
import { runInBulk } from '../bulk/run';
import type { Operation } from '../core/operation';
import { formatCount } from '../core/text';
import { callingWindow } from './campaign/callingWindow';
import type { CreateSettings, PlannedConversation } from './createInput';
import { createSettings, planConversations, rowParameters } from './createInput';
import { conversationIdOf, conversationReplies } from './responses';

/** One conversation that the service took; its response is in `reply`, whose shape is not documented. */
const output = z.object({
	outcome: z.literal('accepted'),
	conversationId: z.string().nullable(),
	toPhoneNumber: z.string().optional(),
	agentId: z.string(),
	batch: z.int(),
	reply: z.unknown(),
});

/** A conversation that the service took, with its ID where the response says it. */
type StartedConversation = Pick<
	z.infer<typeof output>,
	'conversationId' | 'toPhoneNumber' | 'agentId'
>;

/** All conversations that the service took with one request; `reply` is null where each of them had its own. */
interface StartedRequest {
	readonly outcome: 'accepted';
	readonly batch: number;
	readonly count: number;
	readonly conversations: readonly StartedConversation[];
	readonly reply: unknown;
}

type Started = z.infer<typeof output>;

/** Who a conversation is for: its type and number, or what the user says; without either it is its content. */
const identityOf = ({ conversation, personId }: PlannedConversation): string => {
	const { conversationType, toPhoneNumber } = conversation;
	if (toPhoneNumber !== undefined) return JSON.stringify([conversationType, toPhoneNumber]);
	return JSON.stringify(personId === '' ? conversation : [conversationType, 'person', personId]);
};

/** Whether people are known by their campaign. */
const isCampaign = ({ skipContacted, maximumAttempts }: CreateSettings): boolean =>
	skipContacted || maximumAttempts !== undefined;

/** Max conversations per day that an agent may start where the user chose no number. */
const TOOL_PER_DAY = 20;

const operation: BulkOperation<PlannedConversation, CreateSettings, Started, StartedRequest> = {
	settings: createSettings,
	words: {
		count: (values) => (values === 1 ? '1 person' : `${formatCount(values)} people`),
		send: 'call',
		sent: 'called',
	},
	ledgerScope: () => 'conversation:create',
	plan: planConversations,
	identity: {
		of: identityOf,
		show: ({ conversation, personId }) => conversation.toPhoneNumber ?? personId,
		parameter: 'toPhoneNumber',
		name: 'phone number',
	},
	toBody: ({ conversation }) => conversation,
	toRequest: (conversations, { timeoutMs }) => ({
		method: 'POST',
		path: '/conversations',
		body: { conversations },
		idempotent: false, // Each conversation rings a phone.
		timeoutMs,
	}),
	resendsParts: () => false, // A person must not be called by a guess.
	splitResponse: conversationReplies,
	journalKey: (planned, settings) =>
		JSON.stringify([...(isCampaign(settings) ? [planned.campaignKey] : []), identityOf(planned)]),
	keepsJournal: ({ skipContacted, maximumAttempts }) =>
		maximumAttempts !== undefined
			? 'Maximum Attempts'
			: skipContacted
				? 'Skip People Already Contacted'
				: undefined,
	attempts: ({ maximumAttempts: max, onePerDay }) =>
		max === undefined ? undefined : { max, onePerDay },
	dailyMax: ({ maximumPerDay, asTool }) =>
		maximumPerDay !== undefined
			? { max: maximumPerDay, isChosen: true }
			: asTool
				? { max: TOOL_PER_DAY, isChosen: false }
				: undefined,
	tooMany: ({ pending, earlier }, { maximumConversations: max }) =>
		pending > 0 && earlier + pending > max
			? `Nothing was sent: ${formatCount(pending)} conversations${earlier > 0 ? `, after ${formatCount(earlier)} earlier in this execution,` : ''} are more than 'Maximum Conversations' (${formatCount(max)}) allows. Raise it if you mean to start them all`
			: undefined,
	sendWindow: ({ hours, timeZone: source }, zone) =>
		hours && callingWindow({ hours, source, zone }),
	output: {
		toItem: (planned, accepted) => ({
			outcome: 'accepted',
			...started(planned, accepted),
			batch: accepted.batch,
			reply: accepted.reply ?? null,
		}),
		toRequestItem: (values, batch) => ({
			outcome: 'accepted',
			batch,
			count: values.length,
			conversations: values.map(({ value, accepted }) => started(value, accepted)),
			reply: values.find(({ accepted }) => !accepted.paired)?.accepted.reply ?? null,
		}),
		toPreview: ({ conversation: { toPhoneNumber, agentId, conversationType, ...others } }) => ({
			...(toPhoneNumber !== undefined && { toPhoneNumber }),
			...(agentId !== '' && { agentId, conversationType, ...others }),
		}),
	},
};

const started = (
	{ conversation: { toPhoneNumber, agentId } }: PlannedConversation,
	{ paired, reply }: AcceptedOutcome,
): StartedConversation => ({
	conversationId: paired ? conversationIdOf(reply) : null,
	...(toPhoneNumber !== undefined && { toPhoneNumber }),
	agentId,
});

/** Starts conversations, many in one request (interface: POST /conversations). */
export const create: Operation = {
	output,
	settings: createSettings,
	rowParameters,
	run: runInBulk(operation),
};
