import type { HttpResult } from '../../../../src/core/http';
import { createPicker } from '../../../../src/core/output';
import { search } from '../../../../src/tickets/search/search';
import type { Script } from '../../../support/fakeRuntime';
import { fakeRuntime, inTurn, reply } from '../../../support/fakeRuntime';
import { listOf, members } from '../../../support/samples';
import { runRows } from '../../../support/runRows';
import { findTickets, searchPage, page, pagination, ticket, upTo } from '../../../support/tickets';

/** A service with this number of tickets. */
const holding =
	(count: number): Script =>
	({ body }) =>
		searchPage(
			upTo(count).map((n) => ticket(n)),
			body,
		);

async function run(script: Script, parameters: Record<string, unknown>) {
	const { sent, context } = fakeRuntime(script);
	const inOrder = { sort: { rules: [{ column: 'ticketNumber' }] } };
	const { rows, summary } = await runRows(
		search,
		[{ parameters: { ...inOrder, ...parameters } }],
		context(),
	);
	const result = rows[0] ?? { items: [] };
	return {
		sent,
		summary,
		...result,
		pages: sent.map(({ body }) => pagination(body)),
		numbers: result.items.map((item) => members(item)['ticketNumber']),
	};
}

const fromTo = (min: number, max: number) =>
	Array.from({ length: Math.max(0, max - min + 1) }, (_, i) => min + i);

/** A service that ignores filters on these columns, and returns what is selected. */
const selecting =
	(rows: ReadonlyArray<Record<string, unknown>>): Script =>
	({ body }) => {
		const [matching, hasNextPage] = findTickets(rows, body);
		const names = Object.keys(members(members(body)['select']));
		const data = matching.map((row) => createPicker(names)(row));
		return page(data, hasNextPage);
	};

describe('a ticket search', () => {
	it.each([0, 30, 100, 257])(
		'ends after %i tickets, though the service always says that more follow',
		async (count) => {
			const tickets = upTo(count).map((n) => ticket(n));
			const endless: Script = ({ body }, number) => {
				if (number > 30) throw new Error('The search does not end');
				return page(findTickets(tickets, body)[0], true);
			};
			const { numbers, failure } = await run(endless, { returnAll: true });
			expect(failure).toBeUndefined();
			expect(numbers).toEqual(fromTo(1, count));
		},
	);

	it.each<[string, HttpResult, string]>([
		['broken JSON', reply(200, '{"data": ['), 'contract'],
		['a row that is no object', page([null], true), 'contract'],
		['a refusal', reply(403), 'api'],
		['a rejection, after one spelling was accepted', reply(400), 'api'],
	])('keeps the rows before %s', async (_, response, kind) => {
		const read = await run(inTurn(page([ticket(1), ticket(2)], true), response), {
			limit: 500,
			options: { pageSize: 2, offset: 10 },
		});
		expect(read.numbers).toEqual([1, 2]);
		expect(read.failure).toMatchObject({ kind });
		expect(read.failureItem).toMatchObject({ ticketsRead: 2 });
		expect(read.sent).toHaveLength(2);
	});

	const rules = (...all: object[]) => ({ sort: { rules: all } });

	it.each<[object, string]>([
		[{ limit: 0 }, 'limit'],
		[{ options: { offset: -1 } }, 'options.offset'],
		[{ options: { parallelRequests: 21 } }, 'options.parallelRequests'],
		[{ output: 'selected', columns: ['colour'] }, 'columns.0'],
		[rules({ column: 'id' }, { column: 'x' }), 'sort.rules.1.column'],
		[rules({ column: 'id', direction: 'up' }), 'sort.rules.0.direction'],
		[rules({ column: 'id' }, { column: 'title' }, { column: 'id' }), 'sort.rules.2'],
		[{ filters: { conditions: [{ column: 'x' }] } }, 'filters.conditions.0.column'],
		[{ filters: {} }, 'filters.conditions'],
		[{ filterMode: 'json', filtersJson: '{"x":{"eq":1}}' }, 'filtersJson'],
	])('refuses %j before it sends anything', async (parameters, path) => {
		const { sent, failure, items } = await run(holding(5), { limit: 5, ...parameters });
		expect([sent, items]).toEqual([[], []]);
		const problems = failure?.kind === 'input' ? failure.problems : [];
		expect(problems.map((problem) => problem.path.join('.'))).toContain(path);
	});
});

describe('what comes out of a search', () => {
	const eleven = [
		'ticketNumber',
		'title',
		'priority',
		'source',
		'createdAt',
		'updatedAt',
		'closedAt',
		'statusId',
		'customerId',
		'assigneeUserId',
		'conversationId',
	];
	const selected = async (parameters: object) => {
		const { sent, items } = await run(holding(1), { limit: 1, ...parameters });
		const { select } = members(sent[0]?.body);
		return { select: select && Object.keys(select), items: items.map((item) => Object.keys(item)) };
	};

	it('is eleven columns, the most useful first, unless the user says otherwise, for an agent too', async () => {
		for (const asTool of [true, false])
			expect(await selected({ output: 'simplified', asTool })).toEqual({
				select: [...eleven, 'id'],
				items: [eleven],
			});
	});

	it.each([
		['one page', { limit: 5 }],
		['several pages', { limit: 150 }],
		['an offset', { limit: 5, options: { offset: 3 } }],
		['all', { returnAll: true }],
		['all, sorted by another column', { returnAll: true, sort: { rules: [{ column: 'id' }] } }],
	])('notices a filter that is ignored, though its column is not returned: %s', async (_, more) => {
		const rows = upTo(200).map((n) => ticket(n, { isShared: n % 2 === 0, title: `a${n + 100}` }));
		const { items, failure } = await run(selecting(rows), {
			output: 'selected',
			columns: ['title'],
			filters: { conditions: [{ column: 'isShared', operator: 'eq', booleanValue: true }] },
			...more,
		});
		expect(items).toEqual([]);
		expect(failure).toMatchObject({ message: expect.stringMatching(/were requested, but/) });
	});

	it('has the columns in the order they were chosen, each once, however they are read', async () => {
		const columns = ['ticketNumber', 'id', 'ticketNumber'];
		for (const more of [{ limit: 1 }, { returnAll: true }, { limit: 150 }]) {
			const { items } = await run(holding(120), { output: 'selected', columns, ...more });
			expect(Object.keys(items[0] ?? {})).toEqual(['ticketNumber', 'id']);
		}
	});
});

describe('Return All', () => {
	it.each<[string, readonly unknown[], (readonly unknown[])?]>([
		['ticketNumber', [-2147483648, -3, 0, 7, 1_000]],
		['isShared', [false, true], [null, undefined]],
		['priority', ['high', 'low', 'medium', 'urgent'], [null]],
		['source', ['api', 'chat_widget', 'customer_portal', 'manual', 'microsoft_teams'], [null]],
		['statusId', ['0a', '0b', 'aa'].map((end) => `0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f${end}`), ['']],
		['title', ['Äpfel', 'apple', 'Apple', 'éclair', 'Eclipse', 'zebra'], [null, '']],
		[
			'closedAt',
			[
				'1969-12-31T23:59:59.999999Z',
				'2026-01-01T01:00+02:00',
				'2025-12-31T23:00:00.000000001Z',
				'2025-12-31 23:00:00.0001',
				'2025-12-31T18:00:00.1-05:00',
				'2026-01-01T00:00:00.123456Z',
				'2026-01-01T02:00:00.123457+02:00',
				'2026-01-01T00:00:00.1234571Z',
				'2026-01-01T00:00:01Z',
			],
			[null, '', 'soon', 1_767_225_600_000],
		],
	])('sorts by %s, with tickets without a value last', async (column, values, blanks = []) => {
		const tickets = [...blanks, ...values.toReversed()].map((value, i) =>
			ticket(i, { [column]: value }),
		);
		for (const [direction, expected] of [
			['asc', values],
			['desc', values.toReversed()],
		]) {
			const sort = { rules: [{ column, direction }] };
			const { items, sent } = await run(({ body }) => searchPage(tickets, body), {
				returnAll: true,
				sort,
			});
			expect(items.map((item) => members(item)[column])).toEqual([...(expected ?? []), ...blanks]);
			expect(sent.map(({ body }) => listOf(body, 'sort')[0])).toEqual([
				{ field: 'ticketNumber', direction: 'asc' },
			]);
		}
	});

	it('asks for a column that it sorts by, and does not return it', async () => {
		const tickets = [3, 1, 2].map((n) =>
			ticket(n, { title: `t${n}`, closedAt: `2026-01-0${4 - n}` }),
		);
		const selected = {
			output: 'selected',
			columns: ['title'],
			sort: { rules: [{ column: 'closedAt' }] },
		};
		const { items } = await run(selecting(tickets), { returnAll: true, ...selected });
		expect(items).toEqual([3, 2, 1].map((n) => ({ id: `t${n}`, title: `t${n}` })));
	});
});

it('names some of the rows that found nothing, and none that failed or could not be read', async () => {
	const values = ['', 'broken', 'there', ...Array.from({ length: 13 }, (_, i) => `a${2 * i}`)];
	const rows = values.map((value) => ({
		parameters: { filters: { conditions: [{ column: 'title', operator: 'eq', value }] } },
	}));
	const { context } = fakeRuntime(({ body }) => {
		const text = JSON.stringify(body);
		if (text.includes('broken')) return reply(400, { message: 'filters are wrong' });
		return page(text.includes('there') ? [ticket(1)] : []);
	});
	const { summary } = await runRows(search, rows, context());
	expect(summary).toMatch(/: 1 ticket\. Rows 4 to 16 found no tickets$/);
	const few = [{ parameters: { filters: 'none' } }, ...rows.slice(3, 5)];
	expect((await runRows(search, few, context())).summary).toMatch(/Rows 2 and 3 found no tickets$/);
});

it.each([
	[3, { limit: 3 }, '3 tickets, 1 request'],
	[4, { limit: 3 }, "3 tickets, 1 request. More match: raise 'Limit' or use 'Return All'"],
	[4, { returnAll: true }, '4 tickets, 1 request'],
	[1, { limit: 3 }, '1 ticket, 1 request'],
])('of %i tickets, with %j, it counts: %s', async (count, parameters, summary) => {
	const read = await run(holding(count), parameters);
	expect(read.summary).toBe(`No conditions: every ticket matches. ${summary}`);
});

it('counts the tickets of several rows, and names those that reached the limit', async () => {
	const { context } = fakeRuntime(holding(9));
	const rows = [8, 20].map((limit) => ({ parameters: { limit } }));
	const { summary } = await runRows(search, rows, context());
	expect(summary).toBe(
		"Both rows: No conditions: every ticket matches. 2 rows, 2 requests: 17 tickets. Row 1 reached 'Limit': raise it or use 'Return All'",
	);
});

describe('tickets that move between two pages', () => {
	/** A service that removes its first ticket after each of the first pages. */
	const moving =
		(moves: number): Script =>
		({ body }, number) =>
			searchPage(
				upTo(9)
					.slice(Math.min(Math.floor(number / 2), moves))
					.map((n) => ticket(n)),
				body,
			);
	const paged = { limit: 6, options: { pageSize: 3 } };

	it('are no result if they move four times', async () => {
		const { failure, sent } = await run(moving(9), paged);
		expect(failure?.kind).toBe('contract');
		expect(JSON.stringify(failure)).toContain('moved between pages four times');
		expect(sent).toHaveLength(8);
	});

	it.each([0, 1, 2, 3])('are read again after %i moves', async (moves) => {
		const { numbers, failure } = await run(moving(moves), paged);
		expect(failure).toBeUndefined();
		expect(new Set(numbers).size).toBe(6);
	});
});
