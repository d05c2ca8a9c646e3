import { search } from '../../../../src/tickets/search/search';
import type { Script } from '../../../support/fakeRuntime';
import { fakeRuntime, reply } from '../../../support/fakeRuntime';
import { listOf, members, uuidOf } from '../../../support/samples';
import { runRows } from '../../../support/runRows';
import { answerSearch } from '../../../support/searchService';
import { ticket, upTo } from '../../../support/tickets';

/** Tickets of 300 customers, three of each. */
const tickets = upTo(900).map((n) =>
	ticket(n, {
		id: uuidOf(n),
		customerId: uuidOf(1_000 + (n % 300)),
		priority: n % 2 > 0 ? 'low' : 'high',
		isShared: n % 3 === 0,
		title: `t${n % 300}`,
	}),
);
const serving: Script = ({ body }) =>
	answerSearch(tickets, body, { spelling: 'formal', refusal: 400 });

const on = (column: string, more: object) => ({ column, operator: 'eq', ...more });
const ofCustomer = (n: number) => on('customerId', { value: uuidOf(1_000 + n) });
const row = (conditions: object[], more: object = {}) => ({
	parameters: { filters: { conditions }, returnAll: true, output: 'raw', ...more },
});

async function run(rows: Array<ReturnType<typeof row>>, script = serving) {
	const { sent, context } = fakeRuntime(script);
	const { rows: results } = await runRows(search, rows, context());
	const lists = sent.map(({ body }) =>
		Object.values(members(members(body)['filters'])).flatMap((one) => members(one)['in'] ?? []),
	);
	return {
		sent,
		lists: lists.map(({ length }) => length),
		failures: results.map(({ failure }) => failure),
		numbers: results.map(({ items }) => items.map((item) => members(item)['ticketNumber'])),
	};
}

const ofEach = (count: number) => upTo(count).map((n) => [600 + n, 300 + n, n]);
const customers = (count: number, more: object = {}) =>
	upTo(count).map((n) => row([ofCustomer(n)], more));

it.each([
	['all tickets', {}],
	['the newest tickets', { returnAll: false, limit: 50 }],
])('asks for %s of 250 customers in lists of 100', async (_, more) => {
	const { numbers, lists } = await run(customers(250, more));
	expect(numbers).toEqual(ofEach(250));
	expect(new Set(lists)).toEqual(new Set([100, 50]));
	expect(lists.length).toBeLessThanOrEqual(20);
});

it('asks for equal rows once, and gives each its own items', async () => {
	const { sent, numbers } = await run([row([ofCustomer(1)]), row([ofCustomer(1)])]);
	expect(sent).toHaveLength(1);
	expect(numbers).toEqual([...ofEach(1), ...ofEach(1)]);
});

it.each<[string, object[]]>([
	['numbers', [5, 6].map((numberValue) => on('ticketNumber', { numberValue }))],
	['enums', ['low', 'high'].map((priorityValue) => on('priority', { priorityValue }))],
	['booleans', [true, false].map((booleanValue) => on('isShared', { booleanValue }))],
	['IDs', [1, 2].map((n) => on('id', { value: uuidOf(n) }))],
])('shares a request between %s, beside equal conditions', async (_, conditions) => {
	const below = { column: 'ticketNumber', operator: 'lt', numberValue: 20 };
	const isByNumber = JSON.stringify(conditions).includes('ticketNumber');
	const rows = conditions.map((one) => row(isByNumber ? [one] : [below, one]));
	const together = await run(rows);
	expect(together.sent).toHaveLength(1);
	const alone = await Promise.all(rows.map(async (one) => await run([one])));
	expect(together.numbers).toEqual(alone.flatMap(({ numbers }) => numbers));
});

it.each<[string, Array<ReturnType<typeof row>>]>([
	['text', [1, 2].map((n) => row([on('title', { value: `t${n}` })]))],
	['lists', [1, 2].map((n) => row([on('customerId', { operator: 'in', idValues: [uuidOf(n)] })]))],
	[
		'a limit in an order with ties',
		customers(2, { returnAll: false, limit: 2, sort: { rules: [{ column: 'title' }] } }),
	],
	['an offset', customers(2, { options: { offset: 1 } })],
])('asks alone for %s', async (_, rows) => {
	const { sent } = await run(rows);
	expect(sent.length).toBeGreaterThanOrEqual(2);
	expect(JSON.stringify(sent)).not.toContain(`"in":["${uuidOf(1_001)}","${uuidOf(1_002)}"]`);
});

it.each([400, 413, 414])('halves a list that is refused with %s', async (status) => {
	const { numbers, lists } = await run(customers(100), (sent, number) => {
		const list = listOf(members(members(sent.body)['filters'])['customerId'], 'in');
		return list.length > 30 ? reply(status) : serving(sent, number);
	});
	expect(numbers).toEqual(ofEach(100));
	expect([...new Set(lists)]).toEqual([100, 50, 25]);
});

it('fails all rows of a list that the service does not serve', async () => {
	const { failures, sent } = await run(customers(100), () => reply(403));
	expect(failures.every((failure) => failure?.kind === 'api')).toBe(true);
	expect(sent).toHaveLength(1);
});

it('reports that more tickets may match a row whose limit was reached in a shared request', async () => {
	const { sent, context } = fakeRuntime(serving);
	const rows = customers(2, { returnAll: false, limit: 1 });
	const { summary } = await runRows(search, rows, context());
	expect(sent).toHaveLength(1);
	expect(summary).toContain("Both rows reached 'Limit': raise it or use 'Return All'");
});

it('reads a row alone if the tickets of another one take the limit of a shared request', async () => {
	const uneven = upTo(9).map((n) =>
		ticket(n, { id: uuidOf(n), customerId: uuidOf(n > 2 ? 1_001 : 1_002) }),
	);
	const rows = customers(2, { returnAll: false, limit: 2 });
	const { sent, numbers } = await run(rows, ({ body }) =>
		answerSearch(uneven, body, { spelling: 'formal', refusal: 400 }),
	);
	expect(numbers).toEqual([
		[9, 8],
		[2, 1],
	]);
	expect(sent).toHaveLength(2);
});

it('reads rows alone if a shared request returns a ticket without a readable value', async () => {
	const unreadable = { ...ticket(9, { id: uuidOf(9) }), customerId: 7 };
	const filled = [8, 7].map((n) => ticket(n, { id: uuidOf(n), customerId: uuidOf(1_001) }));
	const rows = customers(2, { returnAll: false, limit: 2 });
	const { numbers } = await run(rows, ({ body }) => {
		const isFirst = JSON.stringify(members(body)['filters']).includes(uuidOf(1_001));
		const data = isFirst ? [unreadable, ...filled] : [];
		return reply(200, { data, metadata: { hasNextPage: false } });
	});
	expect(numbers).toEqual([[9, 8], []]);
});
