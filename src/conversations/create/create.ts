import countBy from 'lodash/countBy';
import partition from 'lodash/partition';
import isEmpty from 'lodash/isEmpty';
import { z } from 'zod/v4';
import { duplicatesGuard } from '../../bulk/duplicates';
import { ledgerGuard } from '../../bulk/ledger';
import type { BulkOperation } from '../../bulk/operation';
import type { Outcome } from '../../bulk/outcomes';
import { runInBulk } from '../../bulk/run';
import type { Operation } from '../../core/operation';
import { formatCount } from '../../core/text';
import { contactsGuard } from '../contacts/contactsGuard';
import { hoursGuard } from '../hours/hoursGuard';
import { approvedPlanGuard } from './approvedPlan';
import { describeIdentity, identityOf } from './identity';
import { limitsGuard } from './limits';
import type { PlannedConversation } from './readRows';
import { noteUnread, readRows, rowParameters } from './readRows';
import { conversationIdOf, judgeReply } from './responses';
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
	unread: noteUnread,
	identityOf,
	guards: (settings, context) => [
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
	judge: judgeReply,
	afterRejection: () => 'nothing', // A person must not be called by a guess.
	warn: (contents, isDryRun) => ({
		alarms: markedAlarms(contents, isDryRun),
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

/** "37 people marked Do Not Call would be called", where a sheet has such a column and no safeguard reads it. */
function markedAlarms(contents: readonly PlannedConversation[], isDryRun: boolean): string[] {
	const [guarded, others] = partition(contents, ({ hasMark }) => hasMark === true);
	const alarms = (of: readonly PlannedConversation[], fix: string): string[] =>
		Object.entries(countBy(of.flatMap(({ markedIn }) => markedIn ?? []))).map(([column, count]) => {
			const were = isDryRun ? 'would be' : count === 1 ? 'was' : 'were';
			return `${people(count)} marked ${column} ${were} called. ${fix}`;
		});
	return [
		...alarms(others, "Add 'Do Not Call' under Safeguards"),
		...alarms(guarded, "Read it in 'Do Not Call' under Safeguards, too"),
	];
}

const NO_VARIABLES =
	"No variables: the agent knows nothing about the person. Set 'Variables' to 'Columns of the Row', or add some";

const idIn = (outcome: Outcome | undefined): string | null =>
	outcome?.outcome === 'accepted' && outcome.paired ? conversationIdOf(outcome.reply) : null;

/** Starts conversations, many in one request (interface: POST /conversations). */
export const create: Operation = {
	output,
	settings: createSettings,
	rowParameters,
	run: runInBulk(operation),
};
