import set from 'lodash/set';
import union from 'lodash/union';
import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { ConversationDesk } from '../../nodes/ConversationDesk/ConversationDesk.node';
import { operations } from '../../src/operations';
import { columnNames, columns } from '../../src/tickets/columns';
import { exampleValues } from '../support/exampleValues';
import { calls, mapped } from '../support/panel';
import { runNode } from '../support/runNode';
import { AGENT, listOf, PHONE, phoneOf, uuidOf } from '../support/samples';
import type { Received, Scripted } from '../support/service';
import { forget, serve } from '../support/service';

const id = uuidOf(1);
const { properties } = new ConversationDesk().description;

const names = Object.entries(operations).flatMap(([resource, named]) =>
	Object.keys(named).map((operation) => `${resource}.${operation}`),
);

const partsOf = (name: string): [resource: string, operation: string] => {
	const [resource = '', operation = ''] = name.split('.');
	return [resource, operation];
};

const operationOf = (name: string) => {
	const [resource, operation] = partsOf(name);
	return operations[resource]?.[operation];
};

/** The parameters that the panel shows for an operation, without Resource and Operation themselves. */
function parametersShown(name: string): INodeProperties[] {
	const [resource, operation] = partsOf(name);
	return properties.filter(
		({ displayOptions }) =>
			displayOptions?.show?.['resource']?.includes(resource) &&
			displayOptions.show['operation']?.includes(operation) &&
			!displayOptions.show['@tool'],
	);
}

const ticket = Object.fromEntries(
	columnNames.map((name) => [name, exampleValues[columns[name].kind]]),
);

/** A conversation with every field of the interface, after a call. */
const conversation = {
	id,
	phoneId: null,
	agentId: id,
	workspaceId: id,
	wsUrl: null,
	llmUrl: null,
	callStartTime: '2026-05-01T10:00:00.000Z',
	callEndTime: '2026-05-01T10:01:30.000Z',
	userJoinTime: null,
	userLeaveTime: '2026-05-01T10:01:30.000Z',
	customerId: id,
	toPhoneNumber: PHONE,
	fromPhoneNumber: null,
	conversationStatus: 'completed',
	telephonyType: 'outbound',
	telephonyStatus: null,
	endReason: 'user_did_not_answer',
	recordingStatus: null,
	postCallNotes: 'Call again',
	postCallCategory1: 'a',
	postCallCategory2: 'b',
	postCallCategory3: 'c',
	postCallMetadata: { score: 1 },
	conversationType: 'telephony',
	dynamicVariables: '{"firstName":"Ana"}',
	summary: 'No one answered',
	createdAt: '2026-05-01T10:00:00.000Z',
	updatedAt: '2026-05-01T10:02:00.000Z',
};

/** A service that answers every call with all that the interface shows. */
function response({ path, body }: Received): Scripted {
	if (path.endsWith('/tickets/search'))
		return { status: 200, body: { data: [ticket], metadata: { hasNextPage: false } } };
	if (path.endsWith('/customers/batch')) return { status: 200, body: { jobId: 'job-1' } };
	if (path.endsWith('/conversations'))
		return {
			status: 200,
			body: listOf(body, 'conversations').map((_, i) => ({ id: uuidOf(i + 1) })),
		};
	return { status: 200, body: conversation };
}

const customer = mapped({
	identifier: '={{ $json.n }}',
	name: 'Ana',
	phoneNumber: '={{ $json.phone }}',
	email: 'ana@example.com',
	priority: 1,
});

/** The required parameters besides the credential, and all fields of a customer. */
const min: Readonly<Record<string, INodeParameters>> = {
	'ticket.get': { ticketId: '={{ $json.ticket }}' },
	'customer.createBatch': { customer, dryRun: false },
	'customer.upsertBatch': { customer, dryRun: false },
	'conversation.create': {
		...calls,
		dynamicVariables: { variables: [{ name: 'n', value: '={{ $json.n }}' }] },
	},
	'conversation.get': { conversationId: '={{ $json.id }}' },
};

function parametersFor(name: string): INodeParameters {
	const [resource, operation] = partsOf(name);
	return { resource, operation, ...min[name] };
}

const rows: IDataObject[] = [1, 2].map((n) => ({ n, phone: phoneOf(n), id, ticket: 42 }));

afterEach(forget);

/** The items of an operation whose response has every field. */
async function itemsOf(name: string, more: INodeParameters = {}): Promise<IDataObject[]> {
	serve(response);
	const parameters = { ...parametersFor(name), ...more };
	const { main, error } = await runNode({ rows, parameters });
	expect(error).toBeUndefined();
	return main.map(({ json }) => json);
}

const sentCustomers = rows.map(({ n, phone }) => ({
	source: { method: 'api' },
	identifier: String(n),
	name: 'Ana',
	phoneNumber: phone,
	email: 'ana@example.com',
	priority: 1,
}));
const sentConversations = rows.map(({ n, phone: toPhoneNumber }) => ({
	agentId: AGENT,
	conversationType: 'telephony',
	toPhoneNumber,
	dynamicVariables: { n },
}));
const sortById = { field: 'id', direction: 'asc' };
const foundTickets = {
	filters: { priority: { in: ['urgent'] }, createdAt: { gte: '2025-12-31T23:00:00.000Z' } },
	pagination: { limit: 20, offset: 10 },
	sort: [
		{ field: 'createdAt', direction: 'desc' },
		{ field: 'ticketNumber', direction: 'asc' },
		sortById,
	],
	// The others identify tickets, and show whether the service ignores a filter.
	select: { id: true, title: true, ticketNumber: true, priority: true, createdAt: true },
};
const searching: INodeParameters = {
	filters: {
		conditions: [
			{ column: 'priority', operator: 'in', priorityValues: ['urgent'] },
			{ column: 'createdAt', operator: 'gte', dateValue: '2026-01-01T00:00:00' },
		],
	},
	sort: { rules: [{ column: 'createdAt', direction: 'desc' }] },
	limit: 20,
	output: 'selected',
	columns: ['id', 'title'],
	options: { offset: 10 },
};
const byNumber = {
	filters: { ticketNumber: { eq: 42 } },
	pagination: { limit: 2, offset: 0 },
	sort: [{ field: 'ticketNumber', direction: 'desc' }, sortById],
};
const inserted = { customers: sentCustomers, strategy: 'insert', partial: false };
const upserted = { customers: sentCustomers, strategy: 'upsert' };

it.each<[string, string, object | undefined, INodeParameters]>([
	['ticket.search', 'POST /tickets/search', foundTickets, searching],
	['ticket.get', 'POST /tickets/search', byNumber, { output: 'raw' }],
	['customer.createBatch', 'POST /customers/batch', inserted, {}],
	['customer.upsertBatch', 'POST /customers/batch', upserted, {}],
	['conversation.create', 'POST /conversations', { conversations: sentConversations }, {}],
	['conversation.get', `GET /conversations/${id}`, undefined, {}],
])('%s sends what the interface describes, and pairs each item', async (name, call, body, more) => {
	const received = serve(response);
	const { main } = await runNode({ rows, parameters: { ...parametersFor(name), ...more } });
	expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual([
		call.replace(' ', ' /api/v2'),
	]);
	expect(received[0]?.body).toEqual(body);
	expect(main.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
});

/** The fields of an item besides the columns of its row, which only tickets do not repeat. */
function withColumns(name: string, fields: readonly string[]): string[] {
	const carried = name.startsWith('ticket') ? [] : Object.keys(rows[0] ?? {});
	return union(fields, carried).sort();
}

/** The fields that the editor shows for an operation before its first run. */
function shownFor(name: string): string[] {
	const schema = operationOf(name)?.output ?? z.object({});
	const { properties = {} } = z.toJSONSchema(schema, { unrepresentable: 'any' });
	return withColumns(name, Object.keys(properties));
}

it.each(names)(
	'%s puts out the fields that the editor shows before the first run, with values of their kinds',
	async (name) => {
		const items = await itemsOf(name);
		expect(items.length).toBeGreaterThan(0);
		for (const item of items) {
			expect(Object.keys(item).sort()).toEqual(shownFor(name));
			expect(operationOf(name)?.output.safeParse(item).error).toBeUndefined();
		}
	},
);

it('a conversation that was waited for has the same fields', async () => {
	const [item = {}] = await itemsOf('conversation.get', { waitUntilFinished: true });
	expect(Object.keys(item).sort()).toEqual(shownFor('conversation.get'));
});

/** Other outputs by option, because the editor shows one schema per operation, for its defaults. */
const variants: Array<[string, string, INodeParameters, string]> = [
	[
		'a dry run of customers',
		'customer.createBatch',
		{ dryRun: true },
		'outcome reason identifier name phoneNumber email priority row request dryRun',
	],
	[
		'a dry run of conversations',
		'conversation.create',
		{ dryRun: true },
		'outcome reason toPhoneNumber variables row request dryRun planId',
	],
	[
		'a conversation that is not simplified',
		'conversation.get',
		{ output: 'raw' },
		Object.keys(conversation).join(' '),
	],
	[
		'a conversation that was waited for and is not simplified',
		'conversation.get',
		{ output: 'raw', waitUntilFinished: true },
		`${Object.keys(conversation).join(' ')} finished`,
	],
];

it.each(variants)('%s puts out fields of its own', async (_, name, more, fields) => {
	for (const item of await itemsOf(name, more))
		expect(Object.keys(item).sort()).toEqual(withColumns(name, fields.split(' ')));
});

it.each(names.filter((name) => name !== 'ticket.search'))(
	'%s says what is missing when the row holds none of it',
	async (name) => {
		const received = serve(response);
		// Fields that are empty themselves are named by n8n before the run.
		const { error, hints } = await runNode({ rows: [{}], parameters: parametersFor(name) });
		expect(received).toEqual([]);
		const text = [error?.message, error?.description, ...hints].join(' ');
		expect(text).toMatch(/is (empty|missing)\. (Enter|Every)|(which|that) no row has/);
		expect(text).not.toMatch(JARGON);
	},
);

it.each(names)('%s refuses one expression in place of all options', async (name) => {
	const received = serve(response);
	const parameters = { ...parametersFor(name), options: '={{ ({ timeout: 60 }) }}' };
	const { error } = await runNode({ rows, parameters });
	expect(error?.message).toContain("'Options' is one expression, and n8n keeps nothing of it");
	expect(received).toEqual([]);
});

/** Words of libraries and programs, which say nothing to a person. */
const JARGON = /invalid (input|option)|expected|received|undefined|\[object|NaN|zod|TypeError/i;

/** Every parameter of an operation, each option separately. */
const entered = names.flatMap((operation) =>
	parametersShown(operation).flatMap(({ name, options = [] }) =>
		name === 'options'
			? options.map((option) => [operation, `options.${option.name}`] as const)
			: [[operation, name] as const],
	),
);

it.each(entered)('%s takes or refuses a wrong %s in words for people', async (operation, name) => {
	serve(response);
	const parameters = set(parametersFor(operation), name, '={{ ({ not: ["right"] }) }}');
	const { main, error } = await runNode({
		rows: rows.slice(0, 1),
		parameters,
		settings: { onError: 'continueRegularOutput' },
	});
	expect(error).toBeUndefined();
	expect(main).toHaveLength(1);
	expect(String(main[0]?.json['error'] ?? '')).not.toMatch(JARGON);
});
