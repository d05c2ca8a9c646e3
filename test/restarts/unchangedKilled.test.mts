import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { Json } from '../../tools/host/execution.mts';
import type { N8n } from '../../tools/host/n8n.mts';
import { postToWebhook } from '../support/webhook.mts';
import { nodeName, ownNode } from '../support/workflowNodes.mts';
import { ownDesk } from './ownDesk.mts';

const CUSTOMERS = 400;
const path = 'whole-export';

/** Syncs a whole export that comes in by a webhook, as only a published workflow keeps a state. */
const sync: Json = {
	name: 'Sync of a whole export',
	nodes: [
		{
			name: 'Export',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', options: {} },
			webhookId: path,
			position: [0, 0],
		},
		{
			name: 'Rows',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'body.rows', options: {} },
			position: [200, 0],
		},
		ownNode({
			resource: 'customer',
			operation: 'upsertBatch',
			dryRun: false,
			customer: { mappingMode: 'autoMapInputData', value: null },
			doNotDisturb: 'none',
			options: {
				skipUnchanged: true,
				batching: { batch: { batchSize: 20, parallelRequests: 1 } },
			},
		}),
	],
	connections: {
		Export: { main: [[{ node: 'Rows', type: 'main', index: 0 }]] },
		Rows: { main: [[{ node: nodeName, type: 'main', index: 0 }]] },
	},
};

const exported = (name: string) => ({
	rows: Array.from({ length: CUSTOMERS }, (_, i) => ({ identifier: `C-${i}`, name })),
});

const run = async ({ url }: Pick<N8n, 'url'>, name: string): Promise<number> =>
	(await postToWebhook(`${url}/webhook/${path}`, exported(name))).status;

test('a sync that is killed in the middle is not trusted: the next run sends all of the export', async () => {
	const { desk, control, startAgain } = await ownDesk();
	const { rest } = desk.n8n;
	const id = await rest.importWorkflow(sync as never, { conversationDeskApi: desk.credential });
	await rest.activateWorkflow(id);
	const names = () => new Set(control.customers().map(({ customer }) => customer.name));
	const requests = () => control.counts().requests.createCustomers;

	assert.equal(await run(desk.n8n, 'First'), 200);
	assert.equal(requests(), CUSTOMERS / 20);
	assert.equal(await run(desk.n8n, 'First'), 200);
	assert.equal(requests(), CUSTOMERS / 20);

	control.setFaults([{ kind: 'latency', operation: 'createCustomers', ms: 100 }]);
	const killed = run(desk.n8n, 'Second').catch(() => 0);
	while (requests() < CUSTOMERS / 20 + 5) await once(AbortSignal.timeout(20), 'abort');
	await desk.n8n.kill();
	await killed;
	control.setFaults([]);
	assert.deepEqual(names(), new Set(['First', 'Second']));

	const again = await startAgain();
	// The export is again what the last saved state says.
	assert.equal(await run(again, 'First'), 200);
	assert.deepEqual(names(), new Set(['First']));
});
