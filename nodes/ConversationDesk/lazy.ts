import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';

type Lists = typeof import('./lists');
type List<T> = (this: ILoadOptionsFunctions, filter?: string) => Promise<T>;

/** A list of the panel. n8n loads every node at its start; what only lists and runs need is loaded with the first of them. */
const lazily = <T>(choose: (lists: Lists) => List<T>): List<T> =>
	async function list(filter) {
		const { lists } = await import('./runs.ts');
		return await choose(lists).call(this, filter);
	};

/** What can be chosen from lists in the panel. */
export const listSearch = {
	searchAgents: lazily<INodeListSearchResult>((lists) => lists.searchAgents),
	searchColumnValues: lazily<INodeListSearchResult>((lists) => lists.searchColumnValues),
	searchConversations: lazily<INodeListSearchResult>((lists) => lists.searchConversations),
	searchTickets: lazily<INodeListSearchResult>((lists) => lists.searchTickets),
};

/** What several values of a condition can be chosen from. */
export const loadOptions = {
	getColumnValues: lazily<INodePropertyOptions[]>((lists) => lists.getColumnValues),
};

/** What rows are mapped to. */
export const resourceMapping = {
	getCustomerFields: lazily<ResourceMapperFields>((lists) => lists.getCustomerFields),
};
