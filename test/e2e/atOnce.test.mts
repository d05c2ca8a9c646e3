import assert from 'node:assert/strict';
import { test } from 'node:test';
import { itemsOf } from '../../tools/host/execution.mts';
import { calling, control, desk, everyoneOnce, itemsFrom } from './desk.mts';
import { nodeName, peopleFrom, store } from './desk.mts';

const PEOPLE = 300;
const people = peopleFrom(5_300_000, PEOPLE);

test('two executions of one campaign at the same moment call no one twice', async () => {
	control.reset({ keepTickets: true });
	control.setFaults([{ kind: 'latency', operation: 'createConversations', ms: 60 }]);
	const { rest: api } = desk.n8n;
	const campaign = calling(
		{
			options: { batching: { batch: { batchSize: 10, parallelRequests: 2 } } },
			safeguards: { attempts: { limit: { campaignKey: 'at once', maximum: 1 } } },
		},
		{ onError: 'continueErrorOutput' },
	);
	const id = await store('Two at once', [...itemsFrom(people), campaign]);
	const started = await Promise.all([api.startWorkflow(id), api.startWorkflow(id)]);
	const executions = await Promise.all(
		started.map(async (execution) => await api.waitForExecution(execution)),
	);
	control.setFaults([]);

	everyoneOnce(control, people);
	const accepted = executions.map((execution) => itemsOf(execution, nodeName, 0).length);
	const otherCounts = executions.map((execution) => itemsOf(execution, nodeName, 1).length);
	assert.equal((accepted[0] ?? 0) + (accepted[1] ?? 0), PEOPLE);
	for (const i of [0, 1]) assert.equal((accepted[i] ?? 0) + (otherCounts[i] ?? 0), PEOPLE);
	assert.ok(
		accepted.every((count) => count > 0),
		`both took part: ${accepted.join(' and ')}`,
	);
});
