import { retries, search } from '../support/panel';
import { runNode } from '../support/runNode';
import type { Received, Scripted } from '../support/service';
import { forget, serve } from '../support/service';
import { findTickets, scriptedPage, ticket, upTo } from '../support/tickets';

afterEach(forget);

it('sends the conditions as filters and returns one item a ticket, paired to its input row', async () => {
	const received = serve(() => scriptedPage(['a', 'b'].map((id, n) => ({ id, ticketNumber: n }))));
	const { main, error } = await runNode({
		parameters: {
			...search,
			limit: 20,
			filters: {
				conditions: [
					{ column: 'priority', operator: 'in', priorityValues: ['urgent', 'high'] },
					{ column: 'createdAt', operator: 'gte', dateValue: '2026-03-01T00:00:00' },
					{ column: 'closedAt', operator: 'isNull' },
				],
			},
			sort: { rules: [{ column: 'createdAt', direction: 'desc' }] },
			output: 'selected',
			columns: ['id', 'title'],
			options: { offset: 10 },
		},
	});
	expect(error).toBeUndefined();
	expect(received.map(({ path, body }) => ({ path, body }))).toEqual([
		{
			path: '/api/v2/tickets/search',
			body: {
				filters: {
					priority: { in: ['urgent', 'high'] },
					createdAt: { gte: '2026-02-28T23:00:00.000Z' },
					closedAt: { isNull: true },
				},
				pagination: { limit: 20, offset: 10 },
				sort: [
					{ field: 'createdAt', direction: 'desc' },
					{ field: 'ticketNumber', direction: 'asc' },
					{ field: 'id', direction: 'asc' },
				],
				// The others tell tickets apart, and show whether the service ignores a filter.
				select: {
					id: true,
					title: true,
					ticketNumber: true,
					priority: true,
					createdAt: true,
					closedAt: true,
				},
			},
		},
	]);
	expect(main).toEqual([
		{ json: { id: 'a', title: null }, pairedItem: { item: 0 } },
		{ json: { id: 'b', title: null }, pairedItem: { item: 0 } },
	]);
});

/** A service of so many tickets. */
const holding =
	(count: number) =>
	({ body }: Received): Scripted => {
		const tickets = upTo(count).map((n) => ticket(n, { title: 'x' }));
		return scriptedPage(...findTickets(tickets, body));
	};

it('takes filters as JSON text and as an object', async () => {
	const received = serve(() => scriptedPage([]));
	const filters = { ticketNumber: { gte: 7 } };
	await runNode({
		parameters: { ...search, filterMode: 'json', filtersJson: JSON.stringify(filters) },
	});
	await runNode({
		rows: [{ filters }],
		parameters: { ...search, filterMode: 'json', filtersJson: '={{ $json.filters }}' },
	});
	expect(received.map(({ body }) => body)).toMatchObject([{ filters }, { filters }]);
});

it.each<[object, string]>([
	[{ success: false, error: 'database down', data: [] }, 'database down'],
	[{ error: { message: 'database down' }, data: [] }, 'database down'],
	[{ success: false, data: [] }, 'success'],
	[{ error: 'shard 2 timed out', data: [{ id: 'a' }] }, 'shard 2 timed out'],
	[{ success: false, data: [{ id: 'a' }] }, 'success'],
])(
	'takes %j with a 200 for an error in the words of the service, not for no tickets or all of them',
	async (body, words) => {
		serve(() => ({ status: 200, body: { metadata: { hasNextPage: false }, ...body } }));
		const { error } = await runNode({ parameters: search });
		expect(error?.message).toContain(words);
	},
);

it('puts a ticket with an `error` column under a key, so n8n does not take it for a failure', async () => {
	const received = serve(() => scriptedPage([{ ticketNumber: 1, error: 'text' }]));
	const { main } = await runNode({
		parameters: search,
		settings: retries,
	});
	expect(main.map(({ json }) => json)).toEqual([{ response: { ticketNumber: 1, error: 'text' } }]);
	expect(received).toHaveLength(1);
});
