import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readShipped } from '../../tools/demo/examples.mts';
import { openNext, openWorkflow } from './browser.mts';
import type { CredentialRef } from '../../tools/host/workflow.mts';
import { desk } from './desk.mts';
import { Canvas } from './canvas.mts';
import { sliceKey } from './exampleRuns.mts';
import { withAccounts } from './services.mts';
import { openWindow, skip } from './window.mts';

const root = join(import.meta.dirname, '../..');
const files = (await readdir(join(root, 'workflows')))
	.filter((name) => name.endsWith('.json'))
	.sort();

describe('the canvas of an example, as a user sees it after the import', { skip }, () => {
	let canvas: Canvas;
	const credentials: Record<string, CredentialRef> = { conversationDeskApi: desk.credential };
	before(async () => {
		for (const [type, data] of Object.entries({
			httpHeaderAuth: sliceKey.data,
			openAiApi: { apiKey: 'none', url: 'http://127.0.0.1:1/v1', header: false },
		})) {
			credentials[type] = await desk.n8n.rest.createCredential({ name: type, type, data });
		}
		canvas = new Canvas(await openWindow(1440, 900));
	});
	after(() => canvas.page.close());

	for (const file of files) {
		test(`shows all of ${file} at 1,440 px, and no node covers another`, async () => {
			const workflow = await withAccounts(desk.n8n.rest, await readShipped({ file }));
			const id = await desk.n8n.rest.importWorkflow(workflow, credentials);
			const nodes = workflow.nodes
				.filter(({ type }) => !type.endsWith('stickyNote'))
				.map(({ name }) => name);
			if (file === files[0]) await openWorkflow(canvas.page, desk.n8n, id);
			else await openNext(canvas.page, id, nodes);
			await canvas.fitToView();
			assert.deepEqual(await canvas.crowded(), []);
			assert.deepEqual(await canvas.outside(), []);
			if (process.env['CONVERSATION_DESK_PICTURES'] === undefined) return;
			await canvas.page.setViewportSize({ width: 1600, height: 1000 });
			await canvas.fitToView();
			await canvas.picture(file.replace(/\.json$/, ''));
			await canvas.page.setViewportSize({ width: 1440, height: 900 });
		});
	}
});
