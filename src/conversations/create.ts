import { z } from 'zod/v4';
import type { BulkOperation } from '../bulk/operation';
import type { AcceptedOutcome } from '../bulk/outcomes';
import { runInBulk } from '../bulk/run';
import type { Operation } from '../core/operation';
import { formatCount } from '../core/text';
import type { CreateSettings, PlannedConversation } from './createInput';
import { createSettings, planConversations, rowParameters } from './createInput';
import { conversationIdOf, conversationReplies } from './responses';

/** One conversation that the service took, with its ID where the response says it. */
const output = z.object({
	row: z.int(),
	outcome: z.literal('accepted'),
	conversationId: z.string().nullable(),
	toPhoneNumber: z.string().optional(),
	batch: z.int(),
});

type Started = Omit<z.infer<typeof output>, 'row'>;

/** All conversations that the service took with one request. */
interface StartedRequest {
	readonly outcome: 'accepted';
	readonly batch: number;
	readonly count: number;
	readonly conversations: ReadonlyArray<Pick<Started, 'conversationId' | 'toPhoneNumber'>>;
}

/** Who a conversation is for: its type and number, or what the user says; without either it is its content. */
const identityOf = ({ conversation, personId }: PlannedConversation): string => {
	const { conversationType, toPhoneNumber } = conversation;
	if (toPhoneNumber !== undefined) return JSON.stringify([conversationType, toPhoneNumber]);
	return JSON.stringify(personId === '' ? conversation : [conversationType, 'person', personId]);
};

const identityFields = ({ conversation: { toPhoneNumber }, personId }: PlannedConversation) => ({
	...(toPhoneNumber !== undefined && { toPhoneNumber }),
	...(personId !== '' && { personId }),
});

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
		help: { fieldsIn: [] },
		timeoutMs,
	}),
	resendsParts: () => false, // A person must not be called by a guess.
	splitResponse: conversationReplies,
	journalKey: (planned, { skipContacted }) =>
		JSON.stringify([...(skipContacted ? [planned.campaignKey] : []), identityOf(planned)]),
	keepsJournal: ({ skipContacted }) => skipContacted,
	tooMany: ({ pending, earlier }, { maximumConversations: max }) =>
		pending > 0 && earlier + pending > max
			? `Nothing was sent: ${formatCount(pending)} conversations${earlier > 0 ? `, after ${formatCount(earlier)} earlier in this execution,` : ''} are more than 'Maximum Conversations' (${formatCount(max)}) allows. Raise it if you mean to start them all`
			: undefined,
	output: {
		toIdentity: identityFields,
		toItem: (planned, accepted) => ({
			outcome: 'accepted',
			conversationId: idIn(accepted),
			...identityFields(planned),
			batch: accepted.batch,
		}),
		toRequestItem: (values, batch) => ({
			outcome: 'accepted',
			batch,
			count: values.length,
			conversations: values.map(({ row, value, accepted }) => ({
				row,
				conversationId: idIn(accepted),
				...identityFields(value),
			})),
		}),
		toPreview: ({ conversation: { toPhoneNumber, agentId, conversationType, ...others } }) => ({
			...(toPhoneNumber !== undefined && { toPhoneNumber }),
			...(agentId !== '' && { agentId, conversationType, ...others }),
		}),
	},
};

const idIn = ({ paired, reply }: AcceptedOutcome): string | null =>
	paired ? conversationIdOf(reply) : null;

/** Starts conversations, many in one request (interface: POST /conversations). */
export const create: Operation = {
	output,
	settings: createSettings,
	rowParameters,
	run: runInBulk(operation),
};
