import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { errorOf } from '../../tools/host/execution.mts';
import type { WorkflowJson } from '../../tools/host/workflow.mts';
import { control, farm, until, workerOf } from './farm.mts';
import { acceptedRows, importFanOut, slicesOf } from './slices.mts';

const { rest } = farm.main;

/** Every identifier of the sync is stored once. */
function everyoneIsThere(customers: number): void {
	const numbers = control.customers().map(({ customer }) => Number(customer.identifier.slice(4)));
	assert.deepEqual(
		numbers.sort((a, b) => a - b),
		Array.from({ length: customers }, (_, index) => index + 1),
	);
}

describe('a large sync over two workers', () => {
	beforeEach(() => {
		control.reset();
		control.setFaults([{ kind: 'latency', operation: 'createCustomers', ms: 1_000 }]);
	});

	test('loses none of 50,000 customers when one of the workers is killed in the middle', async (t) => {
		const { fanOut, slice } = await importFanOut('customer-slice', 50_000);
		const execution = await rest.startWorkflow(fanOut);
		const requests = () => control.counts().requests.createCustomers;
		await until('more than half was sent', () => requests() >= 60);
		const parent = workerOf(execution);
		const [victim] = farm.workers.filter((worker) => worker !== parent);
		assert.ok(victim);
		t.after(() => victim.revive());
		await victim.kill();
		control.setFaults([]);
		assert.ok(requests() < 90, `${requests()} requests were sent before the end`);

		const ended = await rest.waitForExecution(execution, 150_000);
		assert.equal(ended.status, 'success', errorOf(ended)?.message);
		assert.equal(acceptedRows(ended), 50_000);
		everyoneIsThere(50_000);

		const slices = await slicesOf(slice);
		const dead = slices.filter(({ status }) => status !== 'success');
		// The dead worker may have taken one without a word yet, so only the other one's log counts.
		assert.ok(dead.length > 0 && dead.every(({ id }) => !parent.started().includes(id)));
		// The slices of the dead worker were handed out once more by the workflow, by n8n never.
		assert.equal(slices.length, 20 + dead.length);
		for (const { name, started } of farm.workers)
			assert.ok(
				slices.some(({ id }) => started().includes(id)),
				`${name} had no slice`,
			);
	});

	test('n8n cannot retry what a dead worker left: it ends at once and sends nothing', async () => {
		const [dead] = await rest.listExecutions({ status: ['error', 'crashed'] });
		assert.ok(dead);
		assert.match(errorOf(await rest.execution(dead.id))?.message ?? '', /failed to be processed/);
		const again = await rest.retryExecution(dead.id);
		assert.equal(again.status, 'error');
		assert.deepEqual(again.data.resultData.runData, {});
		assert.equal(control.counts().total, 0);
	});

	test('sends no insert twice when a worker dies, and an upsert completes it', async (t) => {
		const { fanOut, slice } = await importFanOut('insert-slice', 20_000, insertOnce);
		const execution = await rest.startWorkflow(fanOut);
		await until('some was sent', () => control.counts().requests.createCustomers >= 12);
		const victim = workerOf(execution);
		t.after(() => victim.revive());
		const [other] = farm.workers.filter((worker) => worker !== victim);
		assert.ok(other);
		await victim.kill();
		await until('the other worker has done its slices', async () => {
			const own = (await slicesOf(slice)).filter(({ id }) => other.started().includes(id));
			return own.length > 0 && own.every(({ status }) => status === 'success');
		});
		const stored = control.customers();
		assert.ok(stored.length > 0);
		assert.ok(stored.every(({ inserts, refusals }) => inserts === 1 && refusals === 0));
		const first = control.received().map(({ body }) => firstIdentifier(body));
		assert.equal(new Set(first).size, first.length, 'a batch came twice');

		control.setFaults([]);
		await victim.revive();
		const { fanOut: upsert } = await importFanOut('complete-slice', 20_000);
		assert.equal(acceptedRows(await rest.runWorkflow(upsert, { timeoutMs: 150_000 })), 20_000);
		everyoneIsThere(20_000);
		assert.ok(control.customers().every(({ inserts, upserts }) => inserts <= 1 && upserts >= 1));
	});
});

const firstIdentifier = (body: unknown): string =>
	(body as { customers: [{ identifier: string }] }).customers[0].identifier;

/** The example with the operation that must not be repeated, and without its second try. */
function insertOnce(workflow: WorkflowJson): WorkflowJson {
	const nodes = workflow.nodes
		.filter(({ name }) => name !== 'Hand Out Again')
		.map((node) =>
			node.parameters['operation'] === 'upsertBatch'
				? { ...node, parameters: { ...node.parameters, operation: 'createBatch' } }
				: node,
		);
	const { 'Hand Out the Slices': hand, 'Hand Out Again': _again, ...rest } = workflow.connections;
	if (!hand) return { ...workflow, nodes };
	const { main } = hand as { main: unknown[] };
	return {
		...workflow,
		nodes,
		connections: { ...rest, 'Hand Out the Slices': { main: [main[0]] } },
	};
}
