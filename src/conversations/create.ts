import { z } from 'zod/v4';
import type { BulkOperation } from '../bulk/operation';
import type { AcceptedOutcome } from '../bulk/outcomes';
import { runInBulk } from '../bulk/run';
import type { Operation } from '../core/operation';
import { countryOf } from '../core/phoneNumber';
import { formatCount } from '../core/text';
import { callingWindow } from './campaign/callingWindow';
import type { CreateSettings, PlannedConversation } from './createInput';
import { createSettings, planConversations, rowParameters } from './createInput';
import { identityOf } from './identity';
import { conversationIdOf, conversationReplies } from './responses';

/** One conversation that the service took; its response is in `reply`, whose shape is not documented. */
const output = z.object({
	outcome: z.literal('accepted'),
	conversationId: z.string().nullable(),
	toPhoneNumber: z.string().optional(),
	agentId: z.string(),
	rowKey: z.string().optional(),
	batch: z.int(),
	reply: z.unknown(),
});

/** A conversation that the service took, with its ID where the response says it. */
type StartedConversation = Pick<
	z.infer<typeof output>,
	'conversationId' | 'toPhoneNumber' | 'agentId' | 'rowKey'
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
	settledByHand: ({ settled }) => settled,
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
	approval: {
		approvedPlan: ({ approvedPlan }) => approvedPlan,
		toPlan: ({ campaignKey, personId }) => [campaignKey, personId],
	},
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
		toRunFacts: (values) => ({ byCountry: byCountry(values) }),
		toPreview: ({ conversation: { toPhoneNumber, agentId, conversationType, ...others } }) => ({
			...(toPhoneNumber !== undefined && { toPhoneNumber }),
			...(agentId !== '' && { agentId, conversationType, ...others }),
		}),
	},
};

/** How many numbers each country has, by its ISO 3166 code. */
function byCountry(values: readonly PlannedConversation[]): Record<string, number> {
	const counts = new Map<string, number>();
	for (const { conversation } of values) {
		const { toPhoneNumber: number } = conversation;
		const country = number === undefined ? 'none' : (countryOf(number) ?? 'none');
		counts.set(country, (counts.get(country) ?? 0) + 1);
	}
	return Object.fromEntries([...counts].toSorted(([, a], [, b]) => b - a));
}

const started = (
	{ conversation: { toPhoneNumber, agentId }, rowKey }: PlannedConversation,
	{ paired, reply }: AcceptedOutcome,
): StartedConversation => ({
	conversationId: paired ? conversationIdOf(reply) : null,
	...(toPhoneNumber !== undefined && { toPhoneNumber }),
	agentId,
	...(rowKey !== undefined && { rowKey }),
});

/** Starts conversations, many in one request (interface: POST /conversations). */
export const create: Operation = {
	output,
	settings: createSettings,
	rowParameters,
	run: runInBulk(operation),
};
