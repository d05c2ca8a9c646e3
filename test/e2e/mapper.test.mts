import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWorkflow } from '../../tools/host/browser.mts';
import { control, desk, itemsFrom, nodeName, ownNode, store } from './desk.mts';
import { Panel } from './panel.mts';
import { openWindow, skip } from './window.mts';

test(
	'a new mapping in the editor sends only the fields that were filled in',
	{ skip },
	async () => {
		control.reset({ keepTickets: true });
		control.setFaults([]);
		const id = await store('New mapping', [
			...itemsFrom([{ id: 'C-1' }]),
			ownNode({ resource: 'customer', operation: 'upsertBatch', dryRun: false }),
		]);
		const page = await openWindow(1600, 1000);
		await openWorkflow(page, desk.n8n, id);
		const panel = new Panel(page);
		await panel.open(nodeName);
		await panel.fill('identifier', 'C-1');
		await panel.execute(/accepted/);
		const [request] = control.received();
		const { customers } = request?.body as { customers: object[] };
		assert.deepEqual(
			customers.map((customer) => Object.keys(customer).sort()),
			[['identifier', 'source']],
		);
		await page.close();
	},
);
