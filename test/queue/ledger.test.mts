import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { errorOf, runsOf } from '../../tools/host/execution.mts';
import type { Json } from '../../tools/host/execution.mts';
import { itemsFrom, nodeName, ownNode, workflowOf } from '../support/workflowNodes.mts';
import { control, farm, store, workerOf } from './farm.mts';

const { rest } = farm.main;

describe('running a campaign again on workers', () => {
	beforeEach(() => control.reset());

	const people = Array.from({ length: 50 }, (_, index) => ({
		phone: `+1415556${String(1000 + index)}`,
	}));

	const campaign = (settings: Json = {}) =>
		workflowOf('Campaign', [
			...itemsFrom(people),
			ownNode(
				{
					resource: 'conversation',
					operation: 'create',
					dryRun: false,
					agentId: farm.target.agentId,
					toPhoneNumber: '={{ $json.phone }}',
					options: { sending: { requests: { batchSize: 25 } } },
				},
				settings,
			),
		]);

	function everyoneOnce(requests: number): void {
		const { callsPerNumber } = control.conversations();
		assert.deepEqual(
			Object.entries(callsPerNumber).sort(),
			people.map(({ phone }) => [phone, 1]),
		);
		assert.equal(control.counts().requests.createConversations, requests);
	}

	test('Retry On Fail calls no one twice after a lost reply', async () => {
		control.setFaults([{ kind: 'resetAfter', operation: 'createConversations', from: 2, to: 2 }]);
		const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 300 };
		const execution = await rest.runWorkflow(await store(campaign(retries)));
		workerOf(execution.id);
		assert.match(errorOf(execution)?.description ?? '', /25 accepted, 25 unknown/);
		assert.ok((runsOf(execution, nodeName)[0]?.executionTime ?? 0) >= 600);
		everyoneOnce(2);
	});

	test('"Retry" on a failed execution calls only those who were refused', async () => {
		const refusal = { kind: 'status', status: 400, operation: 'createConversations' } as const;
		control.setFaults([{ ...refusal, from: 2, to: 2 }]);
		const failed = await rest.runWorkflow(await store(campaign()));
		assert.match(errorOf(failed)?.description ?? '', /25 accepted, 25 rejected/);
		const again = await rest.retryExecution(failed.id);
		assert.equal(again.status, 'success', errorOf(again)?.message);
		assert.equal(again.mode, 'retry');
		workerOf(failed.id);
		workerOf(again.id);
		everyoneOnce(3);
	});
});
