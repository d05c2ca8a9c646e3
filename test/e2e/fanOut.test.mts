import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { readShipped } from '../../tools/demo/examples.mts';
import { errorOf, itemsOf } from '../../tools/host/execution.mts';
import type { WorkflowNode } from '../../tools/host/workflow.mts';
import { acceptedRows, importFanOut } from '../support/fanOut.mts';
import { control, desk } from './desk.mts';

const { n8n, credential } = desk;

/** Sends the second slice somewhere else the first time. */
const losingTheSecond = (node: WorkflowNode): WorkflowNode => {
	if (node.name !== 'Hand Out the Slices') return node;
	const lost = "{{ $('Cut into Slices').item.json.slice === 2 ? '-lost' : '' }}";
	return {
		...node,
		parameters: { ...node.parameters, url: `${String(node.parameters['url'])}${lost}` },
	};
};

const outcome = 'What Became of the Slices';

describe('fan-out-over-workers.json and fan-out-slice.json, in one process', () => {
	beforeEach(() => control.reset({ keepTickets: true }));

	test('hand out every customer in one slice, and store each once', async () => {
		const settings = { customers: 250, rowsPerSlice: 100 };
		const { fanOut, slice } = await importFanOut({ n8n, credential, path: 'slices', settings });
		const execution = await n8n.rest.runWorkflow(fanOut);
		assert.equal(execution.status, 'success', errorOf(execution)?.message);
		const slices = itemsOf(execution, outcome);
		assert.deepEqual(
			slices.map(({ slice: number, rows, accepted, error }) => [number, rows, accepted, error]),
			[
				[1, 100, 100, undefined],
				[2, 100, 100, undefined],
				[3, 50, 50, undefined],
			],
		);
		const stored = control.customers();
		assert.equal(stored.length, 250);
		assert.ok(stored.every(({ upserts, inserts }) => upserts === 1 && inserts === 0));
		const jobs = new Set(stored.flatMap(({ jobIds }) => jobIds));
		assert.deepEqual(new Set(slices.flatMap(({ jobs: named }) => named)), jobs);
		assert.equal(control.counts().requests.createCustomers, 3);
		const runs = await n8n.rest.listExecutions({ workflowId: slice });
		assert.deepEqual(
			runs.map(({ mode, status }) => [mode, status]),
			Array.from({ length: 3 }, () => ['webhook', 'success']),
		);
		await n8n.rest.deactivateWorkflow(slice);
	});

	test('hand a slice that got lost out once more', async () => {
		const settings = { customers: 60, rowsPerSlice: 30 };
		const { fanOut, slice } = await importFanOut({
			...{ n8n, credential, path: 'lost-slices', settings },
			change: (workflow) => ({ ...workflow, nodes: workflow.nodes.map(losingTheSecond) }),
		});
		const execution = await n8n.rest.runWorkflow(fanOut);
		assert.equal(acceptedRows(execution), 60);
		assert.equal(itemsOf(execution, 'Hand Out Again').length, 1);
		assert.equal(control.customers().length, 60);
		await n8n.rest.deactivateWorkflow(slice);
	});

	test('sync their pinned samples, and name the damaged one', async () => {
		const settings = { rowsPerSlice: 2 };
		const { fanOut, slice } = await importFanOut({
			...{ n8n, credential, path: 'sample-slices', settings, read: readShipped },
		});
		const execution = await n8n.rest.runWorkflow(fanOut);
		const slices = itemsOf(execution, outcome);
		assert.deepEqual(
			slices.map(({ rows, accepted }) => [rows, accepted]),
			[
				[2, 2],
				[2, 1],
			],
		);
		const [damaged] = slices[1]?.['notAccepted'] as Array<Record<string, string>>;
		assert.equal(damaged?.['identifier'], 'crm-3');
		assert.match(damaged?.['reason'] ?? '', /was rounded by the spreadsheet/);
		// Slices run at the same time, so theirs is any order.
		const stored = control.customers().map(({ customer }) => customer.identifier);
		assert.deepEqual(stored.sort(), ['crm-1', 'crm-2', 'crm-4']);
		await n8n.rest.deactivateWorkflow(slice);
	});
});
