import { createPostNode, createSearchNodes as createHttpNodes } from '../nodes.mts';
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

const createSearchTrial = (tickets: number, latencyMs: number, atLeast: number): Trial => ({
	title: `${tickets.toLocaleString('en-US')} tickets, ${latencyMs} ms`,
	ratios: [
		{ above: NAMES.http, below: NAMES.desk, figure: 'ms', atLeast },
		{ above: NAMES.desk, below: NAMES.helper, figure: 'ms', atMost: 1.15 },
		{ above: NAMES.desk, below: NAMES.helper, figure: 'cpu', atMost: 1.25 },
		{ above: NAMES.http, below: NAMES.desk, figure: 'mb' },
	],
	prepare: prepareInN8n({
		tickets,
		latencyMs,
		desk: searchParameters,
		parallel: 20,
		createHttpNodes,
	}),
});

export const searchQuestion: Question = {
	letter: 'S',
	meaning:
		'**Search, Return All.** All tickets with all columns, in pages of 100. HTTP Request reads one page after the other, and Split Out makes the items.',
	trials: [
		createSearchTrial(20_000, 20, 10),
		createSearchTrial(60_000, 20, 10),
		createSearchTrial(20_000, 100, 15),
	],
};

export const wideAreaQuestion: Question = {
	letter: 'W',
	meaning:
		'**The same from far away.** A proxy delays all bytes by 20 ms each way and a new connection by one round trip more. TLS adds its own. The service takes no time.',
	trials: [
		{
			title: '20,000 tickets over TLS, a round trip of 40 ms',
			ratios: [{ above: NAMES.http, below: NAMES.desk, figure: 'ms', atLeast: 12 }],
			prepare: prepareInN8n({
				tickets: 20_000,
				latencyMs: 0,
				roundTripMs: 40,
				desk: searchParameters,
				createHttpNodes,
			}),
		},
	],
};

const createLookupTrial = (
	operation: 'Search' | 'Get',
	column: 'id' | 'ticketNumber',
	parameters: Work['desk'],
): Trial => ({
	title: `500 look-ups by ${operation}, 20 ms`,
	ratios: [{ above: NAMES.http, below: NAMES.desk, figure: 'ms', atLeast: 20 }],
	prepare: prepareInN8n({
		tickets: 20_000,
		latencyMs: 20,
		listRows: (_size, { control }) =>
			control
				.tickets()
				.slice(0, 500)
				.map((ticket) => ({ value: ticket[column] })),
		desk: { resource: 'ticket', operation: operation.toLowerCase(), ...parameters },
		createHttpNodes: (url) => {
			const body = `{ filters: { ${column}: { eq: $json.value } }, pagination: { limit: 1, offset: 0 } }`;
			return [createPostNode(`${url}/tickets/search`, `={{ JSON.stringify(${body}) }}`)];
		},
	}),
});

export const lookupQuestion: Question = {
	letter: 'L',
	meaning:
		'**A ticket per row.** 500 rows name one ticket each, out of 20,000. This node looks up many rows with one request. HTTP Request sends one search per row, all at once.',
	trials: [
		createLookupTrial('Search', 'id', {
			returnAll: true,
			filters: { conditions: [{ column: 'id', operator: 'eq', value: '={{ $json.value }}' }] },
		}),
		createLookupTrial('Get', 'ticketNumber', { ticketId: '={{ $json.value }}' }),
	],
};
