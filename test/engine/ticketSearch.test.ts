import { runNode } from '../support/runNode';
import { forget, serve } from '../support/service';

const search = { resource: 'ticket', operation: 'search' };
const page = (rows: object[], hasNextPage = false) => ({
	status: 200,
	body: { data: rows, metadata: { hasNextPage } },
});

afterEach(forget);

it('sends the conditions as filters and returns one item a ticket, paired to its input row', async () => {
	const received = serve(() => page([{ id: 'a' }, { id: 'b' }]));
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
			options: { columns: ['id', 'title'], offset: 10 },
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
				sort: [{ field: 'createdAt', direction: 'desc' }],
				select: { id: true, title: true },
			},
		},
	]);
	expect(main).toEqual([
		{ json: { id: 'a' }, pairedItem: { item: 0 } },
		{ json: { id: 'b' }, pairedItem: { item: 0 } },
	]);
});

it('pages with Return All until the service says that there are no more', async () => {
	const received = serve((_, number) => page([{ id: `t${number}` }], number < 3));
	const { main } = await runNode({
		parameters: { ...search, returnAll: true, options: { pageSize: 1 } },
	});
	expect(received.map(({ body }) => body)).toMatchObject([
		{ pagination: { limit: 1, offset: 0 } },
		{ pagination: { limit: 1, offset: 1 } },
		{ pagination: { limit: 1, offset: 2 } },
	]);
	expect(main.map(({ json }) => json['id'])).toEqual(['t1', 't2', 't3']);
});

it('sends no bearer token with a search', async () => {
	const received = serve(() => page([]));
	await runNode({ parameters: search });
	expect(received[0]?.headers).toMatchObject({
		'x-api-key': 'key-0123456789',
		'x-workspace-slug': 'acme',
	});
	expect(received[0]?.headers).not.toHaveProperty('authorization');
});

it('runs once for each input row, with the expressions of that row', async () => {
	const received = serve((_, number) => page([{ id: `t${number}` }]));
	const { main } = await runNode({
		rows: [{ from: 5 }, { from: 9 }],
		parameters: {
			...search,
			filters: {
				conditions: [{ column: 'ticketNumber', operator: 'gt', numberValue: '={{ $json.from }}' }],
			},
		},
	});
	expect(received.map(({ body }) => body)).toMatchObject([
		{ filters: { ticketNumber: { gt: 5 } } },
		{ filters: { ticketNumber: { gt: 9 } } },
	]);
	expect(main.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
});

it('takes filters as JSON text and as an object', async () => {
	const received = serve(() => page([]));
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

const refused: Array<[string, object, string]> = [
	[
		'an expression where the rows of conditions belong',
		{ filters: { conditions: '={{ $json.rows }}' } },
		"'Filters > Condition 2' is the same as Condition 1",
	],
	[
		'an expression for all filters',
		{ filters: '={{ $json.rows }}' },
		"'Filters > Condition' has lost its rows",
	],
	[
		'an expression that gives no value',
		{
			filters: { conditions: [{ column: 'title', operator: 'eq', value: '={{ $json.missing }}' }] },
		},
		"'Filters > Condition 1 > Value' is empty",
	],
	[
		'an ID that is no UUID',
		{ filters: { conditions: [{ column: 'statusId', operator: 'eq', value: 'open' }] } },
		"'Filters > Condition 1 > Value' 'open' is not a UUID",
	],
	[
		'malformed JSON',
		{ filterMode: 'json', filtersJson: '{"a"' },
		"'Filters (JSON)' is not valid JSON",
	],
	[
		'an unknown column in JSON',
		{ filterMode: 'json', filtersJson: '{"colour": {"eq": "red"}}' },
		"'Filters (JSON)' has no column 'colour'",
	],
	['a limit of 0', { limit: 0 }, "'Limit' must be a whole number, 1 or more"],
	[
		'a negative offset',
		{ options: { offset: -1 } },
		"'Options > Offset' must be a whole number, 0 or more",
	],
];

it.each(refused)('refuses %s before anything is sent', async (_, parameters, text) => {
	const received = serve(() => page([]));
	const { error } = await runNode({
		rows: [{ rows: [] }],
		parameters: { ...search, ...parameters },
	});
	expect(error?.message).toContain(text);
	expect(received).toEqual([]);
});

it('keeps what was read when a page fails, and says where to go on', async () => {
	serve((_, number) =>
		number === 1 ? page([{ id: 'a' }], true) : { status: 400, body: { message: 'no' } },
	);
	const { main, error } = await runNode({
		parameters: { ...search, returnAll: true, options: { pageSize: 1 } },
		settings: { onError: 'continueRegularOutput' },
	});
	expect(error).toBeUndefined();
	expect(main.map(({ json }) => json)).toMatchObject([
		{ id: 'a' },
		{
			error: expect.stringContaining('400'),
			details: { ticketsRead: 1, nextOffset: 1, status: 400 },
		},
	]);
});

it('puts a ticket with an `error` column under a key, so that n8n does not take it for a failure', async () => {
	const received = serve(() => page([{ error: 'text' }]));
	const { main } = await runNode({
		parameters: search,
		settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
	});
	expect(main.map(({ json }) => json)).toEqual([{ response: { error: 'text' } }]);
	expect(received).toHaveLength(1);
});
