import assert from 'node:assert/strict';
import type { Control } from '../../sandbox/control.mts';
import type { Json } from '../../tools/host/execution.mts';
import type { WorkflowJson, WorkflowNode } from '../../tools/host/workflow.mts';

/** The name of our node in the workflows of the tests. */
export const nodeName = 'Conversation Desk';
/** The type of our own node. */
export const ownType = 'n8n-nodes-conversation-desk.conversationDesk';
const credentials = { conversationDeskApi: { id: null, name: 'Conversation Desk' } };

/** A node of our package with these parameters and settings. */
export const ownNode = (parameters: Json, settings: Json = {}): WorkflowNode => ({
	name: nodeName,
	type: ownType,
	typeVersion: 1,
	position: [600, 0],
	parameters,
	credentials,
	...settings,
});

/** A node of n8n, named after its type. */
export const n8nNode = (type: string, typeVersion: number, parameters: Json): WorkflowNode => ({
	name: type,
	type: `n8n-nodes-base.${type}`,
	typeVersion,
	position: [0, 0],
	parameters,
});

/** A workflow of these nodes in a row, with a manual trigger. */
export function workflowOf(name: string, nodes: readonly WorkflowNode[]): WorkflowJson {
	const all = [n8nNode('manualTrigger', 1, {}), ...nodes];
	const links = all
		.slice(1)
		.map((node, index) => [
			all[index]?.name ?? '',
			{ main: [[{ node: node.name, type: 'main', index: 0 }]] },
		]);
	return { name, nodes: all, connections: Object.fromEntries(links) };
}

/** Two nodes that make items of these rows. */
export const itemsFrom = (rows: readonly Json[]): WorkflowNode[] => [
	n8nNode('set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify({ rows }), options: {} }),
	n8nNode('splitOut', 1, { fieldToSplitOut: 'rows', options: {} }),
];

/** Calls to the numbers of the rows, ten per request unless a test sets it. */
export const calling = (parameters: Json = {}, settings: Json = {}): WorkflowNode =>
	ownNode(
		{
			resource: 'conversation',
			operation: 'create',
			dryRun: false,
			agentId: '5f0c6a3e-9d1b-4e7a-8c25-2b7d9e4f1a60',
			toPhoneNumber: '={{ $json.phone }}',
			whoMayBeCalled: 'everyone',
			options: { batching: { batch: { batchSize: 10 } } },
			...parameters,
		},
		settings,
	);

/** People with consecutive numbers, which begin with `+1415` and `first`. */
export const peopleFrom = (first: number, count: number): Array<{ phone: string }> =>
	Array.from({ length: count }, (_, i) => ({ phone: `+1415${first + i}` }));

/** Asserts that each of these people was called once, and no one else. */
export function everyoneOnce(control: Control, people: ReadonlyArray<{ phone: string }>): void {
	assert.deepEqual(
		Object.entries(control.conversations().callsPerNumber).sort(),
		people.map(({ phone }) => [phone, 1]),
	);
}

/** Asserts that no number was called twice, and returns how many were called. */
export function noOneTwice(control: Control): number {
	const calls = Object.values(control.conversations().callsPerNumber);
	assert.ok(
		calls.every((times) => times === 1),
		'a number rang twice',
	);
	return calls.length;
}
