import { setTimeout as sleep } from 'node:timers/promises';
import { readExample, withSettings } from '../../tools/demo/examples.mts';
import type { Settings } from '../../tools/demo/examples.mts';
import type { N8n } from '../../tools/host/n8n.mts';
import type { CredentialRef, WorkflowJson } from '../../tools/host/workflow.mts';

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
}

/** `large-export.json` and `large-export-slice.json` as they are shipped, imported and published as a user does. */
export async function importFanOut(plan: FanOutPlan): Promise<{ fanOut: string; slice: string }> {
	const { n8n, path, settings = {}, sliceSettings = {} } = plan;
	const { rest: api, url } = n8n;
	const key = { name: 'x-slice-key', value: 'only-for-this-machine' };
	const header = { name: 'Key of the Slices', type: 'httpHeaderAuth', data: key };
	const credentials = {
		conversationDeskApi: plan.credential,
		httpHeaderAuth: await api.createCredential(header),
	};
	const address = `${url}/webhook/${path}`;
	const slices = withSettings(
		await readExample({ file: 'large-export-slice.json' }),
		sliceSettings,
	);
	const slice = await api.importWorkflow(atPath(slices, path), credentials);
	await api.activateWorkflow(slice);
	await reachWebhook(address);
	const all = await readExample({ file: 'large-export.json' });
	const workflow = withSettings(all, { address, ...settings });
	return { slice, fanOut: await api.importWorkflow(workflow, credentials) };
}

const atPath = (workflow: WorkflowJson, path: string): WorkflowJson => ({
	...workflow,
	nodes: workflow.nodes.map((node) =>
		node.name === 'A Slice'
			? { ...node, parameters: { ...node.parameters, path }, webhookId: path }
			: node,
	),
});

/** Posts to a webhook of a workflow that was just published: n8n answers an activation a moment before it knows the webhook. */
async function reachWebhook(url: string): Promise<void> {
	// A kept connection may be closed by n8n in the moment in which it is used again.
	const post = { method: 'POST', headers: { connection: 'close' } };
	for (let tries = 0; tries < 300 && (await fetch(url, post)).status === 404; tries += 1)
		await sleep(200);
}
