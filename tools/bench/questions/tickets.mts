import { createPostNode, createSearchNodes } from '../nodes.mts';
import type { Question, Trial } from '../question.mts';
import { NAMES, prepareInN8n } from '../work.mts';
import type { Work } from '../work.mts';

/** The parameters with which this node returns all columns, as the HTTP Request node does. */
export const searchParameters = {
	resource: 'ticket',
	operation: 'search',
	output: 'raw',
	returnAll: true,
	options: {},
};

const search = { desk: searchParameters, createHttpNodes: createSearchNodes };

const createSearchTrial = (tickets: number, latencyMs: number, atLeast: number): Trial => ({
	title: `${tickets.toLocaleString('en-US')} tickets, ${latencyMs} ms`,
	ratios: [
		{ above: NAMES.http, below: NAMES.desk, figure: 'ms', atLeast },
		{ above: NAMES.desk, below: NAMES.helper, figure: 'ms', atMost: 1.15 },
		{ above: NAMES.desk, below: NAMES.helper, figure: 'cpu', atMost: 1.25 },
		{ above: NAMES.http, below: NAMES.desk, figure: 'mb' },
	],
	prepare: prepareInN8n({ ...search, tickets, latencyMs, parallel: 20 }),
});

const createLookupTrial = (column: 'id' | 'ticketNumber', desk: Work['desk']): Trial => ({
	title: `500 look-ups, ${String(desk['operation'])} by ${column}, 20 ms`,
	ratios: [{ above: NAMES.http, below: NAMES.desk, figure: 'ms', atLeast: 20 }],
	prepare: prepareInN8n({
		tickets: 20_000,
		latencyMs: 20,
		listRows: (_size, { control }) => {
			const tickets = control.tickets().slice(0, 500);
			return tickets.map((ticket) => ({ value: ticket[column] }));
		},
		desk,
		createHttpNodes: (url) => {
			const body = `{ filters: { ${column}: { eq: $json.value } }, pagination: { limit: 1, offset: 0 } }`;
			return [createPostNode(`${url}/tickets/search`, `={{ JSON.stringify(${body}) }}`)];
		},
	}),
});

export const ticketQuestions: readonly Question[] = [
	{
		letter: 'S',
		meaning:
			'**Search, Return All.** All tickets with all columns, in pages of 100. HTTP Request reads one page after the other, and Split Out makes the items.',
		trials: [
			createSearchTrial(20_000, 20, 10),
			createSearchTrial(60_000, 20, 10),
			createSearchTrial(20_000, 100, 15),
		],
	},
	{
		letter: 'W',
		meaning:
			'**The same from far away.** n8n opens a new connection for each request, so a link with a round trip of 40 ms delays it by three of them: for TCP, for TLS and for the request itself.',
		trials: [
			{
				title: '20,000 tickets over TLS, a round trip of 40 ms',
				ratios: [{ above: NAMES.http, below: NAMES.desk, figure: 'ms', atLeast: 12 }],
				prepare: prepareInN8n({ ...search, tickets: 20_000, latencyMs: 120, hasTls: true }),
			},
		],
	},
	{
		letter: 'L',
		meaning:
			'**A ticket per row.** 500 rows name one ticket each, out of 20,000. This node looks up many rows with one request. HTTP Request sends one search per row, all at once.',
		trials: [
			createLookupTrial('id', {
				resource: 'ticket',
				operation: 'search',
				returnAll: true,
				filters: { conditions: [{ column: 'id', operator: 'eq', value: '={{ $json.value }}' }] },
			}),
			createLookupTrial('ticketNumber', {
				resource: 'ticket',
				operation: 'get',
				ticketId: '={{ $json.value }}',
			}),
		],
	},
];
