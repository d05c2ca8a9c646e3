import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOf, runsOf } from '../../tools/host/execution.mts';
import type { Execution, Json } from '../../tools/host/execution.mts';
import { calling, control, desk, everyoneOnce, itemsFrom } from './desk.mts';
import { nodeName, peopleFrom, store } from './desk.mts';
import { eachRowOnce, pairedItems } from './pairing.mts';

const people = peopleFrom(5_571_000, 30);

/** Starts the campaign; the second of its three requests is worked off, but its reply is lost. */
async function runCampaign(settings: Json = {}): Promise<Execution> {
	control.reset({ keepTickets: true });
	control.setFaults([{ kind: 'resetAfter', operation: 'createConversations', from: 2, to: 2 }]);
	const id = await store('By hand', [...itemsFrom(people), calling({}, settings)]);
	return await desk.n8n.rest.runWorkflow(id);
}

function calledOnce(): void {
	everyoneOnce(control, people);
	assert.equal(control.counts().requests.createConversations, 3);
}

test('a failed campaign that is retried by hand, twice over, calls no one again and says so', async () => {
	const failed = await runCampaign();
	assert.equal(failed.status, 'error');
	assert.match(errorOf(failed)?.description ?? '', /30 rows, 3 requests: 20 accepted, 10 unknown/);
	calledOnce();
	let last = failed;
	for (const _ of ['first', 'second']) {
		last = await desk.n8n.rest.retryExecution(last.id);
		assert.equal(last.status, 'error');
		assert.equal(last.mode, 'retry');
		assert.equal(runsOf(last, nodeName).length, 1);
		const { message, description } = errorOf(last) ?? { message: '' };
		assert.match(message, /^20 people were called. Rows 11 to 20: The connection broke/);
		assert.match(description ?? '', /30 rows, 0 requests: 20 accepted, 10 unknown/);
		calledOnce();
	}
});

test('people whom the service refused are called by the retry, and only they', async () => {
	control.reset({ keepTickets: true });
	control.setFaults([
		{ kind: 'status', status: 400, operation: 'createConversations', from: 2, to: 2 },
	]);
	const id = await store('Refused', [...itemsFrom(people), calling()]);
	const failed = await desk.n8n.rest.runWorkflow(id);
	assert.match(errorOf(failed)?.description ?? '', /30 rows, 3 requests: 20 accepted, 10 rejected/);
	assert.equal(Object.keys(control.conversations().callsPerNumber).length, 20);
	const again = await desk.n8n.rest.retryExecution(failed.id);
	assert.equal(again.status, 'success');
	assert.equal(runsOf(again, nodeName)[0]?.data?.main[0]?.length, 30);
	everyoneOnce(control, people);
	assert.equal(control.counts().requests.createConversations, 4);
});

test('an invalid first row makes n8n run the node again, and still no one is called twice', async () => {
	control.reset({ keepTickets: true });
	control.setFaults([{ kind: 'resetAfter', operation: 'createConversations', from: 2, to: 2 }]);
	const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 200 };
	const options = { sending: { requests: { batchSize: 10 } }, invalidRows: 'sendValid' };
	const node = calling({ options }, { ...retries, onError: 'continueErrorOutput' });
	const execution = await desk.n8n.rest.runWorkflow(
		await store('Retry with errors', [...itemsFrom([{ phone: 'call me' }, ...people]), node]),
	);
	assert.equal(execution.status, 'success');
	// Three tries with two pauses between them, of which n8n keeps the last.
	assert.ok((runsOf(execution, nodeName)[0]?.executionTime ?? 0) >= 2 * retries.waitBetweenTries);
	const where = { node: nodeName, before: 'splitOut' };
	const [accepted, failed] = [pairedItems(execution, where, 0), pairedItems(execution, where, 1)];
	eachRowOnce(31, accepted, failed);
	const outcomes = failed.map(({ json }) => (json['details'] as Json)['outcome']);
	assert.deepEqual(outcomes, ['rejected', ...new Array<string>(10).fill('unknown')]);
	calledOnce();
});
