import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';

type Lists = typeof import('./lists');
type ListMethod<T> = (this: ILoadOptionsFunctions, filter?: string) => Promise<T>;

/** Loads the code of a list when it is first opened, because n8n loads every node at its start. */
const lazily = <T>(choose: (lists: Lists) => ListMethod<T>): ListMethod<T> =>
	async function list(filter) {
		const { lists } = await import('./runs.ts');
		return await choose(lists).call(this, filter);
	};

/** The searchable lists of the panel. */
export const listSearch = {
	searchAgents: lazily<INodeListSearchResult>((lists) => lists.searchAgents),
	searchColumnValues: lazily<INodeListSearchResult>((lists) => lists.searchColumnValues),
	searchConversations: lazily<INodeListSearchResult>((lists) => lists.searchConversations),
	searchTickets: lazily<INodeListSearchResult>((lists) => lists.searchTickets),
};

/** The lists from which several values are chosen. */
export const loadOptions = {
	getColumnValues: lazily<INodePropertyOptions[]>((lists) => lists.getColumnValues),
};

/** The fields of the mapper. */
export const resourceMapping = {
	getCustomerFields: lazily<ResourceMapperFields>((lists) => lists.getCustomerFields),
};
