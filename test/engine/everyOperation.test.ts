import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { ConversationDesk } from '../../nodes/ConversationDesk/ConversationDesk.node';
import { operations } from '../../src/operations';
import { mappedAutomatically } from '../support/panel';
import { runNode } from '../support/runNode';
import { PHONE, uuidOf } from '../support/samples';
import type { Received, Scripted } from '../support/service';
import { forget, serve } from '../support/service';

const id = uuidOf(1);
const { properties } = new ConversationDesk().description;

const names = Object.entries(operations).flatMap(([resource, named]) =>
	Object.keys(named).map((operation) => [resource, operation] as const),
);

function response({ path }: Received): Scripted {
	const body = path.endsWith('/tickets/search')
		? { data: [{ id, ticketNumber: 42 }], metadata: { hasNextPage: false } }
		: path.endsWith('/customers/batch')
			? { jobId: 'job-1' }
			: path.endsWith('/conversations')
				? [{ id }]
				: { id };
	return { status: 200, body };
}

/** The parameters that the panel shows for an operation, without Resource and Operation themselves. */
const shownFor = (resource: string, operation: string): INodeProperties[] =>
	properties.filter(
		({ displayOptions }) =>
			displayOptions?.show?.['resource']?.includes(resource) &&
			displayOptions.show['operation']?.includes(operation) &&
			!displayOptions.show['@tool'],
	);

/** What has to be filled in besides the credential. */
const min: Readonly<Record<string, INodeParameters>> = {
	'ticket.search': {},
	'ticket.get': { ticketId: '={{ $json.number }}' },
	'customer.createBatch': { customer: mappedAutomatically },
	'customer.upsertBatch': { customer: mappedAutomatically },
	'conversation.create': { dryRun: false, agentId: id, toPhoneNumber: '={{ $json.phone }}' },
	'conversation.get': { conversationId: '={{ $json.id }}' },
};

const row: IDataObject = { number: 42, 'Record ID': 'C-1', phone: PHONE, id };

afterEach(forget);

it.each(names)('%s: %s runs with its defaults', async (resource, operation) => {
	serve(response);
	const parameters = { resource, operation, ...min[`${resource}.${operation}`] };
	const { main, error } = await runNode({ rows: [row], parameters });
	expect(error).toBeUndefined();
	expect(main).toHaveLength(1);
});

it.each(names.filter(([, operation]) => operation !== 'search'))(
	'%s: %s says what is missing when the row holds none of it',
	async (resource, operation) => {
		const received = serve(response);
		// Fields that are empty themselves are named by n8n before the run.
		const parameters = { resource, operation, ...min[`${resource}.${operation}`] };
		const { error } = await runNode({ rows: [{}], parameters });
		expect(received).toEqual([]);
		const text = `${error?.message ?? ''} ${error?.description ?? ''}`;
		expect(text).toMatch(/is (empty|missing)\. (Enter|Every)/);
		expect(text).not.toMatch(JARGON);
	},
);

/** Words of libraries and programs, which say nothing to a person. */
const JARGON = /invalid (input|option)|expected|received|undefined|\[object|NaN|zod|TypeError/i;

/** Every parameter of an operation with a value that it cannot hold. */
const wrong = names.flatMap(([resource, operation]) =>
	shownFor(resource, operation).flatMap((property) => {
		const options = property.name === 'options' ? (property.options ?? []) : [];
		return property.name === 'options'
			? options.map((option) => [resource, operation, `options.${option.name}`] as const)
			: [[resource, operation, property.name] as const];
	}),
);

it.each(wrong)(
	'%s: %s takes or refuses a wrong %s in words for people',
	async (resource, operation, name) => {
		serve(response);
		const value = '={{ ({ not: ["right"] }) }}';
		const [first = '', second] = name.split('.');
		const parameters = {
			resource,
			operation,
			...min[`${resource}.${operation}`],
			[first]: second === undefined ? value : { [second]: value },
		};
		const { main, error } = await runNode({
			rows: [row],
			parameters,
			settings: { onError: 'continueRegularOutput' },
		});
		expect(error).toBeUndefined();
		expect(main).toHaveLength(1);
		expect(String(main[0]?.json['error'] ?? '')).not.toMatch(JARGON);
	},
);
