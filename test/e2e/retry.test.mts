import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { errorOf, runsOf } from '../../tools/host/execution.mts';
import type { Json } from '../../tools/host/execution.mts';
import { control, desk, itemsFrom, nodeName, ownNode, run, store } from './desk.mts';
import { eachRowOnce, pairedItems } from './pairing.mts';

describe('running a campaign again', () => {
	beforeEach(() => {
		control.reset({ keepTickets: true });
		// The first request is answered; the second is worked off, but its reply is lost.
		control.setFaults([{ kind: 'resetAfter', operation: 'createConversations', from: 2, to: 2 }]);
	});

	const people = Array.from({ length: 50 }, (_, index) => ({
		name: `Person ${index}`,
		phone: `+1415556${String(1000 + index)}`,
	}));

	const campaign: Json = {
		resource: 'conversation',
		operation: 'create',
		dryRun: false,
		inputMode: 'fields',
		agentId: desk.target.agentId,
		toPhoneNumber: '={{ $json.phone }}',
		dynamicVariables: { variables: [{ name: 'name', value: '={{ $json.name }}' }] },
		options: { sending: { requests: { batchSize: 25 } }, invalidRows: 'sendValid' },
	};

	const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 200 };

	function noOneTwice(count: number): void {
		const { callsPerNumber } = control.conversations();
		assert.equal(Object.keys(callsPerNumber).length, count);
		assert.deepEqual([...new Set(Object.values(callsPerNumber))], [1]);
		assert.equal(control.counts().requests.createConversations, 2);
	}

	test('Retry On Fail calls no one twice after a lost reply', async () => {
		const execution = await run('Retry', [...itemsFrom(people), ownNode(campaign, retries)]);
		assert.equal(execution.status, 'error');
		assert.match(errorOf(execution)?.description ?? '', /25 accepted, 25 unknown/);
		noOneTwice(50);
	});

	test('"Retry" on the failed execution calls no one twice, either', async () => {
		const id = await store('Retry by hand', [...itemsFrom(people), ownNode(campaign)]);
		const failed = await desk.n8n.rest.runWorkflow(id);
		assert.equal(failed.status, 'error');
		const again = await desk.n8n.rest.retryExecution(failed.id);
		assert.equal(again.status, 'error');
		assert.match(errorOf(again)?.description ?? '', /25 accepted, 25 unknown/);
		noOneTwice(50);
	});

	test('an invalid first row makes n8n run the node again, and still no one is called twice', async () => {
		const rows = [{ name: 'No number', phone: 'call me' }, ...people];
		const node = ownNode(campaign, { ...retries, onError: 'continueErrorOutput' });
		const execution = await run('Retry with errors', [...itemsFrom(rows), node]);
		assert.equal(execution.status, 'success');
		// Three tries with two pauses between them, of which n8n keeps the last.
		assert.ok((runsOf(execution, nodeName)[0]?.executionTime ?? 0) >= 2 * retries.waitBetweenTries);
		const where = { node: nodeName, before: 'splitOut' };
		const [accepted, failed] = [pairedItems(execution, where, 0), pairedItems(execution, where, 1)];
		eachRowOnce(51, accepted, failed);
		const outcomes = failed.map(({ json }) => (json['details'] as Json)['outcome']);
		assert.deepEqual(outcomes, ['rejected', ...new Array<string>(25).fill('unknown')]);
		noOneTwice(50);
	});
});
