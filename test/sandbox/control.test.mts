import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { goodHeaders, open } from './client.mts';

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

	it('refuses a control that it does not know', async () => {
		assert.equal((await sandbox.act('nothing', {})).status, 404);
		assert.equal((await sandbox.act('setFaults', [{ kind: 'flood' }])).status, 400);
		assert.equal((await sandbox.act('setOptions', { speed: 1 })).status, 400);
		assert.equal((await sandbox.act('insertTickets', [{ priority: 'normal' }])).status, 400);
		assert.throws(() => sandbox.control.insertTickets([{ source: 'fax' }]));
	});
});
