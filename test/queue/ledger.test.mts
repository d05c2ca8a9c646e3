import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { errorOf, runsOf } from '../../tools/host/execution.mts';
import type { Json } from '../../tools/host/execution.mts';
import {
	calling,
	everyoneOnce,
	itemsFrom,
	nodeName,
	peopleFrom,
	workflowOf,
} from '../support/workflowNodes.mts';
import { control, farm, store, workerOf } from './farm.mts';

const { rest: api } = farm.main;

describe('running a campaign again on workers', () => {
	beforeEach(() => control.reset());

	const people = peopleFrom(5_561_000, 50);
	const options = { batching: { batch: { batchSize: 25 } } };
	const campaign = (settings: Json = {}) =>
		workflowOf('Campaign', [...itemsFrom(people), calling({ options }, settings)]);

	function calledOnce(requests: number): void {
		everyoneOnce(control, people);
		assert.equal(control.counts().requests.createConversations, requests);
	}

	test('Retry On Fail calls no one twice after a lost reply', async () => {
		control.setFaults([{ kind: 'resetAfter', operation: 'createConversations', from: 2, to: 2 }]);
		const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 300 };
		const execution = await api.runWorkflow(await store(campaign(retries)));
		workerOf(execution.id);
		assert.match(errorOf(execution)?.description ?? '', /25 called, 25 unknown/);
		assert.ok((runsOf(execution, nodeName)[0]?.executionTime ?? 0) >= 600);
		calledOnce(2);
	});

	test('"Retry" on a failed execution calls only those who were refused', async () => {
		const refusal = { kind: 'status', status: 409, operation: 'createConversations' } as const;
		control.setFaults([{ ...refusal, from: 2, to: 2 }]);
		const failed = await api.runWorkflow(await store(campaign()));
		assert.match(errorOf(failed)?.description ?? '', /25 called, 25 rejected/);
		const again = await api.retryExecution(failed.id);
		assert.equal(again.status, 'success', errorOf(again)?.message);
		assert.equal(again.mode, 'retry');
		workerOf(failed.id);
		workerOf(again.id);
		calledOnce(3);
	});
});
