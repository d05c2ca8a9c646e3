import type {
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
	IPollFunctions,
	ResourceMapperFields,
} from 'n8n-workflow';

/** The parameters of each operation: resource, then operation, by the names in the registry. */
export type Parameters = Readonly<Record<string, Readonly<Record<string, INodeProperties[]>>>>;

// n8n loads every node at its start; what only runs need is loaded with the first of them.

/** Runs the operation that the parameters name. */
export async function executeLazily(
	context: IExecuteFunctions,
	parameters: Parameters,
): Promise<INodeExecutionData[]> {
	const { entry, execute, operations, unknownOperation } = await import('./runs.ts');
	const resource = context.getNodeParameter('resource', 0, '');
	const name = context.getNodeParameter('operation', 0, '');
	const operation = entry(operations, resource, name) ?? unknownOperation;
	return await execute(context, operation, entry(parameters, resource, name) ?? []);
}

/** Asks for new events once. */
export async function pollLazily(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const { runPoll } = await import('./runs.ts');
	return await runPoll(context);
}

type ListName = 'searchAgents' | 'searchColumnValues' | 'searchConversations' | 'searchTickets';

const lazyList = (name: ListName) =>
	async function list(
		this: ILoadOptionsFunctions,
		filter?: string,
	): Promise<INodeListSearchResult> {
		const { lists } = await import('./runs.ts');
		return await lists[name].call(this, filter);
	};

/** What can be chosen from lists in the panel. */
export const listSearch = {
	searchAgents: lazyList('searchAgents'),
	searchColumnValues: lazyList('searchColumnValues'),
	searchConversations: lazyList('searchConversations'),
	searchTickets: lazyList('searchTickets'),
} as const;

/** What several values of a condition can be chosen from. */
export const loadOptions = {
	async getColumnValues(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const { lists } = await import('./runs.ts');
		return await lists.getColumnValues.call(this);
	},
} as const;

/** The fields of a customer, for the resource mapper. */
export async function getCustomerFields(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const loaded = await import('./runs.ts');
	return await loaded.getCustomerFields.call(this);
}
