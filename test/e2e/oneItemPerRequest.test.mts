import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOf, itemsOf, runsOf } from '../../tools/host/execution.mts';
import type { Json } from '../../tools/host/execution.mts';
import { control, itemsFrom, n8nNode, nodeName, ownNode, run } from './desk.mts';
import { pairedItems } from './pairing.mts';

const people = Array.from({ length: 25 }, (_, i) => ({ id: `T-${i}`, name: `Person ${i}` }));

const sync: Json = {
	resource: 'customer',
	operation: 'createBatch',
	dryRun: false,
	inputMode: 'fields',
	customer: {
		mappingMode: 'defineBelow',
		value: { identifier: '={{ $json.id }}', name: '={{ $json.name }}' },
		schema: [],
		matchingColumns: [],
		attemptToConvertTypes: false,
		convertFieldsToString: false,
	},
	options: { outputAs: 'requests', batching: { batch: { batchSize: 10, parallelRequests: 1 } } },
};

/** Asks n8n for the item that all rows of a request come from, and for its only row where it has one. */
const linked = n8nNode('set', 3.4, {
	mode: 'raw',
	jsonOutput:
		"={{ { all: $('set').item.json.rows.length, row: $json.count === 1 ? $('splitOut').item.json.id : null } }}",
	options: {},
});

test('one item for each request is linked to all its rows, and failed rows stay one item each', async () => {
	control.reset({ keepTickets: true });
	control.setFaults([{ kind: 'resetAfter', operation: 'createCustomers', from: 2, to: 2 }]);
	const rows = [...people.slice(0, 20), people[24]];
	const execution = await run('Together', [
		...itemsFrom(rows as Json[]),
		ownNode(sync, { onError: 'continueErrorOutput' }),
		{ ...linked, name: 'Linked' },
	]);
	assert.equal(errorOf(execution), undefined);

	const items = runsOf(execution, nodeName)[0]?.data?.main[0] ?? [];
	const places = items.map(({ pairedItem }) =>
		(pairedItem as Array<{ item: number }>).map(({ item }) => item),
	);
	const first = Array.from({ length: 10 }, (_, i) => i);
	assert.deepEqual(places, [first, [20]]);
	for (const [i, { json }] of items.entries()) {
		const customers = json['customers'] as Array<{ identifier: string }>;
		assert.deepEqual(
			customers.map(({ identifier }) => identifier),
			places[i]?.map((place) => rows[place]?.id),
		);
		assert.equal(json['count'], customers.length);
		const stored = control
			.customers()
			.filter(({ jobIds }) => jobIds.includes(String(json['jobId'])));
		assert.equal(stored.length, customers.length);
	}

	const failed = pairedItems(execution, { node: nodeName, before: 'splitOut' }, 1);
	assert.deepEqual(
		failed.map(({ row, json }) => [row, json['id'], (json['details'] as Json)['outcome']]),
		Array.from({ length: 10 }, (_, i) => [10 + i, `T-${10 + i}`, 'unknown']),
	);
	assert.deepEqual(itemsOf(execution, 'Linked'), [
		{ all: 21, row: null },
		{ all: 21, row: 'T-24' },
	]);
});
