import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withSettings } from '../../sandbox/demo/examples.mts';
import type { Execution, ExecutionSummary } from '../../sandbox/host/execution.mts';
import { itemsOf } from '../../sandbox/host/execution.mts';
import type { WorkflowJson } from '../../sandbox/host/workflow.mts';
import { farm, until } from './farm.mts';

const folder = join(dirname(dirname(import.meta.dirname)), 'workflows');

const header = await farm.main.rest.createCredential({
	name: 'Key of the Slices',
	type: 'httpHeaderAuth',
	data: { name: 'x-slice-key', value: 'only-for-this-machine' },
});

/** The two workflows of the example as they are shipped, imported and published as a user does; `change` alters them first. */
export async function importFanOut(
	path: string,
	customers: number,
	change: (workflow: WorkflowJson) => WorkflowJson = (workflow) => workflow,
): Promise<{ fanOut: string; slice: string }> {
	const { main, credential } = farm;
	const address = `${main.url}/webhook/${path}`;
	const known = { conversationDeskApi: credential, httpHeaderAuth: header };
	const slices = change(await read('fan-out-slice.json'));
	for (const node of slices.nodes) {
		if (node.name !== 'A Slice') continue;
		node.parameters['path'] = path;
		node['webhookId'] = path;
	}
	const slice = await main.rest.importWorkflow(slices, known);
	await main.rest.activateWorkflow(slice);
	await until('the webhook is known', async () => {
		const { status } = await fetch(address, { method: 'POST' });
		return status !== 404;
	});
	const all = change(await read('fan-out-over-workers.json'));
	const workflow = withSettings(all, { address, customers: String(customers) });
	return { slice, fanOut: await main.rest.importWorkflow(workflow, known) };
}

async function read(file: string): Promise<WorkflowJson> {
	return JSON.parse(await readFile(join(folder, file), 'utf8')) as WorkflowJson;
}

/** How many rows the execution says were accepted. */
export const acceptedRows = (execution: Execution): number =>
	itemsOf(execution, 'What Became of the Slices').reduce(
		(sum, { accepted }) => sum + Number(accepted ?? 0),
		0,
	);

/** The executions of the slices, the newest first. */
export const slicesOf = async (slice: string): Promise<ExecutionSummary[]> =>
	await farm.main.rest.listExecutions({ workflowId: slice });
