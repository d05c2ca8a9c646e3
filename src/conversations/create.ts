import { z } from 'zod/v4';
import type { BulkOperation } from '../bulk/operation';
import type { AcceptedOutcome } from '../bulk/outcomes';
import { runInBulk } from '../bulk/run';
import type { Operation } from '../core/operation';
import { countryOf } from '../core/phoneNumber';
import { formatCount } from '../core/text';
import { callingWindow } from './campaign/callingWindow';
import type { PlannedConversation } from './createInput';
import { planConversations, rowParameters } from './createInput';
import type { CreateSettings } from './createSettings';
import { createSettings } from './createSettings';
import { describeIdentity, identityOf } from './identity';
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

/** Whether people are known by their campaign. */
const isCampaign = ({ skipContacted, maximumAttempts }: CreateSettings): boolean =>
	skipContacted || maximumAttempts !== undefined;

/** Max conversations per day that an agent may start where the user chose no number. */
const TOOL_PER_DAY = 20;

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
		describe: describeIdentity,
		parameter: 'toPhoneNumber',
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
		toIdentity: identityFields,
		toItem: (planned, accepted) => ({
			outcome: 'accepted',
			conversationId: idIn(accepted),
			...identityFields(planned),
			...(planned.rowKey !== undefined && { rowKey: planned.rowKey }),
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

const idIn = ({ paired, reply }: AcceptedOutcome): string | null =>
	paired ? conversationIdOf(reply) : null;

/** Starts conversations, many in one request (interface: POST /conversations). */
export const create: Operation = {
	output,
	settings: createSettings,
	rowParameters,
	run: runInBulk(operation),
};
