import isEmpty from 'lodash/isEmpty';
import { z } from 'zod/v4';
import { duplicatesGuard } from '../../bulk/duplicates';
import { ledgerGuard } from '../../bulk/ledger';
import type { BulkOperation } from '../../bulk/operation';
import type { Outcome } from '../../bulk/outcomes';
import { runInBulk } from '../../bulk/run';
import type { Operation } from '../../core/operation';
import { formatCount } from '../../core/words';
import { contactsGuard } from '../contacts/contactsGuard';
import { hoursGuard } from '../hours/hoursGuard';
import { approvedPlanGuard } from './approvedPlan';
import { doNotCallGuard } from './doNotCallGuard';
import { describeIdentity, identityOf } from './identity';
import { limitsGuard } from './limits';
import { conversationIdIn, judgeResponse } from './judge';
import type { PlannedConversation } from './plannedConversation';
import { readRows, recordUnreadRound, rowParameters } from './readRows';
import { toRunItem } from './runItem';
import type { CreateSettings } from './settings';
import { createSettings } from './settings';

/** One conversation that the service took, with its ID where the response says it. */
const output = z.object({
	row: z.int(),
	outcome: z.literal('accepted'),
	reason: z.string(),
	conversationId: z.string().nullable(),
	toPhoneNumber: z.string().optional(),
	batch: z.int(),
});

const people = (count: number): string =>
	count === 1 ? '1 person' : `${formatCount(count)} people`;

const identityFields = ({ conversation: { toPhoneNumber }, personId }: PlannedConversation) => ({
	...(toPhoneNumber !== undefined && { toPhoneNumber }),
	...(personId !== '' && { personId }),
});

const operation: BulkOperation<PlannedConversation, CreateSettings> = {
	settings: createSettings,
	words: { count: people, send: 'call', sent: 'called', none: 'No one was called' },
	read: readRows,
	unread: recordUnreadRound,
	identityOf,
	guards: (settings, context) => [
		doNotCallGuard(settings.numbersNeverCalled, context.ledger),
		duplicatesGuard({
			duplicates: settings.duplicates,
			describe: describeIdentity,
			parameter: 'toPhoneNumber',
		}),
		...(settings.outputAs === 'run' || settings.approvedPlan !== undefined
			? [approvedPlanGuard(settings.approvedPlan, context.account)]
			: []),
		ledgerGuard(
			{
				scope: 'conversation:create',
				tellsApart: settings.duplicates === 'sendAll',
				// A further attempt may be made in a later round of a loop, but not in another try of the same one.
				perRound: settings.attempts !== undefined,
			},
			context,
		),
		contactsGuard(settings, context),
		...(settings.hours ? [hoursGuard(settings.hours, context)] : []),
		limitsGuard(settings.maximumConversations, context.ledger),
	],
	toBody: ({ conversation }) => conversation,
	toRequest: (conversations, { timeoutMs }) => ({
		method: 'POST',
		path: '/conversations',
		body: { conversations },
		idempotent: false, // Each conversation rings a phone.
		help: { fieldsIn: [] },
		timeoutMs,
	}),
	judge: (reply, { length }) => judgeResponse(reply, length),
	afterRejection: () => 'nothing', // A person must not be called by a guess.
	warn: (contents) => ({
		alarms: [],
		notes:
			contents.length > 0 &&
			contents.every(({ conversation }) => isEmpty(conversation.dynamicVariables))
				? [NO_VARIABLES]
				: [],
	}),
	output: {
		toIdentity: identityFields,
		toItem: (planned, accepted) => ({
			outcome: 'accepted',
			...identityFields(planned),
			conversationId: idIn(accepted),
			batch: accepted.batch,
		}),
		toRequestItem: (values, batch) => ({
			outcome: 'accepted',
			batch,
			count: values.length,
			conversations: values.map(({ row, content, outcome }) => ({
				row: row + 1,
				conversationId: idIn(outcome),
				...identityFields(content),
			})),
		}),
		toPreview: ({ conversation: { toPhoneNumber, agentId, conversationType, ...others } }) => ({
			...(toPhoneNumber !== undefined && { toPhoneNumber }),
			...(agentId !== '' && { agentId, conversationType, ...others }),
		}),
		toRunItem,
	},
};

const NO_VARIABLES =
	"No variables: the agent knows nothing about the person. Set 'Variables' to 'Columns of the Row', or add some";

const idIn = (outcome: Outcome | undefined): string | null =>
	outcome?.outcome === 'accepted' && outcome.paired ? conversationIdIn(outcome.reply) : null;

/** Starts conversations, many in one request (interface: POST /conversations). */
export const create: Operation = {
	output,
	settings: createSettings,
	rowParameters,
	run: runInBulk(operation),
};
