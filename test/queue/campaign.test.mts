import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calling, n8nNode, noOneTwice, workflowOf } from '../support/workflowNodes.mts';
import { control, farm, outcomes, store, until, workerOf } from './farm.mts';

const { rest: api } = farm.main;
const LANES = 4;
const PEOPLE = 1_000;
const BATCH = 20;

/** A part of a campaign in a workflow of its own: n8n's memory belongs to one node, and only one execution at a time may use it. */
const lane = (index: number) =>
	workflowOf(`Lane ${index + 1}`, [
		n8nNode('code', 2, {
			jsCode: `return Array.from({ length: ${PEOPLE} }, (_, i) => ({ json: { phone: '+1415' + String(${5_550_000 + index * PEOPLE} + i) } }));`,
		}),
		calling(
			{
				safeguards: {
					attempts: { limit: { campaignKey: 'lanes', maximum: 1 } },
					maximumConversations: PEOPLE,
				},
				options: { batching: { batch: { batchSize: BATCH, parallelRequests: 2 } } },
			},
			{ onError: 'continueErrorOutput' },
		),
	]);

test('a campaign in four lanes over two workers rings no one twice when one of them is killed', async (t) => {
	control.reset();
	control.setFaults([{ kind: 'latency', operation: 'createConversations', ms: 100 }]);
	const ids = await Promise.all(
		Array.from({ length: LANES }, async (_, index) => await store(lane(index))),
	);
	const executions: string[] = [];
	for (const id of ids) executions.push(await api.startWorkflow(id));
	await until('a third was called', () => control.counts().conversationsCreated > 1_300);
	const workers = executions.map(workerOf);
	assert.equal(new Set(workers).size, 2, 'one worker had all lanes');
	const victim = workers[0] ?? farm.workers[0];
	assert.ok(victim);
	t.after(() => victim.revive());
	await victim.kill();
	const killed = executions.filter((_id, index) => workers[index] === victim);
	for (const id of executions) if (!killed.includes(id)) await api.waitForExecution(id);
	assert.ok(control.counts().conversationsCreated < LANES * PEOPLE);
	await victim.revive();
	control.setFaults([]);

	const again = await Promise.all(ids.map(async (id) => await api.runWorkflow(id)));
	const all = again.flatMap(outcomes);
	const called = noOneTwice(control);
	assert.equal(all.length, LANES * PEOPLE);
	// The people of two open requests per lane count as called. Other people without a call would be lost.
	assert.ok(called >= LANES * PEOPLE - killed.length * 2 * BATCH, `${called} called`);
});
