import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { loginToEditor, openBrowser, openWorkflow } from '../../tools/host/browser.mts';
import { control, desk, itemsFrom, nodeName, ownNode, store } from './desk.mts';
import { Panel } from './panel.mts';

const browser = await openBrowser(console.error);
const skip = browser ? false : 'there is no browser on this machine';
after(() => browser?.close());

test(
	'a new mapping in the editor sends only the fields that were filled in',
	{ skip },
	async () => {
		assert.ok(browser);
		control.reset({ keepTickets: true });
		control.setFaults([]);
		const id = await store('New mapping', [
			...itemsFrom([{ id: 'C-1' }]),
			ownNode({ resource: 'customer', operation: 'upsertBatch' }),
		]);
		const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
		page.setDefaultTimeout(30_000);
		await loginToEditor(page, desk.n8n);
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
