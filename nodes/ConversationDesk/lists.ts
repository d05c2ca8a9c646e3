import { hash } from 'crypto';
import { groupBy, orderBy } from 'lodash';
import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';
import { createClient } from '../../src/core/client';
import { isBlank } from '../../src/core/plainText';
import { fail, ok, type Result } from '../../src/core/result';
import { plural, shorten } from '../../src/core/words';
import { customerFields } from '../../src/customers/customer';
import { columnNames, columns, listColumns, type Column } from '../../src/tickets/columns';
import { FAST, runSearches } from '../../src/tickets/search/runSearches';
import type { Ticket } from '../../src/tickets/ticket';
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
	const key = hash('sha256', data, 'base64');
	if (cachedTickets?.key !== key || Date.now() - cachedTickets.sinceMs >= KEEP_MS)
		cachedTickets = { key, sinceMs: Date.now(), tickets: requestRecentTickets(context) };
	const read = await cachedTickets.tickets;
	if (read.ok) return read.value;
	// A failed list is read again when it is opened again.
	cachedTickets = undefined;
	throw createFailureError(context.getNode(), read.failure, createLabeler([]));
}

/** The newest tickets, with the columns that the lists show. */
const RECENT = {
	query: { filters: {}, sort: [], select: [...listColumns('identifier'), 'ticketNumber', 'title'] },
	limit: 1_000,
} as const;

/** Reads the newest tickets. After a failure, returns those read so far, if any. */
async function requestRecentTickets(context: ILoadOptionsFunctions): Promise<TicketsResult> {
	const connected = await connect(context);
	if (!connected.ok) return connected;
	// A list that takes longer is of no use in a panel.
	const reading = { ...FAST, timeoutMs: 15_000 };
	const { results } = await runSearches([RECENT], reading, createClient(connected.value));
	const { rows = [], failure } = results[0] ?? {};
	return failure && rows.length === 0 ? fail(failure) : ok(rows);
}

/** Lists recent tickets for the column `id`, or their values of another column. Explains an empty list by an entry. */
async function listChoices(
	context: ILoadOptionsFunctions,
	column: Column,
	filter?: string,
): Promise<INodeListSearchResult> {
	const tickets = await readCachedTickets(context);
	const choices = column === 'id' ? ticketChoices(tickets) : idChoices(tickets, column);
	if (choices.length > 0) return { results: filterChoices(choices, filter) };
	const name =
		column === 'id'
			? 'There is no ticket yet, or the credential may not see it.'
			: `No recent ticket has a value in ${columns[column].label}. Choose By ID and enter it.`;
	// The editor shows a text only as an entry.
	return { results: [{ name, value: '' }] };
}

/** Makes the method that n8n calls to fill the list of a parameter with values of a column. */
const createSearch = (column: Column): SearchMethod =>
	async function (filter) {
		return await listChoices(this, column, filter);
	};

export const searchAgents = createSearch('agentId');
export const searchConversations = createSearch('conversationId');
export const searchTickets = createSearch('id');

/** The values of the column of a condition in recent tickets. */
export const searchColumnValues: SearchMethod = async function (filter) {
	// '&' reads the parameter beside this one. Without a known column, the list has statuses.
	const chosen = String(this.getCurrentNodeParameter('&column') ?? '');
	const column = columnNames.find((name) => name === chosen) ?? 'statusId';
	return await listChoices(this, column, filter);
};

/** The values of the column of a condition, for a field that takes several. */
export async function getColumnValues(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return (await searchColumnValues.call(this)).results;
}

type ListChoice = Readonly<Record<'name' | 'value', string>>;

/** Formats a ticket by its number and title: "#1042 Refund for order 2214". */
function ticketName({ ticketNumber, title }: Ticket): string {
	const text = typeof title === 'string' ? shorten(title.trim(), 60) : '';
	return `#${String(ticketNumber ?? '?')} ${text}`.trim();
}

/** Converts tickets to choices of a list. Tickets without an ID are left out. */
const ticketChoices = (tickets: readonly Ticket[]): ListChoice[] =>
	tickets.flatMap((ticket) =>
		isBlank(ticket['id']) ? [] : [{ name: ticketName(ticket), value: String(ticket['id']) }],
	);

/** Lists the IDs in a column, the most frequent first: "0b6a6b7e… · 37 tickets · newest #1042 Refund". */
function idChoices(tickets: readonly Ticket[], column: Column): ListChoice[] {
	const filled = tickets.filter((ticket) => typeof ticket[column] === 'string' && ticket[column]);
	const groups = orderBy(Object.values(groupBy(filled, column)), 'length', 'desc');
	return groups.map((group) => {
		// The tickets are newest first.
		const newest = group[0] ?? {};
		const value = String(newest[column]);
		const count = plural(group.length, 'ticket');
		return { name: `${value.slice(0, 8)}… · ${count} · newest ${ticketName(newest)}`, value };
	});
}

/** Returns the choices whose name contains a text, or whose value begins with it. Ignores case. */
function filterChoices(choices: readonly ListChoice[], text = ''): ListChoice[] {
	const wanted = text.trim().toLowerCase();
	return choices.filter(
		({ name, value }) =>
			name.toLowerCase().includes(wanted) || value.toLowerCase().startsWith(wanted),
	);
}

/** Notes that the mapper adds to the label of a field, because n8n has no other place for notes. */
const FIELD_NOTES: Readonly<Record<string, string>> = {
	identifier: 'Your ID',
	priority: '0 Is First',
	isDoNotDisturbEnabled: 'No Calls',
	metadata: 'JSON',
	id: 'UUID',
};

/** Returns the fields of a customer for n8n's mapper. Only Do Not Disturb has options: Yes and No. */
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
