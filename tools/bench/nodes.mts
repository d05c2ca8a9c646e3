import type { WorkflowJson, WorkflowNode } from '../host/workflow.mts';

type Parameters = WorkflowNode['parameters'];

/** Creates a node whose name is the last part of its type. */
export function createNode(type: string, version: number, parameters: Parameters): WorkflowNode {
	return {
		name: type.split('.').at(-1) ?? type,
		type,
		typeVersion: version,
		position: [0, 0],
		parameters,
		credentials: { conversationDeskApi: { id: null, name: 'Conversation Desk' } },
	};
}

/** Creates an HTTP Request node that posts JSON with the credential of this package. */
export const createPostNode = (
	url: string,
	jsonBody: string,
	options: Parameters = {},
): WorkflowNode =>
	createNode('n8n-nodes-base.httpRequest', 4.2, {
		method: 'POST',
		url,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'conversationDeskApi',
		sendBody: true,
		specifyBody: 'json',
		jsonBody,
		options,
	});

/** Creates a node that makes an item of each entry of a member "data". */
const createSplitNode = (): WorkflowNode =>
	createNode('n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'data', options: {} });

/** Creates the nodes with which people read all tickets today: pagination by offset, then an item per ticket. */
export const createSearchNodes = (url: string): WorkflowNode[] => {
	const body = { name: 'pagination', value: '={{ ({ limit: 100, offset: $pageCount * 100 }) }}' };
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: { parameters: [{ type: 'body', ...body }] },
		paginationCompleteWhen: 'other',
		completeExpression: '={{ $response.body.metadata.hasNextPage === false }}',
	};
	const firstPage = JSON.stringify({ pagination: { limit: 100, offset: 0 } });
	const search = createPostNode(`${url}/tickets/search`, firstPage, { pagination: { pagination } });
	return [search, createSplitNode()];
};

/** Creates a workflow of nodes in a row, whose first one gets the rows of a JSON file. */
export function createWorkflow(file: string, nodes: readonly WorkflowNode[]): WorkflowJson {
	const all = [
		createNode('n8n-nodes-base.manualTrigger', 1, {}),
		createNode('n8n-nodes-base.readWriteFile', 1.1, { fileSelector: file, options: {} }),
		createNode('n8n-nodes-base.extractFromFile', 1.1, { operation: 'fromJson', options: {} }),
		{ ...createSplitNode(), name: 'Rows' },
		...nodes,
	];
	const links = all.slice(1).map((next, index) => {
		const main = [[{ node: next.name, type: 'main', index: 0 }]];
		return [all[index]?.name ?? '', { main }];
	});
	return {
		name: 'Benchmark',
		nodes: all,
		connections: Object.fromEntries(links) as Record<string, unknown>,
		settings: { saveManualExecutions: false, saveDataSuccessExecution: 'none' },
	};
}
