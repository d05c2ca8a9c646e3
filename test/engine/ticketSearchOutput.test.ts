import type { INodeParameters } from 'n8n-workflow';
import { search } from '../support/panel';
import { forget, serve } from '../support/service';
import { runNode } from '../support/runNode';
import { members } from '../support/samples';
import { scriptedPage } from '../support/tickets';

afterEach(forget);

describe('all tickets in one item', () => {
	const options = { outputAs: 'oneItem' };

	it('come as one item for each input row, with their number', async () => {
		serve((_, number) => scriptedPage(number === 1 ? [{ id: 'a' }, { id: 'b' }] : []));
		const { main, error } = await runNode({
			rows: [{ limit: 2 }, { limit: 3 }],
			parameters: { ...search, limit: '={{ $json.limit }}', options },
		});
		expect(error).toBeUndefined();
		expect(main).toEqual([
			{ json: { count: 2, tickets: [{ id: 'a' }, { id: 'b' }] }, pairedItem: { item: 0 } },
			{ json: { count: 0, tickets: [] }, pairedItem: { item: 1 } },
		]);
	});

	it('hold the chosen columns only', async () => {
		serve(() => scriptedPage([{ id: 'a', ticketNumber: 1, title: 'x' }]));
		const { main } = await runNode({
			parameters: { ...search, returnAll: true, output: 'selected', columns: ['title'], options },
		});
		expect(main.map(({ json }) => json)).toEqual([
			{ count: 1, tickets: [{ id: 'a', title: 'x' }] },
		]);
	});

	it('hold what was read before a failure, beside the error of the row', async () => {
		serve((_, number) =>
			number === 1 ? scriptedPage([{ id: 'a' }, { id: 'b' }], true) : { status: 403, body: {} },
		);
		const { main } = await runNode({
			parameters: { ...search, limit: 9, options: { ...options, pageSize: 2 } },
			settings: { onError: 'continueRegularOutput' },
		});
		expect(main.map(({ json }) => json)).toMatchObject([
			{ count: 2, tickets: [{ id: 'a' }, { id: 'b' }] },
			{ error: expect.stringContaining('403'), details: { ticketsRead: 2 } },
		]);
	});
});

describe('as a tool of an agent', () => {
	const few = [
		...['assigneeUserId', 'conversationId', 'createdAt', 'customerId', 'priority', 'source'],
		...['statusId', 'ticketNumber', 'title', 'updatedAt'],
	];
	const selected = (body: unknown) => Object.keys(members(members(body)['select'])).sort();

	it('selects few columns where none are chosen', async () => {
		const received = serve(() => scriptedPage([]));
		await runNode({
			parameters: { ...search, output: 'simplified' },
			settings: { type: 'conversationDeskTool' },
		});
		expect(received.map(({ body }) => selected(body))).toEqual([
			expect.arrayContaining([...few, 'id']),
		]);
	});

	it('selects the columns that are chosen', async () => {
		const received = serve(() => scriptedPage([]));
		await runNode({
			parameters: { ...search, output: 'selected', columns: ['id', 'flowId'] },
			settings: { type: 'conversationDeskTool' },
		});
		expect(received.map(({ body }) => selected(body))).toEqual([['flowId', 'id', 'ticketNumber']]);
	});

	it('leaves all columns to the service on request', async () => {
		const received = serve(() => scriptedPage([]));
		await runNode({ parameters: search, settings: { type: 'conversationDeskTool' } });
		expect(members(received[0]?.body)).not.toHaveProperty('select');
	});
});

const conditions = (...list: object[]) => ({
	filters: { conditions: list as INodeParameters[] },
});
const fine = { column: 'priority', operator: 'eq', priorityValue: 'low' };

/** What stands in the panel, and the whole text that it leads to: where, what, and what to do. */
const refused: Array<[string, object, string | RegExp]> = [
	[
		'an ID that is no UUID',
		conditions(fine, { column: 'statusId', operator: 'eq', value: 'open' }),
		"'Filters > Condition 2 > Value' 'open' is not a UUID. It should look like 0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40",
	],
	[
		'an ID in a list that is no UUID',
		conditions({ column: 'customerId', operator: 'in', idValues: 'x' }),
		"'Filters > Condition 1 > Value Names or IDs' 'x' is not a UUID. It should look like 0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40",
	],
	[
		'a number out of range',
		conditions(fine, { column: 'ticketNumber', operator: 'gt', numberValue: 2147483648 }),
		"'Filters > Condition 2 > Value' must be between -2147483648 and 2147483647",
	],
	[
		'a number that is none',
		conditions({ column: 'ticketNumber', operator: 'eq', numberValue: 'x' }),
		"'Filters > Condition 1 > Value' must be a whole number",
	],
	[
		'a date that is none',
		conditions(fine, { column: 'createdAt', operator: 'gte', dateValue: '31.01.2026' }),
		"'Filters > Condition 2 > Date' must be an ISO 8601 date or time, e.g. 2026-01-31 or 2026-01-31T09:00:00Z",
	],
	[
		'two values that cannot both be right',
		conditions(
			fine,
			{ column: 'title', operator: 'iLike', value: '%a%' },
			{ column: 'title', operator: 'iLike', value: '%b%' },
		),
		"'Filters > Condition 3' on Title has two conditions that the service cannot combine. Keep one, use 'Is Any Of', or make one of two texts case-sensitive",
	],
	[
		'two lists with nothing in common',
		conditions(
			{ column: 'priority', operator: 'in', priorityValues: ['low'] },
			{ column: 'priority', operator: 'in', priorityValues: ['high'] },
		),
		"'Filters > Condition 2' on Priority has two 'Is Any Of' conditions with no value in common, so nothing can match. Put all values into one condition",
	],
	[
		'a value that an expression left empty',
		conditions(fine, { column: 'title', operator: 'contains', value: '={{ $json.missing }}' }),
		"'Filters > Condition 2 > Value' is empty. Enter a value or remove the condition",
	],
	[
		'a date that an expression left empty',
		conditions({ column: 'createdAt', operator: 'lt', dateValue: '={{ $json.missing }}' }),
		"'Filters > Condition 1 > Date' is empty. Enter a value or remove the condition",
	],
	[
		'ends in the wrong order',
		conditions({ column: 'ticketNumber', operator: 'between', numberValue: 9, numberTo: 3 }),
		"'Filters > Condition 1 > To' is before From. Swap the two",
	],
	[
		'a count below 1',
		conditions({ column: 'createdAt', operator: 'lastDays', numberValue: 0 }),
		"'Filters > Condition 1 > Days' must be a whole number, 1 or more",
	],
	[
		'an operator that does not fit',
		conditions({ column: 'title', operator: 'today' }),
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
		{ filterMode: 'json', filtersJson: '{"title": {"eq": "a"}, "title": {"eq": "b"}}' },
		'\'Filters (JSON)\' contains "title" twice in one object. Remove one',
	],
	[
		'no JSON',
		{ filterMode: 'json', filtersJson: ' ' },
		"'Filters (JSON)' is empty. Enter JSON, e.g. {}",
	],
	[
		'a wrong value in JSON',
		{ filterMode: 'json', filtersJson: '{"isShared": {"in": [true, "no"]}}' },
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
		{ filterMode: 'json', filtersJson: '{"priority": {"eq": "low"}' },
		/^'Filters \(JSON\)' is not valid JSON \(.+\)\. Check quotes, commas and brackets$/,
	],
	[
		'a page that is too large',
		{ options: { pageSize: 101 } },
		"'Options > Page Size' must be a whole number from 1 to 100",
	],
];

it.each(refused)('names %s by its place and says how to mend it', async (_, parameters, text) => {
	const received = serve(() => scriptedPage([]));
	const { main, error } = await runNode({
		rows: [{ rows: [] }],
		parameters: { ...search, ...parameters },
	});
	const message: unknown = typeof text === 'string' ? text : expect.stringMatching(text);
	expect({ message: error?.message, main, received }).toEqual({ message, main: [], received: [] });
});

it('names every problem of a row in one error', async () => {
	serve(() => scriptedPage([]));
	const { error } = await runNode({
		parameters: {
			...search,
			...conditions({ column: 'statusId', operator: 'eq', value: 'open' }, fine, {
				column: 'createdAt',
				operator: 'lastDays',
				numberValue: -1,
			}),
		},
	});
	expect(error?.message).toContain("'Filters > Condition 1 > Value' 'open' is not a UUID");
	expect(error?.message).toContain(". 'Filters > Condition 3 > Days' must be a whole number");
});
