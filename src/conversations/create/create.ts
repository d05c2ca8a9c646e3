import { compact, countBy, isObject, map, pick, size } from 'lodash';
import { z } from 'zod/v4';
import { duplicatesRule } from '../../bulk/duplicates';
import { openLedger } from '../../bulk/ledger';
import type { BulkOperation } from '../../bulk/operation';
import { filterPending, type Entry } from '../../bulk/plan';
import { runInBulk, unsent } from '../../bulk/run';
import { nameField } from '../../core/describeFailure';
import type { Operation } from '../../core/operation';
import { openContacts, unsavedRule } from '../contacts/contacts';
import { createHoursCheck, summarizeOutside } from '../hours/hoursCheck';
import { approvedPlanRule } from './approvedPlan';
import { readConversationId, readOutcomes } from './readOutcomes';
import { marksRule } from './marksRule';
import { maximumRule } from './maximumRule';
import { toText } from '../../core/plainText';
import { describeMarks } from '../../core/readMark';
import { listSome, plural, shorten } from '../../core/words';
import {
	describeIdentity,
	identityOf,
	unlistedFields,
	type PlannedConversation,
} from '../plannedConversation';
import { parameters } from './parameters';
import { readRows } from './readRows';
import { createSettings, type CreateSettings } from './settings';

/** One accepted conversation, with its ID if the response contains one. */
const outputSchema = z.object({
	outcome: z.literal('accepted'),
	reason: z.string(),
	toPhoneNumber: z.string().optional(),
	conversationId: z.string().nullable(),
	row: z.int(),
	request: z.int(),
});

/** Max characters of a text in a table, because a longer one makes every row as high as itself. */
const MAX_LINE = 80;

const operation: BulkOperation<PlannedConversation, CreateSettings> = {
	settings: createSettings,
	words: { one: 'person', many: 'people', send: 'call', sent: 'called', accepted: 'called' },
	describeAudience: ({ marks }) => (marks ? describeMarks(marks) : 'No column excludes anyone'),
	read: readRows,
	identityOf,
	openSafeguards: (settings, context) => {
		const { callingHours, dryRun, approvedPlan, duplicates } = settings;
		const ledger = openLedger<PlannedConversation>('conversation:create', context);
		const checkHours = callingHours && createHoursCheck(callingHours, context);
		return {
			rules: [
				marksRule(settings),
				duplicatesRule(duplicates, describeIdentity),
				// The items of a dry run contain the ID of the plan.
				...(dryRun || approvedPlan !== undefined
					? [approvedPlanRule(approvedPlan, context.account)]
					: []),
				ledger.recall,
				unsavedRule(settings, context.dedupeStore),
				({ entries }) => ({ leaveOut: checkHours?.(entries).leaveOut }),
				maximumRule(settings.maximumConversations, context.ledger),
			],
			openGate: (entries) => {
				const contacts = openContacts(entries, settings, context);
				return {
					claim: async (batch) => {
						const outside = checkHours?.(batch);
						const open = batch.filter((entry) => !outside?.leaveOut.has(entry));
						const called = await contacts.claim(open);
						await ledger.claim(open.filter((entry) => !called.leaveOut.has(entry)));
						return {
							leaveOut: new Map([...(outside?.leaveOut ?? []), ...called.leaveOut]),
							deadlineMs: Math.min(outside?.deadlineMs ?? Infinity, called.deadlineMs),
						};
					},
					settle: (batch) => {
						ledger.settle(batch);
						contacts.settle(batch);
					},
					close: contacts.close,
				};
			},
		};
	},
	noteOutcomes: (entries, settings, { zone }) => [
		...summarizeOutside(entries, zone),
		compact([
			settings.dryRun && noteAgents(entries),
			noteSafeguards(settings),
			settings.dryRun && noteUnchecked(settings),
		]).join('. '),
	],
	toRequest: (planned, { timeoutMs }) => ({
		method: 'POST',
		path: '/conversations',
		body: { conversations: planned.map(({ conversation }) => conversation) },
		idempotent: false, // Each conversation rings a phone.
		help: { fieldsParameter: [] }, // Its fields are parameters of the panel.
		timeoutMs,
	}),
	readOutcomes,
	fields: ['toPhoneNumber', 'personId', 'conversationId', 'callableAt', 'variables'],
	toFields: ({ conversation: { toPhoneNumber }, personId }, accepted) => ({
		...(toPhoneNumber !== undefined && { toPhoneNumber }),
		...(personId !== '' && { personId }),
		conversationId: readConversationId(accepted),
		request: accepted?.request ?? null,
	}),
	toPreview: ({ conversation, personId }, { variablesMode }) => {
		const { toPhoneNumber, dynamicVariables } = conversation;
		const variables = Object.entries(dynamicVariables).map(
			([name, value]) => `${name}: ${isObject(value) ? JSON.stringify(value) : toText(value)}`,
		);
		return {
			...(toPhoneNumber !== undefined && { toPhoneNumber }),
			...(personId !== '' && { personId }),
			// The item has the columns of the row.
			...(variables.length > 0 &&
				variablesMode !== 'columns' && { variables: shorten(variables.join(' · '), MAX_LINE) }),
			...pick(conversation, unlistedFields(conversation)),
		};
	},
};

/** Names each agent and type of the rows to be sent, e.g. "Agent 0b6a6b7e… (telephony)"; '' without rows. */
function noteAgents(entries: ReadonlyArray<Entry<PlannedConversation>>): string {
	const counts = countBy(filterPending(entries), ({ content: { conversation } }) =>
		[conversation.agentId, conversation.conversationType].join(' '),
	);
	// With several agents, each has its count of rows.
	const texts = map(counts, (count, key) => {
		const [agentId = '', ...type] = key.split(' '); // Only a type may have spaces.
		const agent = `${agentId.slice(0, 8)}… (${type.join(' ')})`;
		return size(counts) === 1 ? agent : `${agent} in ${plural(count, 'row')}`;
	});
	return texts.length > 0 ? `Agent ${listSome(texts)}` : '';
}

/** Names the safeguards that were added, because n8n silently drops a safeguard whose name is misspelt. */
const noteSafeguards = ({ addedSafeguards }: CreateSettings): string => {
	const names = addedSafeguards.map((name) => nameField([name]).replace(' Per ', ' per '));
	return `Safeguards added: ${names.join(', ') || 'none'}`;
};

/** Names the checks that a dry run omits, because these checks record people in n8n's store; '' without any. */
function noteUnchecked({ attempts, hoursBetweenCalls, maximumPerDay }: CreateSettings): string {
	const checks = compact([
		hoursBetweenCalls > 0 && `who was called in the last ${plural(hoursBetweenCalls, 'hour')}`,
		attempts && 'attempts',
		maximumPerDay !== undefined && 'the limit of the day',
	]);
	return checks.length > 0 ? `Only the run checks ${checks.join(', ')}` : '';
}

/** Starts conversations, many in one request (interface: POST /conversations). */
export const create: Operation = {
	output: outputSchema,
	settings: createSettings,
	parameters,
	unsent,
	run: runInBulk(operation),
};
