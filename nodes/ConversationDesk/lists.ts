import { createHash } from 'crypto';
import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';
import { createClient } from '../../src/core/client';
import type { Result } from '../../src/core/result';
import { customerFields } from '../../src/customers/customer';
import { columns, type Column } from '../../src/tickets/columns';
import { readRecentTickets } from '../../src/tickets/recentTickets';
import type { Ticket } from '../../src/tickets/ticket';
import { filterChoices, idChoices, ticketChoices, type ListChoice } from './choices';
import { createFailureError } from './errors';
import { createLabeler } from './labels';
import { connect, CREDENTIAL } from './transport';

type SearchMethod = (
	this: ILoadOptionsFunctions,
	filter?: string,
) => Promise<INodeListSearchResult>;

/** Ms for which the newest tickets are kept while someone fills in a panel. */
const KEEP_MS = 60_000;

type TicketsResult = Result<readonly Ticket[]>;

/** The tickets that one credential read last, because another key may see different tickets. */
let cachedTickets: { key: string; sinceMs: number; tickets: Promise<TicketsResult> } | undefined;

/** Returns the recent tickets of a credential, read at most once a minute. Throws the error that the editor shows. */
async function readCachedTickets(context: ILoadOptionsFunctions): Promise<readonly Ticket[]> {
	const data = JSON.stringify(await context.getCredentials(CREDENTIAL));
	const key = createHash('sha256').update(data).digest('base64');
	if (cachedTickets?.key !== key || Date.now() - cachedTickets.sinceMs >= KEEP_MS)
		cachedTickets = { key, sinceMs: Date.now(), tickets: requestRecentTickets(context) };
	const read = await cachedTickets.tickets;
	if (read.ok) return read.value;
	// A failed list is read again when it is opened again.
	cachedTickets = undefined;
	throw createFailureError(context.getNode(), read.failure, createLabeler([]));
}

async function requestRecentTickets(context: ILoadOptionsFunctions): Promise<TicketsResult> {
	const connected = await connect(context);
	return connected.ok ? await readRecentTickets(createClient(connected.value)) : connected;
}

/** Returns the choices that match a filter; without choices, one entry with the text `none`, because only entries are shown. */
const toListResult = (
	choices: readonly ListChoice[],
	none: string,
	filter = '',
): INodeListSearchResult => ({
	results: choices.length === 0 ? [{ name: none, value: '' }] : filterChoices(choices, filter),
});

/** Lists the values in a column of recent tickets. */
async function listValues(
	context: ILoadOptionsFunctions,
	column: Column,
	filter: string | undefined,
): Promise<INodeListSearchResult> {
	const none = `No recent ticket has a value in ${columns[column].label}. Choose By ID and enter it.`;
	return toListResult(idChoices(await readCachedTickets(context), column), none, filter);
}

const createSearch = (column: Column): SearchMethod =>
	async function (filter) {
		return await listValues(this, column, filter);
	};

export const searchAgents = createSearch('agentId');
export const searchConversations = createSearch('conversationId');

/** The values of the column of a condition in recent tickets. */
export const searchColumnValues: SearchMethod = async function (filter) {
	// '&' reads the parameter beside this one. Without a known column, the list has statuses.
	const chosen = String(this.getCurrentNodeParameter('&column') ?? '');
	const column: Column = chosen in columns ? (chosen as Column) : 'statusId';
	return column === 'id'
		? await searchTickets.call(this, filter)
		: await listValues(this, column, filter);
};

/** The values of the column of a condition, for a field that takes several. */
export async function getColumnValues(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return (await searchColumnValues.call(this)).results;
}

/** Recent tickets by number and title. */
export const searchTickets: SearchMethod = async function (filter) {
	const none = 'There is no ticket yet, or the credential may not see it.';
	return toListResult(ticketChoices(await readCachedTickets(this)), none, filter);
};

/** Notes that the mapper adds to the label of a field, because n8n has no other place for notes. */
const FIELD_NOTES: Readonly<Record<string, string>> = {
	identifier: 'Your ID',
	priority: '0 Is First',
	isDoNotDisturbEnabled: 'No Calls',
	metadata: 'JSON',
	id: 'UUID',
};

/** The fields of a customer, for the resource mapper. */
export async function getCustomerFields(): Promise<ResourceMapperFields> {
	return {
		fields: Object.entries(customerFields).map(([id, { label, type, required }]) => ({
			id,
			displayName: id in FIELD_NOTES ? `${label} (${FIELD_NOTES[id]})` : label,
			type,
			required,
			...(type === 'options' && {
				options: ['Yes', 'No'].map((name) => ({ name, value: name.toLowerCase() })),
			}),
			defaultMatch: false,
			display: true,
		})),
	};
}
