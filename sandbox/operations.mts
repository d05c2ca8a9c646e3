/** The four operations of the service. */
export const operations = [
	'searchTickets',
	'createCustomers',
	'getConversation',
	'createConversations',
] as const;

/** One of the four operations. */
export type Operation = (typeof operations)[number];

/** The path segment that the base address ends with. */
export const basePath = '/api/v2';

const routes: ReadonlyArray<{ operation: Operation; method: string; path: RegExp }> = [
	{ operation: 'searchTickets', method: 'POST', path: /^\/tickets\/search$/ },
	{ operation: 'createCustomers', method: 'POST', path: /^\/customers\/batch$/ },
	{ operation: 'createConversations', method: 'POST', path: /^\/conversations$/ },
	{ operation: 'getConversation', method: 'GET', path: /^\/conversations\/[^/]+$/ },
];

/** Finds the operation of a request, or the status that refuses it. */
export function findOperation(method: string, path: string): Operation | 404 | 405 {
	if (!path.startsWith(`${basePath}/`)) return 404;
	const route = routes.find((each) => each.path.test(path.slice(basePath.length)));
	if (!route) return 404;
	return route.method === method ? route.operation : 405;
}
