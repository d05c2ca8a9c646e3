import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOf, itemsOf } from '../../tools/host/execution.mts';
import type { Execution, Json } from '../../tools/host/execution.mts';
import { calling, control, everyoneOnce, itemsFrom } from '../e2e/desk.mts';
import { nodeName, ownNode, run } from '../e2e/desk.mts';
import { eachRowOnce, pairedItems } from '../e2e/pairing.mts';

const where = { node: nodeName, before: 'splitOut' };

const people = Array.from({ length: 12 }, (_, index) => ({
	id: `P-${index}`,
	name: `Person ${index}`,
	phone: `+1415558${String(1000 + index)}`,
}));

const create = calling({
	dynamicVariables: { variables: [{ name: 'name', value: '={{ $json.name }}' }] },
	options: { batching: { batch: { batchSize: 5 } } },
}).parameters;

/** Runs one operation over these rows; a failure ends the test with n8n's own words. */
async function runOver(rows: readonly Json[], parameters: Json): Promise<Execution> {
	const name = `${String(parameters['resource'])} ${String(parameters['operation'])}`;
	const execution = await run(name, [...itemsFrom(rows), ownNode(parameters)]);
	assert.equal(execution.status, 'success', errorOf(execution)?.message);
	return execution;
}

test('Ticket: Search returns all that match three conditions', async () => {
	control.reset({ keepTickets: true });
	const wanted = control
		.tickets()
		.filter(({ priority, title, ticketNumber }) => {
			const fits = priority === 'urgent' || priority === 'high';
			return fits && Number(ticketNumber) > 20 && /a/i.test(String(title));
		})
		.map(({ ticketNumber }) => Number(ticketNumber));
	const conditions = [
		{ column: 'priority', operator: 'in', priorityValues: ['urgent', 'high'] },
		{ column: 'ticketNumber', operator: 'gt', numberValue: 20 },
		{ column: 'title', operator: 'contains', value: 'a' },
	];
	const execution = await runOver([{}], {
		resource: 'ticket',
		operation: 'search',
		returnAll: true,
		filters: { conditions },
		options: {},
	});
	const numbers = itemsOf(execution, nodeName).map((item) => Number(item['ticketNumber']));
	assert.ok(wanted.length > 100, `${wanted.length} match`);
	const inOrder = (list: number[]) => list.toSorted((a, b) => a - b);
	assert.deepEqual(inOrder(numbers), inOrder(wanted));
});

test('Ticket: Get reads a ticket for each row', async () => {
	const execution = await runOver([{ number: 7 }, { number: 3 }], {
		resource: 'ticket',
		operation: 'get',
		ticketId: '={{ $json.number }}',
		options: {},
	});
	const pairs = pairedItems(execution, where, 0);
	eachRowOnce(2, pairs);
	for (const { input, json } of pairs) assert.equal(Number(json['ticketNumber']), input['number']);
});

test('Customer: Create Batch sends the mapped fields and pairs each row', async () => {
	control.reset({ keepTickets: true });
	const execution = await runOver(people, {
		resource: 'customer',
		operation: 'createBatch',
		dryRun: false,
		customer: {
			mappingMode: 'defineBelow',
			value: { identifier: '={{ $json.id }}', phoneNumber: '={{ $json.phone }}' },
		},
		options: { batching: { batch: { batchSize: 5 } } },
	});
	const accepted = pairedItems(execution, where, 0);
	eachRowOnce(people.length, accepted);
	assert.ok(accepted.every(({ json }) => json['outcome'] === 'accepted' && json['jobId']));
	const stored = control.customers().map(({ customer }) => customer);
	assert.deepEqual(
		stored.map(({ identifier, phoneNumber }) => [identifier, phoneNumber]).sort(),
		people.map(({ id, phone }) => [id, phone]).sort(),
	);
	assert.equal(control.counts().requests.createCustomers, 3);
});

test('Conversation: Create shows in a dry run what it would send, and sends nothing', async () => {
	control.reset({ keepTickets: true });
	const execution = await runOver(people, { ...create, dryRun: true });
	eachRowOnce(people.length, pairedItems(execution, where, 0));
	assert.equal(control.counts().total, 0);
});

test('Conversation: Create and Get call each person once and read the conversation', async () => {
	control.reset({ keepTickets: true });
	const execution = await runOver(people, create);
	const started = pairedItems(execution, where, 0);
	eachRowOnce(people.length, started);
	everyoneOnce(control, people);
	const rows = started.map(({ json }) => ({ id: json['conversationId'] }));
	const read = await runOver(rows, {
		resource: 'conversation',
		operation: 'get',
		conversationId: '={{ $json.id }}',
	});
	const got = pairedItems(read, where, 0);
	eachRowOnce(people.length, got);
	const numbers = got.map(({ json }) => json['toPhoneNumber']);
	assert.deepEqual(
		numbers,
		started.map(({ json }) => json['toPhoneNumber']),
	);
});
