import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { errorOf, itemsOf } from '../../tools/host/execution.mts';
import { importFanOut } from '../support/fanOut.mts';
import { control, farm, until, workerOf } from './farm.mts';

const { rest: api } = farm.main;
const CUSTOMERS = 6_000;
const PER_SLICE = 500;

describe('a large file over two workers', () => {
	beforeEach(() => control.reset());

	test('loses none of its rows when one of the workers is killed in the middle', async (t) => {
		control.setFaults([{ kind: 'latency', operation: 'createCustomers', ms: 2_000 }]);
		const row = (n: number) => `C-${n},Person ${n},+1415${2_000_000 + n}`;
		const rows = Array.from({ length: CUSTOMERS }, (_, n) => row(n));
		await writeFile(
			join(farm.files, 'customers.csv'),
			['Record ID,Name,Phone', ...rows].join('\n'),
		);
		const before = new Map(farm.workers.map((worker) => [worker, worker.listStarted().length]));
		const begun = (worker: (typeof farm.workers)[number]) =>
			worker.listStarted().slice(before.get(worker));
		const { fanOut, slice } = await importFanOut({
			n8n: farm.main,
			credential: farm.credential,
			path: 'large-export',
			settings: { rowsPerSlice: PER_SLICE, slicesAtOnce: 4 },
			sliceSettings: { folder: farm.files, file: 'customers.csv' },
		});
		const execution = await api.startWorkflow(fanOut);
		await until('a slice was sent', () => control.counts().requests.createCustomers > 0);
		const parent = workerOf(execution);
		const [victim] = farm.workers.filter((worker) => worker !== parent);
		assert.ok(victim);
		await until('the other worker has a slice', () => begun(victim).length > 0);
		t.after(() => victim.revive());
		await victim.kill();

		const ended = await api.waitForExecution(execution, 200_000);
		assert.equal(ended.status, 'success', errorOf(ended)?.message);
		const slices = itemsOf(ended, 'Result');
		// The last slice that has rows is full, so that empty ones follow.
		assert.ok(slices.length > CUSTOMERS / PER_SLICE);
		const storedIds = new Set(control.customers().map(({ customer }) => customer.identifier));
		assert.equal(storedIds.size, CUSTOMERS);
		assert.ok(
			slices.some(({ attempt }) => attempt === 2),
			'no slice was in the dead worker',
		);
		assert.ok(begun(parent).length > 1, 'the other worker had all slices');
		const dead = await api.listExecutions({ workflowId: slice });
		assert.ok(dead.every(({ id }) => !begun(parent).includes(id)));
		assert.ok(control.counts().maxConcurrent.createCustomers <= 4);
	});
});
