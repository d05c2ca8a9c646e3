import { retries, search } from '../support/panel';
import { runNode } from '../support/runNode';
import type { Received, Scripted } from '../support/service';
import { forget, serve } from '../support/service';
import { findTickets, scriptedPage, ticket, upTo } from '../support/tickets';

afterEach(forget);

it('sends the conditions as filters and returns one item a ticket, paired to its input row', async () => {
	const received = serve(() => scriptedPage([{ id: 'a' }, { id: 'b' }]));
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
				sort: [{ field: 'createdAt', direction: 'desc' }],
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
		{ json: { id: 'a' }, pairedItem: { item: 0 } },
		{ json: { id: 'b' }, pairedItem: { item: 0 } },
	]);
});

/** A service of so many tickets. */
const holding =
	(count: number) =>
	({ body }: Received): Scripted => {
		const tickets = upTo(count).map((n) => ticket(n, { title: 'x' }));
		return scriptedPage(...findTickets(tickets, body));
	};

it('reads all tickets by number with Return All, in parallel, and says so', async () => {
	const received = serve(holding(950));
	const { main, hints } = await runNode({ parameters: { ...search, returnAll: true } });
	expect(main.map(({ json }) => json['ticketNumber'])).toEqual(
		Array.from({ length: 950 }, (_, i) => 950 - i),
	);
	expect(hints).toEqual([
		`No conditions: every ticket matches. 950 tickets, ${received.length} requests, read by ticket number`,
	]);
	expect(received.length).toBeLessThanOrEqual(14);
});

it('returns only the columns that were asked for, though it needs others to read by number', async () => {
	const received = serve(holding(150));
	const { main } = await runNode({
		parameters: { ...search, returnAll: true, output: 'selected', columns: ['title'] },
	});
	expect(received[0]?.body).toMatchObject({
		select: { title: true, id: true, ticketNumber: true },
	});
	expect(main).toHaveLength(150);
	expect(main[0]?.json).toEqual({ id: 't150', title: 'x' });
});

it('finds out by itself how the service spells sort and select', async () => {
	const refusal = (name: string) => ({
		status: 400,
		body: {
			code: 'BAD_REQUEST',
			message: 'Invalid input data',
			issues: [{ path: [name], message: 'Invalid' }],
		},
	});
	const received = serve((request) => {
		const { sort, select } = request.body as { sort: object[]; select: unknown };
		if (sort[0] && 'field' in sort[0]) return refusal('sort');
		return Array.isArray(select) ? holding(250)(request) : refusal('select');
	});
	const { main } = await runNode({
		parameters: { ...search, returnAll: true, output: 'selected', columns: ['title'] },
	});
	expect(main).toHaveLength(250);
	expect(received.map(({ body }) => Array.isArray((body as { select: unknown }).select))).toEqual([
		false,
		false,
		...Array.from({ length: received.length - 2 }, () => true),
	]);
});

it('sends no bearer token with a search', async () => {
	const received = serve(() => scriptedPage([]));
	await runNode({ parameters: search });
	expect(received[0]?.headers).toMatchObject({
		'x-api-key': 'key-0123456789',
		'x-workspace-slug': 'acme',
	});
	expect(received[0]?.headers).not.toHaveProperty('authorization');
});

it('runs once for each input row, with the expressions of that row', async () => {
	const received = serve((_, number) => scriptedPage([{ id: `t${number}` }]));
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

const refused: Array<[string, object, string]> = [
	[
		'a cell of blanks',
		{
			filters: { conditions: [{ column: 'title', operator: 'contains', value: '={{ "  " }}' }] },
		},
		"'Filters > Condition 1 > Value' is empty",
	],
	[
		'an expression for all rules of a sort, in one sentence',
		{ sort: { rules: '={{ [{ column: "title" }, { column: "id" }] }}' } },
		'If an expression replaces the whole list, use expressions in the fields of its rules',
	],
	[
		'JSON of an expression that gives a map',
		{ filterMode: 'json', filtersJson: '={{ new Map([["title", { eq: "x" }]]) }}' },
		"'Filters (JSON)' is an object that JSON cannot hold",
	],
	[
		'an unknown column in JSON',
		{ filterMode: 'json', filtersJson: '{"colour": {"eq": "red"}}' },
		"'Filters (JSON)' has no column 'colour'",
	],
	...[
		'{ "iLike": "%{{ $json.missing }}%" }',
		'{ "eq": "{{ $json.missing }}" }',
		'{ "in": ["a", "{{ $json.missing }}"] }',
	].map((operand): (typeof refused)[number] => [
		`a text that an expression left empty in ${operand}`,
		{ filterMode: 'json', filtersJson: `={ "title": ${operand} }` },
		"'Filters (JSON) > title >",
	]),
	...[
		['createdAt: { gte: $json.missing, lte: "2026-01-01" }', 'createdAt > gte'],
		['customerId: undefined', 'customerId'],
		['customerId: $json.rows.length ? { eq: 1 } : undefined, title: { eq: "x" }', 'customerId'],
		['title: { notIn: ["a", $json.missing] }', 'title > notIn 2'],
		['title: { ne: ["a", undefined] }', 'title > ne 2'],
		['isShared: { isNull: $json.missing, eq: true }', 'isShared > isNull'],
	].map(([members, place]): (typeof refused)[number] => [
		`JSON of an expression with ${members}`,
		{ filterMode: 'json', filtersJson: `={{ ({ ${members} }) }}` },
		`'Filters (JSON) > ${place}' is undefined`,
	]),
	...(
		[
			['Limit', { limit: '={{ $json.missing }}' }],
			['Limit', { limit: '={{ null }}' }],
			['Return All', { returnAll: '={{ $json.missing }}' }],
			['Options > Offset', { options: { offset: '={{ $json.missing }}' } }],
			['Columns', { output: 'selected', columns: '={{ $json.missing }}' }],
			[
				'Sort > Rule 1 > Direction',
				{ sort: { rules: [{ column: 'title', direction: '={{ $json.missing }}' }] } },
			],
		] as Array<[string, object]>
	).map(([label, parameters]): (typeof refused)[number] => [
		`${label} without a value in ${JSON.stringify(parameters)}`,
		parameters,
		`'${label}' is empty because its expression gave no value`,
	]),
	...(['in', 'notIn'] as const).flatMap((operator) =>
		['a,,b', '=a,{{ $json.missing }}', '={{ ["a", $json.missing] }}', '={{ ["a", " "] }}'].map(
			(valueList): (typeof refused)[number] => [
				`a blank in the list ${valueList} of ${operator}`,
				{ filters: { conditions: [{ column: 'title', operator, valueList }] } },
				"'Filters > Condition 1 > Values' has an empty value",
			],
		),
	),
	['a limit of 0', { limit: 0 }, "'Limit' must be a whole number, 1 or more"],
	[
		'a negative offset',
		{ options: { offset: -1 } },
		"'Options > Offset' must be a whole number, 0 or more",
	],
];

it.each(refused)('refuses %s before anything is sent', async (_, parameters, text) => {
	const received = serve(() => scriptedPage([]));
	const { error } = await runNode({
		rows: [{ rows: [] }],
		parameters: { ...search, ...parameters },
	});
	expect(error?.message.split(text)).toHaveLength(2);
	expect(received).toEqual([]);
});

it.each<[object, string]>([
	[{ code: 'UNAUTHORIZED', message: 'No authorization' }, 'No authorization'],
	[{ success: false, error: 'database down', data: [] }, 'database down'],
	[{ error: { message: 'database down' }, data: [] }, 'database down'],
	[{ success: false, data: [] }, 'success'],
])(
	'takes %j with a 200 for an error in the words of the service, not for no tickets',
	async (body, words) => {
		serve(() => ({ status: 200, body: { metadata: { hasNextPage: false }, ...body } }));
		const { error } = await runNode({ parameters: search });
		expect(error?.message).toContain(words);
	},
);

it('keeps what was read when a page fails, and says where to go on', async () => {
	serve((request, number) =>
		number < 5 ? holding(1000)(request) : { status: 400, body: { message: 'no' } },
	);
	const { main, error } = await runNode({
		parameters: { ...search, returnAll: true, options: { parallelRequests: 1 } },
		settings: { onError: 'continueRegularOutput' },
	});
	expect(error).toBeUndefined();
	const failed = main.at(-1)?.json;
	expect(main).toHaveLength(198 + 1);
	expect(failed).toMatchObject({
		error: expect.stringContaining('400'),
		details: { ticketsRead: 198, continueAt: { ticketNumber: 199 }, status: 400 },
	});
});

it('puts a ticket with an `error` column under a key, so n8n does not take it for a failure', async () => {
	const received = serve(() => scriptedPage([{ error: 'text' }]));
	const { main } = await runNode({
		parameters: search,
		settings: retries,
	});
	expect(main.map(({ json }) => json)).toEqual([{ response: { error: 'text' } }]);
	expect(received).toHaveLength(1);
});
