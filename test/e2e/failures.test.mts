import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { itemsOf, errorOf } from '../../tools/host/execution.mts';
import type { Json } from '../../tools/host/execution.mts';
import { control, itemsFrom, nodeName, ownNode, run } from './desk.mts';
import { eachRowOnce, pairedItems } from './pairing.mts';

describe('what goes wrong in a real n8n', () => {
	beforeEach(() => control.reset({ keepTickets: true }));

	const people = Array.from({ length: 60 }, (_, index) => ({
		id: `P-${index}`,
		phone: `+1415555${String(1000 + index)}`,
	}));

	const customers: Json = {
		resource: 'customer',
		operation: 'createBatch',
		inputMode: 'fields',
		customer: {
			mappingMode: 'defineBelow',
			value: { identifier: '={{ $json.id }}', phoneNumber: '={{ $json.phone }}' },
		},
		options: { sending: { requests: { batchSize: 20, parallelRequests: 1 } } },
	};

	const where = { node: nodeName, before: 'splitOut' };

	for (const onError of ['continueErrorOutput', 'continueRegularOutput']) {
		test(`a service that answers 500 gives one error item for each row (${onError})`, async () => {
			control.setFaults([{ kind: 'status', status: 500 }]);
			const nodes = [...itemsFrom(people), ownNode(customers, { onError })];
			const execution = await run(`500 with ${onError}`, nodes);
			assert.equal(execution.status, 'success');
			const failed = pairedItems(execution, where, onError === 'continueErrorOutput' ? 1 : 0);
			eachRowOnce(people.length, failed);
			for (const { json, row } of failed) {
				assert.match(String(json['error']), new RegExp(`^Row ${row + 1}: .*500`));
				const details = json['details'] as Json;
				assert.equal(details['outcome'], 'unknown');
				assert.equal(details['batch'], Math.floor(row / 20) + 1);
				assert.equal(details['status'], 500);
			}
			assert.equal(control.counts().requests.createCustomers, 3);
		});
	}

	test('the batch that the service refuses fails alone, with its rows in the error output', async () => {
		control.setFaults([
			{ kind: 'status', status: 400, operation: 'createCustomers', from: 2, to: 2 },
		]);
		const nodes = [...itemsFrom(people), ownNode(customers, { onError: 'continueErrorOutput' })];
		const execution = await run('One refused batch', nodes);
		const accepted = pairedItems(execution, where, 0);
		const failed = pairedItems(execution, where, 1);
		eachRowOnce(people.length, accepted, failed);
		assert.deepEqual(
			failed.map(({ row }) => row),
			Array.from({ length: 20 }, (_, index) => 20 + index),
		);
		assert.ok(failed.every(({ json }) => (json['details'] as Json)['outcome'] === 'rejected'));
		assert.equal(control.customers().length, 40);
	});

	test('without "continue", one error says how many rows did not make it, with the job IDs', async () => {
		control.setFaults([
			{ kind: 'status', status: 400, operation: 'createCustomers', from: 2, to: 2 },
		]);
		const execution = await run('One error', [...itemsFrom(people), ownNode(customers)]);
		assert.equal(execution.status, 'error');
		const error = errorOf(execution);
		assert.match(
			error?.message ?? '',
			/^40 customers were sent\. Rows 21 to 40: The service rejected the request/,
		);
		assert.match(error?.description ?? '', /60 rows, 3 requests: 40 accepted, 20 rejected/);
		for (const { jobIds } of control.customers()) {
			assert.ok(error?.description?.includes(jobIds[0] ?? 'none'));
		}
	});

	test('a credential that cannot be used fails each row, and sends nothing', async () => {
		control.setFaults([{ kind: 'status', status: 401 }]);
		const search = { resource: 'ticket', operation: 'search', output: 'raw' };
		const node = ownNode(search, { onError: 'continueErrorOutput' });
		const execution = await run('401', [...itemsFrom(people.slice(0, 3)), node]);
		assert.equal(itemsOf(execution, nodeName, 0).length, 0);
		assert.equal(itemsOf(execution, nodeName, 1).length, 3);
	});
});
