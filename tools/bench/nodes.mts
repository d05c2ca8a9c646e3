import type { Json } from '../host/execution.mts';
import type { WorkflowJson, WorkflowNode } from '../host/workflow.mts';

/** The names of the nodes whose times count. */
export const names = { ours: 'Conversation Desk', http: 'HTTP Request', split: 'Split Out' };

const credentials = { conversationDeskApi: { id: null, name: 'Conversation Desk' } };

const node = (name: string, type: string, typeVersion: number, parameters: Json): WorkflowNode => ({
	name,
	type,
	typeVersion,
	position: [0, 0],
	parameters,
});

/** Our node. */
export const ours = (parameters: Json): WorkflowNode => ({
	...node(names.ours, 'n8n-nodes-conversation-desk.conversationDesk', 1, parameters),
	credentials,
	// By it n8n keeps the list of people.
	id: names.ours,
});

/** n8n's HTTP Request node, with our credential and its own defaults. */
export const httpRequest = (parameters: Json): WorkflowNode => ({
	...node(names.http, 'n8n-nodes-base.httpRequest', 4.2, {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'conversationDeskApi',
		options: {},
		...parameters,
	}),
	credentials,
});

/** n8n's Split Out node, which makes items of a list. */
export const splitOut = (field: string): WorkflowNode =>
	node(names.split, 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: field, options: {} });

/** Nodes that make one item of each row in a JSON file. */
export const rowsOfFile = (file: string): WorkflowNode[] => [
	node('Read File', 'n8n-nodes-base.readWriteFile', 1.1, { fileSelector: file, options: {} }),
	node('Read JSON', 'n8n-nodes-base.extractFromFile', 1.1, { operation: 'fromJson', options: {} }),
	node('Rows', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'data', options: {} }),
];

/** A search of all tickets as people build it today: the node's own pagination by offset, then Split Out. */
export const searchByHttp = (url: string, body: Json = {}): WorkflowNode[] => [
	httpRequest({
		method: 'POST',
		url: `${url}/tickets/search`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: JSON.stringify({ ...body, pagination: { limit: 100, offset: 0 } }),
		options: {
			pagination: {
				pagination: {
					paginationMode: 'updateAParameterInEachRequest',
					parameters: {
						parameters: [
							{
								type: 'body',
								name: 'pagination',
								value: '={{ ({ limit: 100, offset: $pageCount * 100 }) }}',
							},
						],
					},
					paginationCompleteWhen: 'other',
					completeExpression: '={{ $response.body.metadata.hasNextPage === false }}',
				},
			},
		},
	}),
	splitOut('data'),
];

/** A workflow of nodes in a row, begun by hand. */
export function linked(name: string, nodes: readonly WorkflowNode[]): WorkflowJson {
	const all = [node('Start', 'n8n-nodes-base.manualTrigger', 1, {}), ...nodes];
	const links = all
		.slice(1)
		.map((next, index) => [
			all[index]?.name ?? '',
			{ main: [[{ node: next.name, type: 'main', index: 0 }]] },
		]);
	return { name, nodes: all, connections: Object.fromEntries(links) as Json };
}
