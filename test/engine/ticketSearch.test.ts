import type { INodeParameters } from 'n8n-workflow';
import { retries, search } from '../support/panel';
import { runNode } from '../support/runNode';
import { members } from '../support/samples';
import type { Received, Scripted } from '../support/service';
import { forget, serve } from '../support/service';
import { findTickets, scriptedPage, ticket, upTo } from '../support/tickets';

afterEach(forget);

const on = (column: string, operator: string, value: object = {}) => ({
	...{ column, operator },
	...value,
});
const json = (filtersJson: string) => ({ filterMode: 'json', filtersJson });

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
		json('={{ new Map([["title", { eq: "x" }]]) }}'),
		"'Filters (JSON)' is an object that JSON cannot hold",
	],
	...[
		'{ "iLike": "%{{ $json.missing }}%" }',
		'{ "iLike": "%ORD-{{ $json.missing }}%" }',
		'{ "eq": "{{ $json.missing }}" }',
		'{ "in": ["a", "{{ $json.missing }}"] }',
	].map((operand): (typeof refused)[number] => [
		`a text that an expression left empty in ${operand}`,
		{ filterMode: 'json', filtersJson: `={ "title": ${operand} }` },
		"'Filters (JSON)' could not be read: {{ $json.missing }} gave no value",
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
		`'Filters (JSON) > ${place}' is empty because its expression gave no value`,
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
];

it.each([
	['=ORD-{{ $json.order }}', undefined],
	['={{ $json.order }}-{{ $json.year }}', undefined],
	['=ORD-{{ $json.year }}', '%ORD-2026%'],
	["=ORD-{{ $json.order || 'none' }}", '%ORD-none%'],
])('takes %j for empty where one of its expressions gives nothing', async (value, pattern) => {
	const received = serve(() => scriptedPage([]));
	const { error } = await runNode({
		rows: [{ order: '', year: 2026 }],
		parameters: { ...search, ...conditions(on('title', 'contains', { value })) },
	});
	const filters = received.map(({ body }) => members(body)['filters']);
	if (pattern === undefined) {
		expect(error?.message).toBe(
			"'Filters > Condition 1 > Value' is empty. Enter a value or remove the condition",
		);
		expect(filters).toEqual([]);
	} else expect(filters).toEqual([{ title: { iLike: pattern } }]);
});

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
	expect(main).toHaveLength(297 + 1);
	expect(failed).toMatchObject({
		error: expect.stringContaining('400'),
		details: { ticketsRead: 297, continueAt: { ticketNumber: 298 }, status: 400 },
	});
});

it('puts a ticket with an `error` column under a key, so n8n does not take it for a failure', async () => {
	const received = serve(() => scriptedPage([{ ticketNumber: 1, error: 'text' }]));
	const { main } = await runNode({
		parameters: search,
		settings: retries,
	});
	expect(main.map(({ json }) => json)).toEqual([{ response: { ticketNumber: 1, error: 'text' } }]);
	expect(received).toHaveLength(1);
});

describe('all tickets in one item', () => {
	const options = { outputAs: 'oneItem' };

	it('come as one item for each input row, with their number', async () => {
		serve((_, number) => scriptedPage(number === 1 ? [ticket(2), ticket(1)] : []));
		const { main, error } = await runNode({
			rows: [{ limit: 2 }, { limit: 3 }],
			parameters: { ...search, limit: '={{ $json.limit }}', options },
		});
		expect(error).toBeUndefined();
		expect(main).toEqual([
			{ json: { count: 2, tickets: [ticket(2), ticket(1)] }, pairedItem: { item: 0 } },
			{ json: { count: 0, tickets: [] }, pairedItem: { item: 1 } },
		]);
	});

	it('hold what was read before a failure, beside the error of the row', async () => {
		serve((_, number) =>
			number === 1 ? scriptedPage([ticket(2), ticket(1)], true) : { status: 403, body: {} },
		);
		const { main } = await runNode({
			parameters: { ...search, limit: 9, options: { ...options, pageSize: 2 } },
			settings: { onError: 'continueRegularOutput' },
		});
		expect(main.map(({ json }) => json)).toMatchObject([
			{ count: 2, tickets: [ticket(2), ticket(1)] },
			{ error: expect.stringContaining('403'), details: { ticketsRead: 2 } },
		]);
	});
});

const conditions = (...list: object[]) => ({
	filters: { conditions: list as INodeParameters[] },
});
const fine = { column: 'priority', operator: 'eq', priorityValue: 'low' };

/** What stands in the panel, and the whole text that it leads to: where, what, and what to do. */
const explained: Array<[string, object, string | RegExp]> = [
	[
		'an ID that is no UUID',
		conditions(fine, on('statusId', 'eq', { value: 'open' })),
		`'Filters > Condition 2 > Value' "open" is not a UUID. It should look like 0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40`,
	],
	[
		'an ID in a list that is no UUID',
		conditions(on('customerId', 'in', { idValues: 'x' })),
		`'Filters > Condition 1 > Value Names or IDs' "x" is not a UUID. It should look like 0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40`,
	],
	[
		'a number out of range',
		conditions(fine, on('ticketNumber', 'gt', { numberValue: 2147483648 })),
		"'Filters > Condition 2 > Value' must be between -2147483648 and 2147483647",
	],
	[
		'a number that is none',
		conditions(on('ticketNumber', 'eq', { numberValue: 'x' })),
		"'Filters > Condition 1 > Value' must be a whole number",
	],
	[
		'a date that is none',
		conditions(fine, on('createdAt', 'gte', { dateValue: '31.01.2026' })),
		'\'Filters > Condition 2 > Date\' "31.01.2026" is not a valid date. Use e.g. 2026-01-31 or 2026-01-31T09:00:00Z',
	],
	[
		'two values that cannot both be right',
		conditions(
			fine,
			on('title', 'iLike', { value: '%a%' }),
			on('title', 'iLike', { value: '%b%' }),
		),
		"'Filters > Condition 3' on Title has two conditions that the service cannot combine. Keep one, use 'Is Any Of', or make one of two texts case-sensitive",
	],
	[
		'two lists with nothing in common',
		conditions(
			on('priority', 'in', { priorityValues: ['low'] }),
			on('priority', 'in', { priorityValues: ['high'] }),
		),
		"'Filters > Condition 2' on Priority has two 'Is Any Of' conditions with no value in common, so nothing can match. Put all values into one condition",
	],
	[
		'a value that an expression left empty',
		conditions(fine, on('title', 'contains', { value: '={{ $json.missing }}' })),
		"'Filters > Condition 2 > Value' is empty. Enter a value or remove the condition",
	],
	[
		'a date that an expression left empty',
		conditions(on('createdAt', 'lt', { dateValue: '={{ $json.missing }}' })),
		"'Filters > Condition 1 > Date' is empty. Enter a value or remove the condition",
	],
	[
		'ends in the wrong order',
		conditions(on('ticketNumber', 'between', { numberValue: 9, numberTo: 3 })),
		"'Filters > Condition 1 > To' is before From. Swap the two",
	],
	[
		'a count below 1',
		conditions(on('createdAt', 'lastDays', { numberValue: 0 })),
		"'Filters > Condition 1 > Days' must be a whole number from 1 to 100000",
	],
	[
		'an operator that does not fit',
		conditions(on('title', 'today')),
		"'Filters > Condition 1 > Operator' 'Is Today' does not fit Title. Choose another operator",
	],
	[
		'an expression for all filters',
		{ filters: '={{ $json.rows }}' },
		"'Filters > Condition' is empty because an expression replaces the whole list. Add rows and use expressions in their fields, or use JSON",
	],
	[
		'an expression for the sort',
		{ sort: '={{ $json.rows }}' },
		"'Sort > Rule' is empty because an expression replaces the whole list. Add rows and use expressions in their fields, or use JSON",
	],
	[
		'JSON with a key twice',
		json('{"title": {"eq": "a"}, "title": {"eq": "b"}}'),
		'\'Filters (JSON)\' contains "title" twice in one object. Remove one',
	],
	['no JSON', json(' '), "'Filters (JSON)' is empty. Enter JSON"],
	[
		'a wrong value in JSON',
		json('{"isShared": {"in": [true, "no"]}}'),
		"'Filters (JSON) > isShared > in 2' must be true or false",
	],
	[
		'an expression where the conditions belong',
		{ filters: { conditions: '={{ $json.rows }}' } },
		/^'Filters > Condition 2' is the same as Condition 1\. Remove it\. If an expression replaces the whole list, add conditions and use expressions in their fields, or use JSON/,
	],
	[
		// The words in brackets are those of the JavaScript engine.
		'malformed JSON',
		json('{"priority": {"eq": "low"}'),
		/^'Filters \(JSON\)' is not valid JSON \(.+\)\. Check quotes, commas and brackets$/,
	],
	[
		'a page that is too large',
		{ options: { pageSize: 101 } },
		"'Options > Page Size' must be a whole number from 1 to 100",
	],
];

it.each(explained)('names %s by its place and says how to mend it', async (_, parameters, text) => {
	const received = serve(() => scriptedPage([]));
	const { main, error } = await runNode({
		rows: [{ rows: [] }],
		parameters: { ...search, ...parameters },
	});
	const message: unknown = typeof text === 'string' ? text : expect.stringMatching(text);
	expect({ message: error?.message, main, received }).toEqual({ message, main: [], received: [] });
});
