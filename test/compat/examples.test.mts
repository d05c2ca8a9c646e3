import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../tools/checks/check.mts';
import { defaultVersion } from '../../tools/host/versions.mts';
import type { WorkflowJson } from '../../tools/host/workflow.mts';
import { desk } from '../e2e/desk.mts';

const folder = join(root, 'workflows');
const examples = readdirSync(folder)
	.filter((file) => file.endsWith('.json'))
	.map((file) => ({
		file,
		workflow: JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowJson,
	}));

test('Every example workflow can be imported', async () => {
	const credentials = { conversationDeskApi: desk.credential };
	for (const { file, workflow } of examples)
		assert.ok(await desk.n8n.rest.importWorkflow(workflow, credentials), file);
});

// n8n 1 has older versions of Read/Write Files from Disk and Data Table.
if (!(process.env['CONVERSATION_DESK_N8N'] ?? defaultVersion).startsWith('1.'))
	test('The editor knows every node of the example workflows', async () => {
		const types = await desk.n8n.rest.types<{ name: string; version: number | number[] }>('nodes');
		const available = new Set(
			types.flatMap(({ name, version }) => [version].flat().map((each) => `${name} ${each}`)),
		);
		const unknown = examples.flatMap(({ file, workflow }) =>
			workflow.nodes
				.filter(({ type, typeVersion }) => !available.has(`${type} ${typeVersion}`))
				.map(({ type, typeVersion }) => `${file}: ${type} ${typeVersion}`),
		);
		assert.deepEqual(unknown, []);
	});
