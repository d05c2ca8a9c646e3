import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { call, goodHeaders, open } from './client.mts';

describe('control', () => {
	let sandbox: Awaited<ReturnType<typeof open>>;
	before(async () => {
		sandbox = await open({ tickets: 10 });
	});
	beforeEach(() => sandbox.control.reset());
	after(() => sandbox.close());

	it('remembers requests without their secrets, even those it did not answer', async () => {
		await sandbox.act('setFaults', [{ kind: 'resetBefore', operation: 'createCustomers' }]);
		await assert.rejects(sandbox.batch({ customers: [{ identifier: 'a' }] }));
		const { json, text } = await sandbox.act('received');
		const [first] = json as unknown as Array<Record<string, unknown>>;
		assert.deepEqual(first?.['body'], { customers: [{ identifier: 'a' }] });
		assert.equal(first?.['operation'], 'createCustomers');
		assert.equal(first?.['fault'], 'resetBefore');
		assert.equal((first?.['headers'] as Record<string, string>)['x-api-key'], 'correct');
		assert.equal((first?.['headers'] as Record<string, string>)['authorization'], 'correct');
		assert.ok(!text.includes('sandbox-key') && !text.includes('sandbox-token'));
		await sandbox.post('/tickets/search', {}, { ...goodHeaders, 'x-api-key': 'secret' });
		const after = await sandbox.act('received');
		assert.ok(after.text.includes('"wrong"') && !after.text.includes('secret'));
	});

	it('counts requests, rows and how many ran at once', async () => {
		sandbox.control.setOptions({ latencyMs: 1_000 });
		await Promise.all(Array.from({ length: 8 }, () => sandbox.search({})));
		await sandbox.create({ conversations: [call('+14155550100')] });
		const { json } = await sandbox.act('counts');
		const requests = { searchTickets: 8, createCustomers: 0 };
		assert.deepEqual({ ...(json['requests'] as object), ...requests }, json['requests']);
		assert.equal((json['maxConcurrent'] as Record<string, number>)['searchTickets'], 8);
		assert.equal(json['ticketsReturned'], 80);
		assert.equal(json['conversationsCreated'], 1);
		assert.equal(json['total'], 9);
	});

	it('stores, changes, deletes and invents tickets', async () => {
		const { json } = await sandbox.act('insertTickets', [{ title: 'a' }, { ticketNumber: 99 }]);
		const [first, second] = json as unknown as string[];
		await sandbox.act('changeTicket', { id: first, set: { title: 'b' } });
		const found = await sandbox.search({ filters: { title: { eq: 'b' } } });
		assert.equal(found.json.data?.[0]?.['ticketNumber'], 11);
		assert.equal((await sandbox.act('deleteTickets', [first, second])).text, '2');
		await sandbox.act('seedTickets', 7);
		assert.equal((await sandbox.act('countTickets')).text, '17');
	});

	it('refuses a control that it does not know', async () => {
		assert.equal((await sandbox.act('nothing', {})).status, 404);
		assert.equal((await sandbox.act('setFaults', [{ kind: 'flood' }])).status, 400);
		assert.equal((await sandbox.act('setOptions', { speed: 1 })).status, 400);
		assert.equal((await sandbox.act('insertTickets', [{ priority: 'normal' }])).status, 400);
		assert.throws(() => sandbox.control.insertTickets([{ source: 'fax' }]));
	});
});
