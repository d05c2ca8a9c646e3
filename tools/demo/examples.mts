import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Execution } from '../host/execution.mts';
import type { WorkflowJson } from '../host/workflow.mts';
import type { Operation } from '../../sandbox/operations.mts';
import type { Desk } from './desk.mts';
import { credentialType } from './desk.mts';

/** One of the example workflows, and the nodes that matter in it. */
export interface Example {
	file: string;
	operation: Operation;
	/** The node of this package. */
	node: string;
	/** The node before it. */
	input: string;
	/** The files it writes, each with the node whose items are its rows. */
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

/** Reads an example workflow as it is shipped, with the samples that are pinned to its first nodes. */
export async function readShipped({ file }: Pick<Example, 'file'>): Promise<WorkflowJson> {
	return JSON.parse(await readFile(join(folder, file), 'utf8')) as WorkflowJson;
}

/** Does what a user does to work on data of their own: unpins the samples, which manual runs would use instead. */
export const withoutSamples = (workflow: WorkflowJson): WorkflowJson => ({
	...workflow,
	pinData: {},
});

/** Reads an example workflow without its samples. */
export async function readExample(example: Pick<Example, 'file'>): Promise<WorkflowJson> {
	return withoutSamples(await readShipped(example));
}

/** Switches off every trigger of a workflow but one. */
export const withOneTrigger = (workflow: WorkflowJson, name: string): WorkflowJson => ({
	...workflow,
	nodes: workflow.nodes.map((node) =>
		/trigger$/i.test(node.type) && node.name !== name ? { ...node, disabled: true } : node,
	),
});

/** Values of the node "Settings" by their names. */
export type Settings = Readonly<Record<string, string | number | boolean>>;

/** Does what a user does after an import: fills in the node "Settings". */
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
		return {
			...node,
			parameters: { ...node.parameters, assignments: { assignments: filled } },
		};
	});
	return { ...workflow, nodes };
}

/** Imports an example without its samples, with its settings and its credential, and returns its id in n8n. */
export async function importExample(
	desk: Desk,
	example: Example,
	settings: Settings = {},
): Promise<string> {
	const known = { folder: desk.files, agentId: desk.target.agentId, startSends: true };
	const workflow = withSettings(await readExample(example), { ...known, ...settings });
	return await desk.n8n.rest.importWorkflow(workflow, { [credentialType.type]: desk.credential });
}

/** An execution, or one error that says why there is nothing to count in it. */
export function mustSucceed(execution: Execution, { file }: Example): Execution {
	if (execution.status === 'success') return execution;
	const error = execution.data.resultData.error;
	const why = [error?.message, error?.description].filter(Boolean).join(' ');
	throw new Error(`${file} ended as ${execution.status}: ${why || 'n8n gives no reason'}`);
}
