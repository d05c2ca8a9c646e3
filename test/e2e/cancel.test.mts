import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { control, desk, itemsFrom, ownNode, store } from './desk.mts';

const people = Array.from({ length: 400 }, (_, i) => ({ phone: `+1415${5_400_000 + i}` }));

test('nothing is sent after Stop', async () => {
	control.reset({ keepTickets: true });
	control.setFaults([{ kind: 'latency', operation: 'createConversations', ms: 150 }]);
	const { rest } = desk.n8n;
	const campaign = ownNode({
		resource: 'conversation',
		operation: 'create',
		dryRun: false,
		agentId: '5f0c6a3e-9d1b-4e7a-8c25-2b7d9e4f1a60',
		toPhoneNumber: '={{ $json.phone }}',
		options: { sending: { requests: { batchSize: 10 } } },
	});
	const id = await store('Stopped in the middle', [...itemsFrom(people), campaign]);
	const execution = await rest.startWorkflow(id);
	const sent = () => control.counts().requests.createConversations;
	while (sent() < 5) await sleep(20);
	await rest.stopExecution(execution);
	const atStop = sent();
	const { status } = await rest.waitForExecution(execution);
	await sleep(1_500);
	control.setFaults([]);
	assert.equal(status, 'canceled');
	assert.ok(sent() <= atStop, `${sent() - atStop} requests began after Stop`);
	assert.ok(sent() < 40);
});
