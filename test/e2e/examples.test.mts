import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import partition from 'lodash/partition.js';
import { examples, importExample, mustSucceed } from '../../tools/demo/examples.mts';
import type { Example, Settings } from '../../tools/demo/examples.mts';
import { wantedTickets } from '../../tools/demo/verify.mts';
import { hintsOf, itemsOf } from '../../tools/host/execution.mts';
import type { Execution } from '../../tools/host/execution.mts';
import { control, desk, readSheet } from './desk.mts';
import { eachRowOnce, pairedItems } from './pairing.mts';

describe('the example workflows', () => {
	beforeEach(() => control.reset({ keepTickets: true }));

	async function runExample(example: Example, settings: Settings = {}): Promise<Execution> {
		const id = await importExample(desk, example, settings);
		return mustSucceed(await desk.n8n.rest.runWorkflow(id), example);
	}

	const outputs = (execution: Execution, { node, input }: Example) =>
		([0, 1] as const).map((output) => pairedItems(execution, { node, before: input }, output));

	test('ticket-export.json writes every urgent ticket once, newest first', async () => {
		const execution = await runExample(examples.tickets);
		const rows = itemsOf(execution, examples.tickets.node);
		const wanted = wantedTickets(control.tickets());
		assert.ok(wanted.length > 100);
		const numbers = rows.map((row) => Number(row['ticketNumber']));
		assert.deepEqual(
			numbers.toSorted((a, b) => a - b),
			wanted.map(({ ticketNumber }) => Number(ticketNumber)).sort((a, b) => a - b),
		);
		const times = rows.map((row) => String(row['createdAt']));
		assert.deepEqual(times, times.toSorted().reverse());
		// The ID is always among the columns.
		assert.ok(rows.every((row) => Object.keys(row).length === 8));
		const sheet = await readSheet('tickets.csv');
		assert.deepEqual(
			sheet.map((row) => Number(row['ticketNumber'])),
			numbers,
		);
	});

	test('customer-sync.json stores every accepted row as it says, and names every other', async () => {
		const execution = await runExample(examples.customers);
		const [rows = []] = outputs(execution, examples.customers);
		const [accepted, rejected] = partition(rows, ({ json }) => json['outcome'] === 'accepted');
		eachRowOnce(500, accepted, rejected);
		const stored = new Map(
			control.customers().map((each) => [each.customer.identifier, each] as const),
		);
		assert.equal(new Set(accepted.map(({ input }) => input['Record ID'])).size, stored.size);
		for (const { input, json } of accepted) {
			const customer = stored.get(String(input['Record ID']));
			assert.ok(customer, `${String(input['Record ID'])} is not stored`);
			assert.ok(customer.jobIds.includes(String(json['jobId'])));
		}
		for (const { input, json, row } of rejected) {
			assert.equal(json['Record ID'], input['Record ID']);
			// The second of two rows with one identifier is left out; the others were rejected for their content.
			const isSecond = stored.has(String(input['Record ID']));
			assert.match(
				String(json['reason']),
				new RegExp(`^${isSecond ? 'Row \\d+ has the same' : "'"}`),
			);
			assert.deepEqual(
				[json['row'], json['outcome']],
				[row + 1, isSecond ? 'notSent' : 'rejected'],
			);
		}
		const hint = hintsOf(execution, examples.customers.node).join();
		assert.match(
			hint,
			new RegExp(`500 rows, ${control.counts().requests.createCustomers} request`),
		);
		assert.equal((await readSheet('customers-accepted.csv')).length, accepted.length);
		assert.equal((await readSheet('customers-rejected.csv')).length, rejected.length);
	});

	test('outbound-campaign.json calls every person at most once, and only those who may be', async () => {
		const execution = await runExample(examples.calls, { dryRun: false });
		const rows = itemsOf(execution, examples.calls.input);
		const [started = [], missed = []] = outputs(execution, examples.calls);
		eachRowOnce(rows.length, started, missed);
		assert.ok(started.length > 50 && missed.length > 5);
		const { conversations, callsPerNumber } = control.conversations();
		assert.equal(conversations.length, started.length);
		assert.ok(Object.values(callsPerNumber).every((times) => times === 1));
		const byId = new Map(conversations.map((each) => [each.id, each]));
		for (const { input, json } of started) {
			const conversation = byId.get(String(json['conversationId']));
			assert.equal(conversation?.toPhoneNumber, json['toPhoneNumber']);
			assert.equal(conversation?.dynamicVariables['firstName'], input['First Name']);
			assert.equal(conversation?.agentId, desk.target.agentId);
		}
		const digits = (phone: unknown) => String(phone).replace(/\D/g, '').replace(/^00/, '');
		const called = new Set(Object.keys(callsPerNumber).map(digits));
		const protectedRows = itemsOf(execution, 'Rows of the Sheet').filter(
			(row) => row['Do Not Call'] === true,
		);
		assert.ok(protectedRows.length > 20);
		assert.ok(protectedRows.every((row) => !called.has(digits(row['Phone Number']))));
	});
});
