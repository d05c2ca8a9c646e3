import type { ILoadOptionsFunctions } from 'n8n-workflow';

/** Exports the parameters of both nodes, which n8n loads at its start. */
export { conversationCreate } from './descriptions/conversationCreate';
export { conversationGet } from './descriptions/conversationGet';
export { customerBatches } from './descriptions/customerBatches';
export { ticketGet } from './descriptions/ticketGet';
export { ticketSearch } from './descriptions/ticketSearch';
export { ticketTrigger } from './descriptions/ticketTrigger';

type Lists = typeof import('./lists');
type ListMethod<T> = (this: ILoadOptionsFunctions, filter?: string) => Promise<T>;

/** Makes a method of the panel that loads the code of its list when it is first opened. */
const loadLazily = <T>(choose: (lists: Lists) => ListMethod<T>): ListMethod<T> =>
	async function list(filter) {
		const { lists } = await import('./lazy.ts');
		return await choose(lists).call(this, filter);
	};

/** The searchable lists of the panel. */
export const listSearch = {
	searchAgents: loadLazily((lists) => lists.searchAgents),
	searchColumnValues: loadLazily((lists) => lists.searchColumnValues),
	searchConversations: loadLazily((lists) => lists.searchConversations),
	searchTickets: loadLazily((lists) => lists.searchTickets),
};

/** The lists from which several values are chosen. */
export const loadOptions = { getColumnValues: loadLazily((lists) => lists.getColumnValues) };

/** The fields of the mapper. */
export const resourceMapping = {
	getCustomerFields: loadLazily((lists) => lists.getCustomerFields),
};
