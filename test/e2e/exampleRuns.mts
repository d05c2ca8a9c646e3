import assert from 'node:assert/strict';
import { readShipped, withoutSamples, withSettings } from '../../tools/demo/examples.mts';
import type { Settings } from '../../tools/demo/examples.mts';
import { errorOf, itemsOf } from '../../tools/host/execution.mts';
import type { Execution, Json } from '../../tools/host/execution.mts';
import type { WorkflowJson } from '../../tools/host/workflow.mts';
import { credentials, desk, n8nNode, run } from './desk.mts';
import { withAccounts } from './services.mts';

/** The changes of a user to an imported example. */
export interface Use {
	readonly settings?: Settings;
	/** Unpins the samples, so its nodes ask the services. */
	readonly isOnline?: boolean;
	/** Chooses an account in each node of another service. */
	readonly hasAccounts?: boolean;
	readonly change?: (workflow: WorkflowJson) => WorkflowJson;
}

/** Imports an example, with its samples unless a test removes them, and returns its id. */
export async function importShipped(
	file: string,
	{ settings = {}, isOnline = false, hasAccounts = isOnline, change = (one) => one }: Use = {},
): Promise<string> {
	const deskSettings = { folder: desk.files, agentId: desk.target.agentId };
	const shipped = withSettings(await readShipped({ file }), { ...deskSettings, ...settings });
	const changed = change(isOnline ? withoutSamples(shipped) : shipped);
	const workflow = hasAccounts ? await withAccounts(desk.n8n.rest, changed) : changed;
	return await desk.n8n.rest.importWorkflow(workflow, {
		...credentials,
		// n8n also requires the credential of a pinned node.
		httpHeaderAuth: await desk.n8n.rest.createCredential(sliceKey),
	});
}

/** The key with which slices are handed out. */
export const sliceKey = {
	name: 'Key of the Slices',
	type: 'httpHeaderAuth',
	data: { name: 'x-slice-key', value: 'only-for-this-machine' },
};

/** Imports an example and runs it; it has to end well. */
export async function runShipped(
	file: string,
	{ triggerNode, ...use }: Use & { readonly triggerNode?: string } = {},
): Promise<Execution> {
	const id = await importShipped(file, use);
	return succeeded(await desk.n8n.rest.runWorkflow(id, triggerNode ? { triggerNode } : {}));
}

/** An execution that ended well. */
export function succeeded(execution: Execution): Execution {
	assert.equal(execution.status, 'success', errorOf(execution)?.message);
	return execution;
}

/** The same workflow with other parameters of one of its nodes. */
export const withParameters =
	(name: string, parameters: Json) =>
	(workflow: WorkflowJson): WorkflowJson => ({
		...workflow,
		nodes: workflow.nodes.map((node) =>
			node.name === name ? { ...node, parameters: { ...node.parameters, ...parameters } } : node,
		),
	});

/** The rows of a Data Table. */
export async function rowsOfTable(name: string): Promise<Json[]> {
	const parameters = { resource: 'row', operation: 'get', returnAll: true, ...table(name) };
	return itemsOf(await run('Read', [n8nNode('dataTable', 1.1, parameters)]), 'dataTable');
}

const table = (name: string) => ({ dataTableId: { __rl: true, mode: 'name', value: name } });

/** Hours of a campaign in which a test may call at any time. */
export const always = {
	days: 'monday, tuesday, wednesday, thursday, friday, saturday, sunday',
	from: '00:00',
	until: '24:00',
};
