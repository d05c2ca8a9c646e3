import assert from 'node:assert/strict';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sandboxTarget } from '../../tools/demo/target.mts';
import { itemsOf } from '../../tools/host/execution.mts';
import type { Execution, Json } from '../../tools/host/execution.mts';
import type { WorkflowJson } from '../../tools/host/workflow.mts';
import { startFarm } from '../../tools/queue/farm.mts';
import type { Farm, Worker } from '../../tools/queue/farm.mts';
import { queueServices } from '../../tools/queue/services.mts';
import { nodeName } from '../support/workflowNodes.mts';

const target = await sandboxTarget({ tickets: 0 });

/** The one main process, the two workers and the one sandbox of all tests of queue mode. */
export const farm: Farm = await startFarm({
	services: queueServices(),
	workers: 2,
	concurrency: 5,
	target,
	report: console.error,
});

after(() => farm.stop());

/** What the sandbox counts, and its faults. */
export const { control } = target.sandbox;

/** Stores a workflow with the credentials of the farm, and returns its id. */
export async function store(workflow: WorkflowJson): Promise<string> {
	const credentials = { conversationDeskApi: farm.credential };
	return await farm.main.rest.importWorkflow(workflow, credentials);
}

/** The worker that began an execution, and only one may have. */
export function workerOf(executionId: string): Worker {
	const [worker, ...others] = farm.workers.filter((each) =>
		each.listStarted().includes(executionId),
	);
	assert.deepEqual(others, []);
	assert.ok(worker, `No worker began execution ${executionId}`);
	return worker;
}

/** Waits until something is true. */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
	const deadline = Date.now() + 120_000;
	while (!(await isTrue())) {
		assert.ok(Date.now() < deadline, `Not within two minutes: ${what}`);
		await sleep(25);
	}
}

/** What became of each row of an execution. */
export const outcomes = (execution: Execution): string[] => [
	...itemsOf(execution, nodeName, 0).map(({ outcome }) => String(outcome)),
	...itemsOf(execution, nodeName, 1).map(({ details }) => String((details as Json)['outcome'])),
];
