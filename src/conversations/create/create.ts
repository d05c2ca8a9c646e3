import { pick } from 'lodash';
import { z } from 'zod/v4';
import { duplicatesGuard } from '../../bulk/duplicates';
import { ledgerGuard } from '../../bulk/ledger';
import type { BulkOperation } from '../../bulk/operation';
import { runInBulk } from '../../bulk/run';
import type { Operation } from '../../core/operation';
import { contactsGuard } from '../contacts/contactsGuard';
import { hoursGuard } from '../hours/hoursGuard';
import { approvedPlanGuard } from './approvedPlan';
import { doNotCallGuard } from './doNotCallGuard';
import { judgeResponse, readConversationId } from './judge';
import { maximumGuard } from './limits';
import { describeIdentity, identityOf, type PlannedConversation } from './plannedConversation';
import { readRows, rowParameters } from './readRows';
import { toRunFields } from './runItem';
import { createSettings, type CreateSettings } from './settings';

/** One accepted conversation, with its ID if the response contains one. */
const outputSchema = z.object({
	row: z.int(),
	outcome: z.literal('accepted'),
	reason: z.string(),
	conversationId: z.string().nullable(),
	toPhoneNumber: z.string().optional(),
	variables: z.record(z.string(), z.unknown()).optional(),
	request: z.int(),
});

/** The variables of a row that its item shows, because one of them is usually the name. */
const MAX_VARIABLES = 2;

const operation: BulkOperation<PlannedConversation, CreateSettings> = {
	settings: createSettings,
	words: { one: 'person', many: 'people', send: 'call', sent: 'called' },
	read: readRows,
	identityOf,
	guards: (settings, context) => [
		doNotCallGuard(settings, context.ledger),
		duplicatesGuard(settings.duplicates, describeIdentity),
		// One item for the run contains the ID of the plan.
		...(settings.outputAs === 'run' || settings.approvedPlan !== undefined
			? [approvedPlanGuard(settings.approvedPlan, context.account)]
			: []),
		ledgerGuard(
			{
				scope: 'conversation:create',
				distinguishesDuplicates: settings.duplicates === 'sendAll',
				// With Attempts, a later round of a loop is a further attempt. A retry of a round is not.
				perRound: settings.attempts !== undefined,
			},
			context,
		),
		contactsGuard(settings, context),
		...(settings.callingHours ? [hoursGuard(settings.callingHours, context)] : []),
		maximumGuard(settings.maximumConversations, context.ledger),
	],
	toRequest: (planned, { timeoutMs }) => ({
		method: 'POST',
		path: '/conversations',
		body: { conversations: planned.map(({ conversation }) => conversation) },
		idempotent: false, // Each conversation rings a phone.
		help: { fieldsParameter: [] }, // Its fields are parameters of the panel.
		timeoutMs,
	}),
	judge: judgeResponse,
	toFields: ({ conversation: { toPhoneNumber, dynamicVariables }, personId }, accepted) => {
		const names = Object.keys(dynamicVariables).slice(0, MAX_VARIABLES);
		return {
			conversationId: readConversationId(accepted),
			...(toPhoneNumber !== undefined && { toPhoneNumber }),
			...(personId !== '' && { personId }),
			...(names.length > 0 && { variables: pick(dynamicVariables, names) }),
			request: accepted?.request ?? null,
		};
	},
	toPreview: ({ conversation: { toPhoneNumber, agentId, conversationType, ...fields } }) => ({
		...(toPhoneNumber !== undefined && { toPhoneNumber }),
		// A marked row may have no valid agent, and shows only its number.
		...(agentId !== '' && { agentId, conversationType, ...fields }),
	}),
	toRunFields,
};

/** Starts conversations, many in one request (interface: POST /conversations). */
export const create: Operation = {
	output: outputSchema,
	settings: createSettings,
	rowParameters,
	run: runInBulk(operation),
};
