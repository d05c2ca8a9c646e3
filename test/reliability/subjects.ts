import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Operation } from '../../sandbox/operations.mts';
import { AGENT, phoneOf } from '../support/samples';

/** How an operation splits its work into requests: pages of one search, one request per row, or batches of rows. */
export type Shape = 'pages' | 'rows' | 'batches';

/** An operation of the node as the matrix runs it: large enough for at least three requests. */
export interface Subject {
	readonly name: string;
	readonly calls: Operation;
	readonly shape: Shape;
	/** Whether a request may be sent again although it may have been accepted. */
	readonly idempotent: boolean;
	readonly parameters: INodeParameters;
	/** The input rows, given the conversations that there are. */
	readonly rows: (conversationIds: readonly string[]) => IDataObject[];
	/** A text that identifies the request of a row. */
	readonly markOf?: (row: IDataObject) => string;
}

/** The number of tickets in the sandbox: three pages, each long enough to show that the service sorts. */
export const TICKETS = 18;
/** How many rows go in one batch. */
export const BATCH = 2;

const six = Array.from({ length: 6 }, (_, i) => i + 1);
const search = { resource: 'ticket', operation: 'search', output: 'raw', returnAll: true };
const batches = { batchSize: BATCH, parallelRequests: 1 };

const customers = (name: string, operation: 'createBatch' | 'upsertBatch'): Subject => ({
	name,
	calls: 'createCustomers',
	shape: 'batches',
	idempotent: operation === 'upsertBatch',
	parameters: {
		resource: 'customer',
		operation,
		dryRun: false,
		inputMode: 'json',
		customerJson: '={{ $json }}',
		options: { batching: { batch: batches } },
	},
	rows: () => six.map((n) => ({ identifier: `c-${n}` })),
});

/** The operations that only read. */
export const reads: readonly Subject[] = [
	{
		name: 'Ticket: Search, all by number',
		calls: 'searchTickets',
		shape: 'pages',
		idempotent: true,
		parameters: { ...search, options: { pageSize: TICKETS / 3, parallelRequests: 1 } },
		rows: () => [{}],
	},
	{
		name: 'Ticket: Search, in order',
		calls: 'searchTickets',
		shape: 'pages',
		idempotent: true,
		parameters: {
			...search,
			returnAll: false,
			limit: TICKETS,
			sort: { rules: [{ column: 'title', direction: 'asc' }] },
			options: { pageSize: TICKETS / 3, parallelRequests: 1 },
		},
		rows: () => [{}],
	},
	{
		// Rows of Ticket: Get share one request; these ask for a ticket each.
		name: 'Ticket: Search, row by row',
		calls: 'searchTickets',
		shape: 'rows',
		idempotent: true,
		parameters: {
			resource: 'ticket',
			operation: 'search',
			output: 'raw',
			limit: 1,
			filterMode: 'json',
			filtersJson: '={{ { ticketNumber: { gte: $json.number } } }}',
			sort: { rules: [{ column: 'ticketNumber', direction: 'asc' }] },
			options: { parallelRequests: 1 },
		},
		rows: () => [1, 2, 3].map((number) => ({ number })),
		markOf: ({ number }) => `"ticketNumber":{"gte":${String(number)}}`,
	},
	{
		name: 'Conversation: Get',
		calls: 'getConversation',
		shape: 'rows',
		idempotent: true,
		parameters: {
			resource: 'conversation',
			operation: 'get',
			conversationId: '={{ $json.id }}',
			options: { parallelRequests: 1 },
		},
		rows: (ids) => ids.map((id) => ({ id })),
		markOf: ({ id }) => String(id),
	},
];

/** The operations that write. */
export const writes: readonly Subject[] = [
	customers('Customer: Create Batch', 'createBatch'),
	customers('Customer: Create or Update Batch', 'upsertBatch'),
	{
		name: 'Conversation: Create',
		calls: 'createConversations',
		shape: 'batches',
		idempotent: false,
		parameters: {
			resource: 'conversation',
			operation: 'create',
			dryRun: false,
			agentId: AGENT,
			toPhoneNumber: '={{ $json.phone }}',
			whoMayBeCalled: 'everyone',
			dynamicVariables: { variables: [{ name: 'firstName', value: 'Ana' }] },
			options: { batching: { batch: batches } },
		},
		rows: () => six.map((n) => ({ phone: phoneOf(100 + n) })),
	},
];
