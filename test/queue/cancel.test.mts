import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { calling, itemsFrom, peopleFrom, workflowOf } from '../support/workflowNodes.mts';
import { control, farm, store, until, workerOf } from './farm.mts';

test('Stop ends an execution on a worker: nothing is sent after it', async () => {
	control.reset();
	control.setFaults([{ kind: 'latency', operation: 'createConversations', ms: 100 }]);
	const { rest: api } = farm.main;
	const people = peopleFrom(5_591_000, 200);
	const options = { batching: { batch: { batchSize: 1, parallelRequests: 2 } } };
	const id = await store(workflowOf('Stopped', [...itemsFrom(people), calling({ options })]));
	const execution = await api.startWorkflow(id);
	const requests = () => control.counts().requests.createConversations;
	await until('some were called', () => requests() >= 10);
	workerOf(execution);
	await api.stopExecution(execution);
	assert.equal((await api.waitForExecution(execution)).status, 'canceled');
	const sent = requests();
	await sleep(1_500);
	assert.equal(requests(), sent);
	assert.ok(sent < 30, `${sent} of 200 were sent`);
});
