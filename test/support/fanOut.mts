import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readExample, withSettings } from '../../tools/demo/examples.mts';
import type { Settings } from '../../tools/demo/examples.mts';
import type { Execution } from '../../tools/host/execution.mts';
import { itemsOf } from '../../tools/host/execution.mts';
import type { N8n } from '../../tools/host/n8n.mts';
import type { CredentialRef, WorkflowJson } from '../../tools/host/workflow.mts';
import { postToWebhook } from './webhook.mts';

/** A workflow that hands out slices, and the one that takes them. */
interface Pair {
	fanOut: string;
	slice: string;
}

/** The workflows of the tests of queue mode, which cut rows into slices without a file. */
const customersInSlices: Pair = {
	fanOut: 'fan-out-over-workers.json',
	slice: 'fan-out-slice.json',
};
const queueWorkflows = join(import.meta.dirname, '..', 'queue', 'workflows');

/** Reads a workflow of the tests of queue mode, without its samples. */
async function readQueueWorkflow({ file }: { file: string }): Promise<WorkflowJson> {
	const text = await readFile(join(queueWorkflows, file), 'utf8');
	return { ...(JSON.parse(text) as WorkflowJson), pinData: {} };
}

/** How an example that fans out is imported. */
export interface FanOutPlan {
	n8n: Pick<N8n, 'url' | 'rest'>;
	/** The credential of the service. */
	credential: CredentialRef;
	/** The path of the webhook that takes the slices, another one for each import. */
	path: string;
	settings?: Settings;
	/** Those of the workflow that takes the slices. */
	sliceSettings?: Settings;
	/** Two examples. Without them, the workflows of the tests of queue mode. */
	files?: Pair;
	/** Alters both workflows before they are imported. */
	change?: (workflow: WorkflowJson) => WorkflowJson;
}

/** The two workflows of the example as they are shipped, imported and published as a user does. */
export async function importFanOut(plan: FanOutPlan): Promise<Pair> {
	const { n8n, path, settings = {}, change = (workflow) => workflow } = plan;
	const { files = customersInSlices, sliceSettings = {} } = plan;
	const read = plan.files ? readExample : readQueueWorkflow;
	const { rest, url } = n8n;
	const key = { name: 'x-slice-key', value: 'only-for-this-machine' };
	const header = { name: 'Key of the Slices', type: 'httpHeaderAuth', data: key };
	const credentials = {
		conversationDeskApi: plan.credential,
		httpHeaderAuth: await rest.createCredential(header),
	};
	const address = `${url}/webhook/${path}`;
	const slices = withSettings(change(await read({ file: files.slice })), sliceSettings);
	const slice = await rest.importWorkflow(atPath(slices, path), credentials);
	await rest.activateWorkflow(slice);
	await postToWebhook(address);
	const all = change(await read({ file: files.fanOut }));
	const workflow = withSettings(all, { address, ...settings });
	return { slice, fanOut: await rest.importWorkflow(workflow, credentials) };
}

const atPath = (workflow: WorkflowJson, path: string): WorkflowJson => ({
	...workflow,
	nodes: workflow.nodes.map((node) =>
		node.name === 'A Slice'
			? { ...node, parameters: { ...node.parameters, path }, webhookId: path }
			: node,
	),
});

/** How many rows the execution says were accepted. */
export const acceptedRows = (execution: Execution): number =>
	itemsOf(execution, 'What Became of the Slices').reduce(
		(sum, { accepted }) => sum + Number(accepted ?? 0),
		0,
	);
