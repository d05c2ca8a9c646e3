import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOf, runsOf } from '../../tools/host/execution.mts';
import type { Execution, Json } from '../../tools/host/execution.mts';
import { control, desk, itemsFrom, nodeName, ownNode, store } from './desk.mts';

const people = Array.from({ length: 30 }, (_, index) => ({
	name: `Person ${index}`,
	phone: `+1415557${String(1000 + index)}`,
}));

const campaign: Json = {
	resource: 'conversation',
	operation: 'create',
	dryRun: false,
	inputMode: 'fields',
	agentId: desk.target.agentId,
	toPhoneNumber: '={{ $json.phone }}',
	dynamicVariables: { variables: [{ name: 'name', value: '={{ $json.name }}' }] },
	options: { sending: { requests: { batchSize: 10 } } },
};

/** Starts the campaign; the second of its three requests is worked off, but its reply is lost. */
async function runCampaign(settings: Json = {}): Promise<Execution> {
	control.reset({ keepTickets: true });
	control.setFaults([{ kind: 'resetAfter', operation: 'createConversations', from: 2, to: 2 }]);
	const id = await store('By hand', [...itemsFrom(people), ownNode(campaign, settings)]);
	return await desk.n8n.rest.runWorkflow(id);
}

function everyoneOnce(): void {
	const { callsPerNumber } = control.conversations();
	assert.deepEqual(
		Object.entries(callsPerNumber).sort(),
		people.map(({ phone }) => [phone, 1]),
	);
	assert.equal(control.counts().requests.createConversations, 3);
}

test('a failed campaign that is retried by hand, twice over, calls no one again and says so', async () => {
	const failed = await runCampaign();
	assert.equal(failed.status, 'error');
	assert.match(errorOf(failed)?.description ?? '', /30 rows, 3 requests: 20 accepted, 10 unknown/);
	everyoneOnce();
	let last = failed;
	for (const _ of ['first', 'second']) {
		last = await desk.n8n.rest.retryExecution(last.id);
		assert.equal(last.status, 'error');
		assert.equal(last.mode, 'retry');
		assert.equal(runsOf(last, nodeName).length, 1);
		const { message, description } = errorOf(last) ?? { message: '' };
		assert.match(message, /^20 people were called. Rows 11 to 20: The connection broke/);
		assert.match(description ?? '', /30 rows, 0 requests: 20 accepted, 10 unknown/);
		everyoneOnce();
	}
});

test('people whom the service refused are called by the retry, and only they', async () => {
	control.reset({ keepTickets: true });
	control.setFaults([
		{ kind: 'status', status: 400, operation: 'createConversations', from: 2, to: 2 },
	]);
	const id = await store('Refused', [...itemsFrom(people), ownNode(campaign)]);
	const failed = await desk.n8n.rest.runWorkflow(id);
	assert.match(errorOf(failed)?.description ?? '', /30 rows, 3 requests: 20 accepted, 10 rejected/);
	assert.equal(Object.keys(control.conversations().callsPerNumber).length, 20);
	const again = await desk.n8n.rest.retryExecution(failed.id);
	assert.equal(again.status, 'success');
	assert.equal(runsOf(again, nodeName)[0]?.data?.main[0]?.length, 30);
	const { callsPerNumber } = control.conversations();
	assert.deepEqual(Object.values(callsPerNumber), new Array<number>(30).fill(1));
	assert.equal(control.counts().requests.createConversations, 4);
});
