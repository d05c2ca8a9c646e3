import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { FaultInput } from '../../sandbox/faults.mts';
import { open } from './client.mts';

describe('faults', () => {
	let sandbox: Awaited<ReturnType<typeof open>>;
	let next = 0;
	before(async () => {
		sandbox = await open();
	});
	beforeEach(() => sandbox.control.reset());
	after(() => sandbox.close());

	const store = () => sandbox.batch({ customers: [{ identifier: `c-${(next += 1)}` }] });
	const storedCount = () => sandbox.control.counts().customersStored;
	const withFault = async (...rules: FaultInput[]) => {
		sandbox.control.reset();
		sandbox.control.setFaults(rules);
		return store();
	};

	it('answers a status before or after the work, with Retry-After', async () => {
		const early = await withFault({ kind: 'status', status: 503, retryAfter: 2 });
		assert.deepEqual(
			[early.status, early.headers.get('retry-after'), storedCount()],
			[503, '2', 0],
		);
		assert.equal(early.json['code'], 'INTERNAL_SERVER_ERROR');
		const late = await withFault({ kind: 'status', status: 500, when: 'after', body: 'oops' });
		assert.deepEqual([late.status, late.text, storedCount()], [500, 'oops', 1]);
	});

	it('hits requests that hold a text, and no more of them than it may', async () => {
		sandbox.control.setFaults([{ kind: 'status', status: 503, holding: '"id-7"', times: 1 }]);
		const statuses = [];
		for (const identifier of ['id-6', 'id-7', 'id-7']) {
			statuses.push((await sandbox.batch({ customers: [{ identifier }] })).status);
		}
		assert.deepEqual(statuses, [200, 503, 200]);
	});

	it('resets the connection before or after the work', async () => {
		await assert.rejects(withFault({ kind: 'resetBefore' }));
		assert.equal(storedCount(), 0);
		await assert.rejects(withFault({ kind: 'resetAfter' }));
		assert.equal(storedCount(), 1);
		const [received] = sandbox.control.received();
		assert.deepEqual([received?.status, received?.fault], [null, 'resetAfter']);
	});

	it('breaks, empties or replaces the body', async () => {
		const broken = await withFault({ kind: 'malformedJson' });
		assert.equal(broken.status, 200);
		assert.throws(() => JSON.parse(broken.text));
		assert.equal(storedCount(), 1);
		const empty = await withFault({ kind: 'emptyBody' });
		assert.deepEqual([empty.status, empty.text, storedCount()], [200, '', 1]);
		const html = await withFault({ kind: 'html', status: 504 });
		assert.equal(html.headers.get('content-type'), 'text/html; charset=utf-8');
		assert.deepEqual([html.status, storedCount()], [504, 0]);
	});

	it('delays the request or its body', async () => {
		const started = performance.now();
		await withFault({ kind: 'latency', ms: 60 }, { kind: 'latency', ms: 60 });
		const slow = await withFault({ kind: 'slowBody', msPerChunk: 20, chunks: 5 });
		assert.ok(performance.now() - started > 200);
		assert.ok(slow.json.jobId);
	});

	it('hits the requests that the rule counts', async () => {
		sandbox.control.setFaults([
			{ kind: 'status', status: 500, operation: 'createCustomers', from: 2, to: 3 },
			{ kind: 'status', status: 502, operation: 'createCustomers', every: 5 },
			{ kind: 'status', status: 503, operation: 'getConversation' },
		]);
		const statuses: number[] = [];
		for (let n = 0; n < 6; n += 1) statuses.push((await store()).status);
		assert.deepEqual(statuses, [200, 500, 500, 200, 502, 200]);
	});

	it('moves tickets right before a search', async () => {
		const [gone = '', changed = ''] = sandbox.control.insertTickets([{}, {}, {}]);
		sandbox.control.setFaults([
			{
				kind: 'mutate',
				operation: 'searchTickets',
				create: { count: 5, template: { title: 'new' } },
				delete: { ids: [gone], random: 1 },
				change: { ids: [changed], set: { priority: 'urgent' } },
				to: 1,
			},
		]);
		const { json } = await sandbox.search({ filters: { title: { eq: 'new' } } });
		assert.ok((json.data?.length ?? 0) >= 4);
		assert.equal(sandbox.control.countTickets(), 6);
		assert.ok(!sandbox.control.tickets().some((row) => row.id === gone));
		await sandbox.search({});
		assert.equal(sandbox.control.countTickets(), 6);
	});
});
