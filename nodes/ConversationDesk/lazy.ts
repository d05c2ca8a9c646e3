import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeExecutionData,
	INodePropertyOptions,
	IPollFunctions,
	ResourceMapperFields,
} from 'n8n-workflow';

// n8n loads every node at its start; what only runs need is loaded with the first of them.

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
