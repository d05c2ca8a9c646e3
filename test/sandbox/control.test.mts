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
		await sandbox.ask('POST', '/faults', [{ kind: 'resetBefore', operation: 'createCustomers' }]);
		await assert.rejects(sandbox.batch({ customers: [{ identifier: 'a' }] }));
		const { json, text } = await sandbox.ask('GET', '/received');
		const [first] = json as unknown as Array<Record<string, unknown>>;
		assert.deepEqual(first?.['body'], { customers: [{ identifier: 'a' }] });
		assert.equal(first?.['operation'], 'createCustomers');
		assert.equal(first?.['fault'], 'resetBefore');
		assert.equal((first?.['headers'] as Record<string, string>)['x-api-key'], 'correct');
		assert.equal((first?.['headers'] as Record<string, string>)['authorization'], 'correct');
		assert.ok(!text.includes('sandbox-key') && !text.includes('sandbox-token'));
		await sandbox.post('/tickets/search', {}, { ...goodHeaders, 'x-api-key': 'secret' });
		const after = await sandbox.ask('GET', '/received');
		assert.ok(after.text.includes('"wrong"') && !after.text.includes('secret'));
	});

	it('counts requests, rows and how many ran at once', async () => {
		sandbox.control.setOptions({ latencyMs: 1_000 });
		await Promise.all(Array.from({ length: 8 }, () => sandbox.search({})));
		await sandbox.create({ conversations: [call('+14155550100')] });
		const { json } = await sandbox.ask('GET', '/counts');
		const requests = { searchTickets: 8, createCustomers: 0 };
		assert.deepEqual({ ...(json['requests'] as object), ...requests }, json['requests']);
		assert.equal((json['maxConcurrent'] as Record<string, number>)['searchTickets'], 8);
		assert.equal(json['ticketsReturned'], 80);
		assert.equal(json['conversationsCreated'], 1);
		assert.equal(json['total'], 9);
	});

	it('takes longer for each request where there are more at once than it has room for', async () => {
		sandbox.control.setOptions({ latencyMs: 20, capacity: 1 });
		const start = performance.now();
		await Promise.all(Array.from({ length: 4 }, async () => await sandbox.search({})));
		assert.ok(performance.now() - start >= 75);
	});

	it('stores, changes, deletes and invents tickets', async () => {
		const { json } = await sandbox.ask('POST', '/tickets', [{ title: 'a' }, { ticketNumber: 99 }]);
		const [first, second] = json['ids'] as string[];
		await sandbox.ask('POST', '/tickets/change', { id: first, set: { title: 'b' } });
		const found = await sandbox.search({ filters: { title: { eq: 'b' } } });
		assert.equal(found.json.data?.[0]?.['ticketNumber'], 11);
		assert.equal((await sandbox.ask('POST', '/tickets/delete', [second])).json['deleted'], 1);
		assert.equal((await sandbox.ask('DELETE', '/tickets', { ids: [first] })).json['deleted'], 1);
		await sandbox.ask('POST', '/tickets/seed', { count: 7 });
		assert.equal((await sandbox.ask('GET', '/tickets/count')).json['count'], 17);
	});

	it('goes back to the start', async () => {
		const before = sandbox.control.tickets();
		await sandbox.ask('POST', '/options', { latencyMs: 1, spelling: 'both' });
		await sandbox.search({ sort: [{ column: 'id', direction: 'asc' }] });
		sandbox.control.deleteTickets(before.map((row) => String(row.id)));
		const { json } = await sandbox.ask('POST', '/reset');
		assert.equal(json['total'], 0);
		assert.equal(sandbox.control.countTickets(), 10);
		assert.equal((await sandbox.search({ select: ['id'] })).status, 400);
		sandbox.control.seedTickets(1);
		await sandbox.ask('POST', '/reset', { keepTickets: true });
		assert.equal(sandbox.control.countTickets(), 11);
	});

	it('refuses a control that it does not know', async () => {
		assert.equal((await sandbox.ask('POST', '/nothing', {})).status, 404);
		assert.equal((await sandbox.ask('POST', '/faults', [{ kind: 'flood' }])).status, 400);
		assert.equal((await sandbox.ask('POST', '/options', { speed: 1 })).status, 400);
		assert.equal((await sandbox.ask('POST', '/tickets', [{ priority: 'normal' }])).status, 400);
		assert.throws(() => sandbox.control.insertTickets([{ source: 'fax' }]));
	});

	it('remembers only as many requests as it is told', async () => {
		sandbox.control.setOptions({ keepRequests: 2 });
		for (let n = 0; n < 4; n += 1) await sandbox.search({});
		assert.deepEqual(
			sandbox.control.received().map(({ n }) => n),
			[3, 4],
		);
		assert.equal(sandbox.control.counts().requests.searchTickets, 4);
	});
});
