import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { open } from './client.mts';

describe('customer batch', () => {
	let sandbox: Awaited<ReturnType<typeof open>>;
	before(async () => {
		sandbox = await open();
	});
	beforeEach(() => sandbox.control.reset());
	after(() => sandbox.close());
	const stored = () =>
		Object.fromEntries(
			sandbox.control.customers().map((each) => [each.customer.identifier, each] as const),
		);

	it('stores a full customer and fills in the priority', async () => {
		const full = {
			identifier: 'c-1',
			name: 'Zoë',
			phoneNumber: '+14155550100',
			email: 'zoe@example.com',
			metadata: { plan: ['pro'] },
			source: { method: 'api' },
			isDoNotDisturbEnabled: false,
			id: '4f9a1c1e-57b5-4f0e-9c39-0a1b2c3d4e5f',
		};
		const { status, json } = await sandbox.batch({ customers: [full] });
		assert.equal(status, 200);
		assert.match(json.jobId ?? '', /^[0-9a-f-]{36}$/);
		assert.deepEqual(stored()['c-1']?.customer, { ...full, priority: 5 });
		assert.deepEqual(stored()['c-1']?.jobIds, [json.jobId]);
	});

	const wrong: Record<string, unknown[]> = {
		identifier: ['', 7, undefined],
		phoneNumber: ['14155550100', '+1 415 555 0100', '+0123'],
		email: ['zoe'],
		metadata: [[1]],
		priority: [-1, 1.5, '5'],
		name: [null],
		source: ['api', { method: 'csv' }],
		isDoNotDisturbEnabled: ['no'],
		id: ['7'],
	};
	it('refuses a batch for one wrong member and stores nothing', async () => {
		for (const [member, values] of Object.entries(wrong))
			for (const value of values) {
				const row = { identifier: 'a', [member]: value };
				const { status, json } = await sandbox.batch({ customers: [{ identifier: 'ok' }, row] });
				assert.deepEqual(
					[status, json.issues?.[0]?.path.slice(0, 3)],
					[400, ['customers', 1, member]],
				);
			}
		const { status } = await sandbox.batch({ customers: [{ identifier: 'a', nickname: 'z' }] });
		assert.deepEqual([status, sandbox.control.counts().customersStored], [400, 0]);
	});

	it('inserts an identifier once', async () => {
		await sandbox.batch({ customers: [{ identifier: 'a' }] });
		const again = await sandbox.batch({ customers: [{ identifier: 'b' }, { identifier: 'a' }] });
		assert.equal(again.status, 400);
		assert.deepEqual(again.json.issues?.[0]?.path, ['customers', 1, 'identifier']);
		const twice = await sandbox.batch({ customers: [{ identifier: 'c' }, { identifier: 'c' }] });
		assert.equal(twice.status, 400);
		assert.deepEqual(Object.keys(stored()), ['a']);
		assert.equal(stored()['a']?.refusals, 1);
	});

	it('stores the customers without errors when the batch is partial', async () => {
		await sandbox.batch({ customers: [{ identifier: 'a' }] });
		const rows = [{ identifier: 'a' }, { identifier: 'b' }, { identifier: 'b' }, { name: 'x' }, 7];
		const { status } = await sandbox.batch({ customers: rows, partial: true });
		assert.equal(status, 200);
		assert.deepEqual(Object.keys(stored()), ['a', 'b']);
		assert.equal(stored()['b']?.inserts, 1);
	});

	it('upserts an identifier as often as it comes', async () => {
		const strategy = 'upsert';
		await sandbox.batch({ customers: [{ identifier: 'a', name: 'A' }], strategy });
		await sandbox.batch({ customers: [{ identifier: 'a', priority: 1 }], strategy });
		const { upserts, inserts, customer } = stored()['a'] ?? {};
		assert.deepEqual([upserts, inserts, customer?.name, customer?.priority], [2, 0, 'A', 1]);
	});

	it('refuses partial with upsert, and an envelope that is wrong', async () => {
		const customers = [{ identifier: 'a' }];
		const bodies = [
			{ customers, strategy: 'upsert', partial: true },
			{ customers, strategy: 'replace' },
			{ customers, partial: 'yes' },
			{ customers, dryRun: true },
			{ customers: {} },
			{},
			customers,
		];
		for (const body of bodies) assert.equal((await sandbox.batch(body)).status, 400);
		const allowed = { customers, strategy: 'upsert', partial: false };
		assert.equal((await sandbox.batch(allowed)).status, 200);
	});
});
