import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { examples, importExample } from '../../tools/demo/examples.mts';
import type { Example } from '../../tools/demo/examples.mts';
import { loginToEditor, openBrowser, openWorkflow } from '../../tools/host/browser.mts';
import { desk } from './desk.mts';

const pictures = join(dirname(dirname(import.meta.dirname)), 'test-results');
const browser: Browser | undefined = await openBrowser(console.error);
const skip = browser ? false : 'there is no browser on this machine';

describe('the editor', { skip }, () => {
	let page: Page;
	before(async () => {
		await mkdir(pictures, { recursive: true });
		page = await (browser as Browser).newPage({ viewport: { width: 1600, height: 1000 } });
		page.setDefaultTimeout(30_000);
		await loginToEditor(page, desk.n8n);
	});
	after(() => browser?.close());

	async function open(example: Example): Promise<void> {
		await openWorkflow(page, desk.n8n, await importExample(desk, example));
		// The canvas fades in.
		await page.waitForTimeout(1_500);
		await page.screenshot({ path: join(pictures, `${example.file}.canvas.png`) });
		await page.locator(`[data-test-id="canvas-node"][data-node-name="${example.node}"]`).dblclick();
		await page.getByText('Resource', { exact: true }).first().waitFor();
		await page.waitForTimeout(1_500);
		await page.screenshot({ path: join(pictures, `${example.file}.panel.png`) });
	}

	async function shows(labels: readonly string[]): Promise<void> {
		for (const label of labels) {
			const found = page.getByText(label, { exact: true });
			assert.ok((await found.count()) > 0, `"${label}" is not to be seen`);
		}
	}

	test('shows the panel of a customer batch with the fields of a customer', async () => {
		await open(examples.customers);
		await shows(['Resource', 'Operation', 'Input Mode', 'Identifier', 'Phone Number']);
		await shows(['Skip Unchanged Customers']);
	});

	test('shows the panel of a ticket search with its conditions', async () => {
		await open(examples.tickets);
		await shows(['Return All', 'Filters', 'Column', 'Operator', 'Values', 'Sort']);
	});

	test('shows the panel of a campaign with its limit', async () => {
		await open(examples.calls);
		await shows(['Agent ID', 'To Phone Number', 'Dynamic Variables', 'Maximum Conversations']);
	});
});
