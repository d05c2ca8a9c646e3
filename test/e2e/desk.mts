import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { joinDesk, startDesk } from '../../tools/demo/desk.mts';
import type { Desk } from '../../tools/demo/desk.mts';
import { sandboxTarget } from '../../tools/demo/target.mts';
import type { Execution, Json } from '../../tools/host/execution.mts';
import { itemsOf } from '../../tools/host/execution.mts';
import { runningN8n } from '../../tools/host/session.mts';
import type { WorkflowNode } from '../../tools/host/workflow.mts';
import { n8nNode, workflowOf } from '../support/workflowNodes.mts';
import { startServices } from './services.mts';

export {
	calling,
	everyoneOnce,
	itemsFrom,
	n8nNode,
	nodeName,
	ownNode,
	ownType,
	peopleFrom,
} from '../support/workflowNodes.mts';

/** The stand-ins for the internet that service nodes reach. */
export const services = await startServices();

const target = await sandboxTarget({ tickets: 3_000 });

/** The one n8n with the packed package, and the one sandbox. CONVERSATION_DESK_N8N is its version, or the address of one that runs. */
export const desk: Desk = runningN8n
	? await joinDesk(target, runningN8n)
	: await startDesk(target, console.error, {
			version: process.env['CONVERSATION_DESK_N8N'],
			env: services.env,
		});

/** Our own credential, by its type. */
export const credentials = { conversationDeskApi: desk.credential };

after(async () => {
	await desk.stop();
	await services.close();
});

/** The counts and faults of the sandbox. */
export const { control } = target.sandbox;

/** Stores a workflow of these nodes in a row, begun by a manual trigger, and returns its id. */
export async function store(name: string, nodes: readonly WorkflowNode[]): Promise<string> {
	return await desk.n8n.rest.importWorkflow(workflowOf(name, nodes), credentials);
}

/** Stores a workflow of these nodes and runs it. */
export async function run(name: string, nodes: readonly WorkflowNode[]): Promise<Execution> {
	return await desk.n8n.rest.runWorkflow(await store(name, nodes));
}

/** The rows of a sheet in the shared folder, as n8n reads them. */
export async function readSheet(file: string): Promise<Json[]> {
	const operation = file.endsWith('.csv') ? 'csv' : 'xlsx';
	// n8n writes a byte order mark into a CSV, but does not expect one when it reads.
	const options = operation === 'csv' ? { enableBOM: true } : {};
	const execution = await run(`Read ${file}`, [
		n8nNode('readWriteFile', 1.1, { fileSelector: `${desk.files}/${file}`, options: {} }),
		n8nNode('extractFromFile', 1.1, { operation, options }),
	]);
	return itemsOf(execution, 'extractFromFile');
}

/** The address of the form of a published workflow, when n8n shows it: it answers before it knows the form. */
export async function openForm(workflowId: string, trigger: string): Promise<string> {
	const { nodes } = await desk.n8n.rest.workflow(workflowId);
	const path = String(nodes.find(({ name }) => name === trigger)?.['webhookId']);
	const url = `${desk.n8n.url}/form/${path}`;
	for (let tries = 0; tries < 80; tries++) {
		if ((await fetch(url)).ok) return url;
		await sleep(250);
	}
	throw new Error(`n8n does not show the form of ${trigger}.`);
}
