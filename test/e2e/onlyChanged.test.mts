import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { examples, readShipped, withSettings } from '../../tools/demo/examples.mts';
import type { WorkflowJson } from '../../tools/host/workflow.mts';
import { postToWebhook } from '../support/webhook.mts';
import { n8nNode } from '../support/workflowNodes.mts';
import { control, desk } from './desk.mts';

const path = 'only-changed';

/** The example with a webhook in the place of its schedule, so the test decides when it runs. */
function byWebhook(workflow: WorkflowJson): WorkflowJson {
	const webhook = { path, httpMethod: 'POST', responseMode: 'onReceived', options: {} };
	return {
		...workflow,
		nodes: workflow.nodes.map((node) =>
			node.type === 'n8n-nodes-base.scheduleTrigger'
				? { ...n8nNode('webhook', 2, webhook), name: node.name, webhookId: path }
				: node,
		),
	};
}

test('customer-sync.json sends a row again only when it changed or was not accepted', async () => {
	const { rest, url } = desk.n8n;
	control.reset({ keepTickets: true });
	// With its samples: a published run does not use them.
	const workflow = byWebhook(
		withSettings(await readShipped(examples.customers), { folder: desk.files }),
	);
	const id = await rest.importWorkflow(workflow, { conversationDeskApi: desk.credential });
	await rest.activateWorkflow(id);
	after(() => rest.deactivateWorkflow(id));

	let runs = 0;
	/** The identifiers that the service is sent in one run of the published workflow. */
	async function sync(): Promise<string[]> {
		const before = control.received().length;
		const response = await postToWebhook(`${url}/webhook/${path}`);
		assert.equal(response.status, 200, await response.text());
		runs++;
		const ended = { workflowId: id, status: ['success', 'error'] };
		while ((await rest.listExecutions(ended)).length < runs) await sleep(100);
		assert.ok((await rest.listExecutions(ended)).every(({ status }) => status === 'success'));
		const bodies = control.received().slice(before);
		return bodies.flatMap(({ body }) =>
			(body as { customers: Array<{ identifier: string }> }).customers.map((c) => c.identifier),
		);
	}

	control.setFaults([{ kind: 'status', status: 400 }]);
	const refused = await sync();
	assert.ok(refused.length > 400);
	control.setFaults([]);
	assert.deepEqual((await sync()).toSorted(), refused.toSorted());
	assert.deepEqual(await sync(), []);

	const sheet = join(desk.files, 'crm-contacts-export.csv');
	const original = await readFile(sheet, 'utf8');
	after(() => writeFile(sheet, original));
	// A column that is not sent changes nothing.
	await writeFile(sheet, original.replace('2026-05-24 19:41', '2026-11-20 08:00'));
	assert.deepEqual(await sync(), []);
	await writeFile(sheet, original.replace('100001,Samir,', '100001,Sam,'));
	assert.ok((await sync()).includes('100001'));
	assert.deepEqual(await sync(), []);
	await writeFile(sheet, original);
	assert.ok((await sync()).includes('100001'));
});
