import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { operations } from '../../src/operations';
import { columnNames, columns } from '../../src/tickets/columns';
import { exampleValue } from '../support/exampleValues';
import { mapped } from '../support/panel';
import { runNode } from '../support/runNode';
import { PHONE, uuidOf } from '../support/samples';
import type { Received, Scripted } from '../support/service';
import { forget, serve } from '../support/service';

const id = uuidOf(1);

const ticket = Object.fromEntries(
	columnNames.map((name) => [name, exampleValue(columns[name].kind)]),
);

/** A conversation with every field of the interface, as it comes after a call. */
const conversation = {
	...{ id, phoneId: null, agentId: id, workspaceId: id, wsUrl: null, llmUrl: null },
	callStartTime: '2026-05-01T10:00:00.000Z',
	callEndTime: '2026-05-01T10:01:30.000Z',
	userJoinTime: null,
	userLeaveTime: '2026-05-01T10:01:30.000Z',
	...{ customerId: id, toPhoneNumber: PHONE, fromPhoneNumber: null },
	...{ conversationStatus: 'completed', telephonyType: 'outbound', telephonyStatus: null },
	...{ endReason: 'user_did_not_answer', recordingStatus: null, postCallNotes: 'Call again' },
	...{ postCallCategory1: 'a', postCallCategory2: 'b', postCallCategory3: 'c' },
	postCallMetadata: { score: 1 },
	conversationType: 'telephony',
	dynamicVariables: '{"firstName":"Ana"}',
	summary: 'No one answered',
	createdAt: '2026-05-01T10:00:00.000Z',
	updatedAt: '2026-05-01T10:02:00.000Z',
};

/** A service that answers every call with all that the interface shows. */
function response({ path }: Received): Scripted {
	if (path.endsWith('/tickets/search'))
		return { status: 200, body: { data: [ticket], metadata: { hasNextPage: false } } };
	if (path.endsWith('/customers/batch')) return { status: 200, body: { jobId: 'job-1' } };
	if (path.endsWith('/conversations'))
		return { status: 200, body: { conversations: [{ id }, { id: id.replace(/.$/, '9') }] } };
	return { status: 200, body: conversation };
}

const customer = mapped({
	...{ identifier: '={{ $json.n }}', name: 'Ana', phoneNumber: PHONE },
	...{ email: 'ana@example.com', priority: 1 },
});

const parametersOf: Readonly<Record<string, INodeParameters>> = {
	'ticket.search': {},
	'ticket.get': { ticketId: '42' },
	'customer.createBatch': { customer },
	'customer.upsertBatch': { customer },
	'conversation.create': { dryRun: false, agentId: id, toPhoneNumber: '=+1415555010{{ $json.n }}' },
	'conversation.get': { conversationId: id },
};

const names = Object.entries(operations).flatMap(([resource, named]) =>
	Object.keys(named).map((operation) => `${resource}.${operation}`),
);

/** What comes out of an operation with all that its fields can hold. */
async function itemsOf(name: string, more: INodeParameters = {}): Promise<IDataObject[]> {
	serve(response);
	const [resource = '', operation = ''] = name.split('.');
	const parameters = { resource, operation, ...parametersOf[name], ...more };
	const { main, error } = await runNode({ rows: [{ n: 1 }, { n: 2 }], parameters });
	expect(error).toBeUndefined();
	return main.map(({ json }) => json);
}

/** The fields that the editor shows for an operation before its first run. */
function shownFor(name: string): string[] {
	const [resource = '', operation = ''] = name.split('.');
	const schema = operations[resource]?.[operation]?.output ?? z.object({});
	const { properties = {} } = z.toJSONSchema(schema, { unrepresentable: 'any' });
	return Object.keys(properties).sort();
}

afterEach(forget);

it.each(names)(
	'%s puts out the fields that the editor shows before the first run',
	async (name) => {
		const items = await itemsOf(name);
		expect(items.length).toBeGreaterThan(0);
		for (const item of items) expect(Object.keys(item).sort()).toEqual(shownFor(name));
	},
);

it.each(names)('the values of %s are of the kinds that the editor shows', async (name) => {
	const [resource = '', operation = ''] = name.split('.');
	const items = await itemsOf(name);
	for (const item of items)
		expect(operations[resource]?.[operation]?.output.safeParse(item).error).toBeUndefined();
});

it('a conversation that was waited for has the same fields', async () => {
	const [item = {}] = await itemsOf('conversation.get', { waitUntilFinished: true });
	expect(Object.keys(item).sort()).toEqual(shownFor('conversation.get'));
});

/** What an option puts out instead; the editor can show one schema for an operation only, that of its defaults. */
const others: Array<[string, string, INodeParameters, string[]]> = [
	[
		'a dry run of customers',
		'customer.createBatch',
		{ dryRun: true },
		[
			...['batch', 'dryRun', 'email', 'identifier', 'name', 'outcome', 'phoneNumber', 'priority'],
			...['reason', 'row'],
		],
	],
	[
		'a dry run of conversations',
		'conversation.create',
		{ dryRun: true },
		[
			...['agentId', 'batch', 'conversationType', 'dryRun', 'dynamicVariables', 'outcome'],
			...['reason', 'row', 'toPhoneNumber'],
		],
	],
	[
		'one item for each request of customers',
		'customer.createBatch',
		{ options: { outputAs: 'requests' } },
		['batch', 'count', 'customers', 'jobId', 'outcome'],
	],
	[
		'one item for each request of conversations',
		'conversation.create',
		{ options: { outputAs: 'requests' } },
		['batch', 'conversations', 'count', 'outcome'],
	],
	[
		'all tickets in one item',
		'ticket.search',
		{ options: { outputAs: 'oneItem' } },
		['count', 'tickets'],
	],
	[
		'a conversation that is not simplified',
		'conversation.get',
		{ output: 'raw' },
		Object.keys(conversation).sort(),
	],
	[
		'a conversation that was waited for and is not simplified',
		'conversation.get',
		{ output: 'raw', waitUntilFinished: true },
		[...Object.keys(conversation), 'finished'].sort(),
	],
];

it.each(others)('%s puts out fields of its own', async (_, name, more, fields) => {
	for (const item of await itemsOf(name, more)) expect(Object.keys(item).sort()).toEqual(fields);
});
