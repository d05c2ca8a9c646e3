import type { CredentialRef, WorkflowJson, WorkflowNode } from '../../tools/host/workflow.mts';
import { n8nNode, ownNode, ownType } from '../support/workflowNodes.mts';

/** The rows of a sheet, as a CRM names its columns. */
export const people = [
	['C-1', 'Ana', 'Silva', '+14155550178', 'no'],
	['C-2', 'Ben', 'Okoro', '+14155550179', ''],
	['C-3', 'Mara', 'Kaya', '+12125550139', 'yes'],
].map(([id, first, last, Mobile, mark]) => ({
	'Record ID': id,
	'First Name': first,
	'Last Name': last,
	Mobile,
	'Do Not Call': mark,
}));

const call = {
	resource: 'conversation',
	operation: 'create',
	dryRun: false,
	whoMayBeCalled: 'everyone',
	agentId: { __rl: true, mode: 'id', value: '5f0c6a3e-9d1b-4e7a-8c25-2b7d9e4f1a60' },
	toPhoneNumber: '={{ $json.Mobile }}',
};
const search = { resource: 'ticket', operation: 'search' };

/** Common actions and common mistakes, each in its own node. */
const steps: Record<string, Record<string, unknown>> = {
	'Empty Agent ID': { ...call, agentId: '' },
	'Rounded Number': { ...call, toPhoneNumber: '1.4155E+10' },
	'Wrong Key': search,
	'Column That No Row Has': { ...call, whoMayBeCalled: 'notMarked', doNotCallColumn: 'nope' },
	'Call People': {
		...call,
		dryRun: true,
		whoMayBeCalled: 'notMarked',
		doNotCallColumn: 'Do Not Call',
		variablesMode: 'columns',
	},
	'Choose an Agent': { ...call, dryRun: true, agentId: { __rl: true, mode: 'list', value: '' } },
};

/** A workflow with a sheet and all these steps after it; one of them has another credential. */
export function stepsWorkflow(wrongKey: CredentialRef): WorkflowJson {
	const rows: WorkflowNode = {
		...n8nNode('set', 3.4, { mode: 'raw', jsonOutput: '{}', options: {} }),
		name: 'Sheet',
		position: [240, 0],
	};
	const nodes = Object.entries(steps).map(([name, parameters], index) => ({
		...ownNode(parameters),
		...(name === 'Wrong Key' && { credentials: { conversationDeskApi: wrongKey } }),
		name,
		position: [600, index * 180],
	}));
	return {
		name: 'Steps',
		nodes: [n8nNode('manualTrigger', 1, {}), rows, ...nodes],
		connections: {
			manualTrigger: { main: [[{ node: 'Sheet', type: 'main', index: 0 }]] },
			Sheet: { main: [nodes.map(({ name }) => ({ node: name, type: 'main', index: 0 }))] },
		},
		pinData: { Sheet: people.map((json) => ({ json })) },
	};
}

/** A trigger, a search that has not run yet, and a node after it. */
export const triggerWorkflow: WorkflowJson = {
	name: 'Trigger',
	nodes: [
		{ ...ownNode({}), name: 'New Ticket', type: `${ownType}Trigger`, position: [0, 0] },
		{ ...ownNode(search), name: 'Search', position: [260, 0] },
		{
			...n8nNode('set', 3.4, { mode: 'raw', jsonOutput: '{}', options: {} }),
			name: 'After',
			position: [520, 0],
		},
	],
	connections: {
		'New Ticket': { main: [[{ node: 'Search', type: 'main', index: 0 }]] },
		Search: { main: [[{ node: 'After', type: 'main', index: 0 }]] },
	},
};
