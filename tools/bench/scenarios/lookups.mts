import { inN8n } from '../contenders.mts';
import { httpRequest, names, ours, rowsOfFile } from '../nodes.mts';
import { medianOf, ratioOf } from '../rounds.mts';
import type { Bound, Scenario } from '../scenario.mts';
import { startStage } from '../stage.mts';
import type { Stage } from '../stage.mts';

const LATENCY = 20;
const TICKETS = 100_000;
const ROWS = 1_000;

const who = { ours: 'this node', http: 'HTTP Request, one per row' };

type Ticket = Readonly<Record<string, unknown>>;

/** So many tickets, lowest numbers first. */
async function firstTickets({ service }: Stage, count: number): Promise<Ticket[]> {
	const client = service.client(1);
	const tickets: Ticket[] = [];
	for (let offset = 0; offset < count; offset += 100) {
		const body = {
			sort: [{ field: 'ticketNumber', direction: 'asc' }],
			pagination: { limit: 100, offset },
		};
		const page = (await client.call('POST', '/api/v2/tickets/search', body)) as { data: Ticket[] };
		tickets.push(...page.data);
	}
	await client.close();
	return tickets.slice(0, count);
}

const searchFor = (url: string, filters: string) =>
	httpRequest({
		method: 'POST',
		url: `${url}/tickets/search`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `={{ JSON.stringify({ filters: { ${filters} }, pagination: { limit: 100, offset: 0 } }) }}`,
	});

const requests = (most: number): Bound => ({
	text: 'requests of this node',
	figure: (rounds) => medianOf(rounds, who.ours, 'requests'),
	most,
});

const fasterThanHttp = (least: number): Bound => ({
	text: 'HTTP Request node / this node',
	figure: (rounds) => ratioOf(rounds, [who.http, who.ours]),
	least,
	unit: 'x',
});

interface Lookups {
	readonly id: string;
	readonly title: string;
	readonly method: string;
	readonly bounds: readonly Bound[];
	/** The column of a ticket that a row holds. */
	readonly column: string;
	readonly parameters: Parameters<typeof ours>[0];
}

const lookups = ({ id, title, method, bounds, column, parameters }: Lookups): Scenario => ({
	id,
	title,
	method: `${method} The HTTP Request node sends one search for each row, all of them at once.`,
	chart: [who.ours, who.http],
	bounds,
	prepare: async (setting) => {
		const stage = await startStage(setting);
		await stage.service.seed(setting.size(TICKETS));
		const tickets = await firstTickets(stage, setting.size(ROWS));
		const file = await stage.host.writeRows(
			id,
			tickets.map((ticket) => ({ value: ticket[column] })),
		);
		const task = { items: tickets.length, latency: LATENCY };
		return {
			contenders: [
				inN8n(stage, {
					...task,
					name: who.ours,
					nodes: [...rowsOfFile(file), ours(parameters)],
					timed: [names.ours],
				}),
				inN8n(stage, {
					...task,
					name: who.http,
					nodes: [
						...rowsOfFile(file),
						searchFor(stage.service.url, `${column}: { eq: $json.value }`),
					],
					timed: [names.http],
				}),
			],
			stop: stage.stop,
		};
	},
});

/** L1: a search for each row. */
export const searchPerRow = lookups({
	id: 'L1',
	title: 'Ticket, Search, one search for each of 1,000 rows out of 100,000 tickets, 20 ms',
	method: 'Return All with one condition, whose value is that of the row and finds one ticket.',
	bounds: [requests(ROWS / 100 + 30), fasterThanHttp(20)],
	column: 'id',
	parameters: {
		resource: 'ticket',
		operation: 'search',
		returnAll: true,
		filters: { conditions: [{ column: 'id', operator: 'eq', value: '={{ $json.value }}' }] },
		options: {},
	},
});

/** L2: a ticket for each row. */
export const getPerRow = lookups({
	id: 'L2',
	title: 'Ticket, Get, 1,000 rows out of 100,000 tickets, 20 ms',
	method: 'Tickets are read by number.',
	bounds: [requests(14), fasterThanHttp(20)],
	column: 'ticketNumber',
	parameters: {
		resource: 'ticket',
		operation: 'get',
		ticketId: '={{ $json.value }}',
		options: {},
	},
});
