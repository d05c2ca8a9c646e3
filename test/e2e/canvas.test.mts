import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { readShipped } from '../../tools/demo/examples.mts';
import { loginToEditor, openBrowser, openWorkflow } from '../../tools/host/browser.mts';
import type { CredentialRef } from '../../tools/host/workflow.mts';
import { desk } from './desk.mts';
import { Canvas } from './canvas.mts';
import { withAccounts } from './services.mts';

const root = join(import.meta.dirname, '../..');
const files = (await readdir(join(root, 'workflows'))).sort();

// Older editors look different.
const other = process.env['CONVERSATION_DESK_N8N'];
const browser: Browser | undefined = other ? undefined : await openBrowser(console.error);
const skip = browser ? false : `there is no browser, or another n8n than the default (${other})`;

describe('the canvas of an example, as a user sees it after the import', { skip }, () => {
	let canvas: Canvas;
	const credentials: Record<string, CredentialRef> = { conversationDeskApi: desk.credential };
	before(async () => {
		await mkdir(join(root, 'test-results'), { recursive: true });
		for (const [type, data] of Object.entries({
			httpHeaderAuth: { name: 'x-slice-key', value: 'only-for-this-machine' },
			openAiApi: { apiKey: 'none', url: 'http://127.0.0.1:1/v1', header: false },
		})) {
			credentials[type] = await desk.n8n.rest.createCredential({ name: type, type, data });
		}
		const page = await (browser as Browser).newPage({ viewport: { width: 1760, height: 1000 } });
		page.setDefaultTimeout(30_000);
		await loginToEditor(page, desk.n8n);
		canvas = new Canvas(page);
	});
	after(() => browser?.close());

	for (const file of files) {
		test(`shows all of ${file}, and nothing is cut off or covered`, async () => {
			const workflow = await withAccounts(desk.n8n.rest, await readShipped({ file }));
			const id = await desk.n8n.rest.importWorkflow(workflow, credentials);
			await openWorkflow(canvas.page, desk.n8n, id);
			await canvas.fitToView();
			assert.deepEqual(await canvas.hidden(), []);
			if (process.env['CONVERSATION_DESK_PICTURES'])
				await canvas.picture(file.replace(/\.json$/, ''));
		});
	}
});
