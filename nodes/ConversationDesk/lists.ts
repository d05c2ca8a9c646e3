import { createHash } from 'crypto';
import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';
import { createClient } from '../../src/core/client';
import type { CallError, Client } from '../../src/core/client';
import type { Failure } from '../../src/core/failures';
import type { Result } from '../../src/core/result';
import { customerFields } from '../../src/customers/customer';
import type { Column } from '../../src/tickets/columns';
import { columns } from '../../src/tickets/columns';
import { findTickets, isTicketNumber, readRecentTickets } from '../../src/tickets/recentTickets';
import type { Ticket } from '../../src/tickets/ticket';
import type { ListChoice } from './choices';
import { idChoices, matching, ticketChoices } from './choices';
import { adviseSlug, listError } from './errors';
import { connect, CREDENTIAL } from './transport';

type List = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

/** Ms for which the newest tickets of an account are kept: while someone fills in a panel. */
const KEEP_MS = 60_000;
const MAX_ACCOUNTS = 10;

interface Kept {
	readonly sinceMs: number;
	readonly tickets: Promise<Result<readonly Ticket[], CallError>>;
}

/** The newest tickets by credential, since two keys of a workspace may see different tickets. */
const kept = new Map<string, Kept>();

/** What a list is read with; `valueOf` throws what the editor shows. */
interface Opened {
	readonly client: Client;
	readonly key: string;
	readonly valueOf: <T>(read: Result<T, Failure>) => T;
}

async function connected(context: ILoadOptionsFunctions): Promise<Opened> {
	const runtime = await connect(context);
	if (!runtime.ok) throw listError(context.getNode(), runtime.failure);
	const data = JSON.stringify(await context.getCredentials(CREDENTIAL));
	const key = createHash('sha256').update(data).digest('base64');
	return {
		client: createClient(runtime.value),
		key,
		valueOf: (read) => {
			if (read.ok) return read.value;
			const failure = runtime.value.hasSlug ? read.failure : adviseSlug(read.failure);
			throw listError(context.getNode(), failure);
		},
	};
}

async function recentTickets(client: Client, key: string): Promise<Kept['tickets']> {
	const known = kept.get(key);
	if (known && Date.now() - known.sinceMs < KEEP_MS) return await known.tickets;
	const tickets = readRecentTickets(client);
	kept.delete(key);
	kept.set(key, { sinceMs: Date.now(), tickets });
	for (const oldest of kept.keys()) if (kept.size > MAX_ACCOUNTS) kept.delete(oldest);
	const read = await tickets;
	// What failed is tried anew when the list is opened again.
	if (!read.ok) kept.delete(key);
	return read;
}

/** A list without choices says why, in the only words that the editor shows: a choice that chooses nothing. */
const resultOf = (
	choices: readonly ListChoice[],
	{ filter = '', none }: { readonly filter: string | undefined; readonly none: string },
): INodeListSearchResult => {
	if (choices.length === 0) return { results: [{ name: none, value: '' }] };
	return { results: matching(choices, filter) };
};

async function listIds(
	context: ILoadOptionsFunctions,
	column: Column,
	filter: string | undefined,
): Promise<INodeListSearchResult> {
	const { client, key, valueOf } = await connected(context);
	const tickets = valueOf(await recentTickets(client, key));
	const none = `No recent ticket has a value in ${columns[column].label}. Choose By ID and enter it.`;
	return resultOf(idChoices(tickets, column), { filter, none });
}

/** The agents of recent tickets. */
export const searchAgents: List = async function (filter) {
	return await listIds(this, 'agentId', filter);
};

/** The conversations of recent tickets. */
export const searchConversations: List = async function (filter) {
	return await listIds(this, 'conversationId', filter);
};

/** The values of the column of a condition in recent tickets. */
export const searchColumnValues: List = async function (filter) {
	const chosen = String(this.getCurrentNodeParameter('&column') ?? '');
	const column: Column = chosen in columns ? (chosen as Column) : 'statusId';
	return column === 'id'
		? await searchTickets.call(this, filter)
		: await listIds(this, column, filter);
};

/** The same values for a field that takes several. */
export async function getColumnValues(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return (await searchColumnValues.call(this)).results;
}

/** Recent tickets, and older ones that a number or a part of a title finds. */
export const searchTickets: List = async function (filter) {
	const { client, key, valueOf } = await connected(this);
	const recent = ticketChoices(valueOf(await recentTickets(client, key)));
	const found = matching(recent, filter);
	const none = 'There is no ticket yet, or the credential may not see it.';
	if (recent.length === 0 || !filter?.trim()) return resultOf(recent, { filter, none });
	// A number may be that of an old ticket, and a part of those of newer ones.
	if (found.length > 0 && !isTicketNumber(filter)) return { results: found };
	const older = ticketChoices(valueOf(await findTickets(client, filter)));
	const known = new Set(older.map(({ value }) => value));
	return { results: [...older, ...found.filter(({ value }) => !known.has(value))] };
};

const YES_OR_NO = ['Yes', 'No'].map((name) => ({ name, value: name.toLowerCase() }));

/** What the mapper says of a field besides its label, because n8n has no other place for it. */
const FIELD_NOTES: Readonly<Record<string, string>> = {
	identifier: 'ID in Your System',
	priority: '0 Is Called First',
	isDoNotDisturbEnabled: 'Must Not Be Called',
	metadata: 'More Data as JSON',
	id: 'UUID in Conversation Desk',
};

const nameField = (id: string, label: string): string =>
	id in FIELD_NOTES ? `${label} (${FIELD_NOTES[id]})` : label;

/** The fields of a customer, for the resource mapper. */
export async function getCustomerFields(): Promise<ResourceMapperFields> {
	return {
		fields: Object.entries(customerFields).map(([id, { label, type, required }]) => ({
			id,
			displayName: nameField(id, label),
			type,
			required,
			...(type === 'options' && { options: YES_OR_NO }),
			defaultMatch: false,
			display: true,
		})),
	};
}
