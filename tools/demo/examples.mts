import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Execution } from '../host/execution.mts';
import type { WorkflowJson } from '../host/workflow.mts';
import type { Operation } from '../../sandbox/operations.mts';
import type { Desk } from './desk.mts';
import { credentialType } from './desk.mts';

/** An example workflow and the nodes that the demo reads. */
export interface Example {
	file: string;
	operation: Operation;
	/** The node of this package. */
	node: string;
	/** The node before it. */
	input: string;
	/** The files that it writes, each with the node of its rows. */
	writes: Record<string, string>;
}

/** The example workflows in `workflows/`. */
export const examples = {
	tickets: {
		file: 'ticket-export.json',
		operation: 'searchTickets',
		node: 'Find Urgent Tickets',
		input: 'Settings',
		writes: { 'tickets.csv': 'Find Urgent Tickets' },
	},
	customers: {
		file: 'customer-sync.json',
		operation: 'createCustomers',
		node: 'Create or Update Customers',
		input: 'Rows of the Sheet',
		writes: {
			'customers-accepted.csv': 'Accepted Rows',
			'customers-rejected.csv': 'Rejected Rows',
		},
	},
	calls: {
		file: 'outbound-campaign.json',
		operation: 'createConversations',
		node: 'Start the Calls',
		input: 'Rows of the Sheet',
		writes: {
			'calls-started.xlsx': 'Started Calls',
			'calls-not-started.xlsx': 'Calls Not Started',
		},
	},
} as const satisfies Record<string, Example>;

const folder = join(dirname(dirname(import.meta.dirname)), 'workflows');
const data = join(import.meta.dirname, 'data');

/** Copies the sheets of the examples into a folder. */
export async function copySheets(target: string): Promise<void> {
	await mkdir(target, { recursive: true });
	for (const sheet of ['crm-contacts-export.csv', 'campaign.xlsx'])
		await copyFile(join(data, sheet), join(target, sheet));
}

/** Reads an example workflow as it is shipped, with pinned samples. */
export async function readShipped({ file }: Pick<Example, 'file'>): Promise<WorkflowJson> {
	return JSON.parse(await readFile(join(folder, file), 'utf8')) as WorkflowJson;
}

/** Unpins the samples, which a manual execution would use instead of data. */
export const withoutSamples = (workflow: WorkflowJson): WorkflowJson => ({
	...workflow,
	pinData: {},
});

/** Reads an example workflow without its samples. */
export async function readExample(example: Pick<Example, 'file'>): Promise<WorkflowJson> {
	return withoutSamples(await readShipped(example));
}

/** Disables every trigger of a workflow except one. */
export const withOneTrigger = (workflow: WorkflowJson, name: string): WorkflowJson => ({
	...workflow,
	nodes: workflow.nodes.map((node) =>
		/trigger$/i.test(node.type) && node.name !== name ? { ...node, disabled: true } : node,
	),
});

/** Values of the node "Settings" by their names. */
export type Settings = Readonly<Record<string, string | number | boolean>>;

/** Fills in the node "Settings", as a user does after an import. */
export function withSettings(workflow: WorkflowJson, settings: Settings): WorkflowJson {
	const nodes = workflow.nodes.map((node) => {
		if (node.name !== 'Settings') return node;
		const { assignments } = node.parameters['assignments'] as {
			assignments: Array<{ name: string; value: unknown }>;
		};
		const filled = assignments.map((each) => ({
			...each,
			value: settings[each.name] ?? each.value,
		}));
		return { ...node, parameters: { ...node.parameters, assignments: { assignments: filled } } };
	});
	return { ...workflow, nodes };
}

/** Imports an example with settings and the credential, and returns its ID in n8n. */
export async function importExample(
	desk: Desk,
	example: Example,
	settings: Settings = {},
): Promise<string> {
	const usual = { folder: desk.files, agentId: desk.target.agentId, startSends: true };
	const workflow = withSettings(await readExample(example), { ...usual, ...settings });
	return await desk.n8n.rest.importWorkflow(workflow, { [credentialType.type]: desk.credential });
}

/** Returns a successful execution, or throws the reason why it failed. */
export function mustSucceed(execution: Execution, { file }: Example): Execution {
	if (execution.status === 'success') return execution;
	const error = execution.data.resultData.error;
	const why = [error?.message, error?.description].filter(Boolean).join(' ');
	throw new Error(`${file} ended as ${execution.status}: ${why || 'n8n gives no reason'}`);
}
