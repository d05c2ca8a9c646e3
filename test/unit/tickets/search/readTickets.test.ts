import type { CallError } from '../../../../src/core/client';
import type { Column } from '../../../../src/tickets/columns';
import type { Query, SortRule } from '../../../../src/tickets/search/query';
import type { Script } from '../../../support/fakeRuntime';
import { fakeRuntime, reply } from '../../../support/fakeRuntime';
import type { ReadAlone } from '../../../support/readAlone';
import { readAlone } from '../../../support/readAlone';
import { listOf, members } from '../../../support/samples';
import type { Scripted } from '../../../support/pageReader';
import { scriptedReader } from '../../../support/pageReader';
import { searchPage, ticket, upTo } from '../../../support/tickets';

const described = (n: number) =>
	ticket(n, { title: `Ticket ${n}`, priority: n % 2 ? 'low' : 'high' });

/** A service of so many tickets. */
const holding =
	(count: number): Script =>
	({ body }) =>
		searchPage(upTo(count).map(described), body);

interface Asked {
	readonly sort?: readonly SortRule[];
	readonly select?: readonly Column[];
	readonly wanted?: Partial<ReadAlone>;
}

async function read(script: Script, { sort = [], select = [], wanted }: Asked = {}) {
	const { sent, context } = fakeRuntime(script);
	const all: ReadAlone = {
		offset: 0,
		pageSize: 100,
		parallelRequests: 4,
		timeoutMs: 1_000,
	};
	const { client } = context();
	const reading = await readAlone({ filters: {}, sort, select }, { ...all, ...wanted }, client);
	return { ...reading, bodies: sent.map(({ body }) => members(body)) };
}

const MORE = ". More match: raise 'Limit' or use 'Return All'";
const byTitle: SortRule = { column: 'title', direction: 'asc' };

describe('the note on a search', () => {
	it.each<[number, Asked, string]>([
		[0, { wanted: { limit: 5 } }, '0 tickets, 1 request'],
		[1, { wanted: { limit: 5 } }, '1 ticket, 1 request'],
		[300, { wanted: { limit: 100 } }, `100 tickets, 1 request${MORE}`],
		[300, { wanted: { limit: 101 } }, `101 tickets, 2 requests, read by offset${MORE}`],
		[300, { wanted: { offset: 200 } }, '100 tickets, 1 request'],
		[1, {}, '1 ticket, 1 request'],
		[150, {}, '150 tickets, 3 requests, read by ticket number'],
		[
			1_200,
			{ sort: [byTitle] },
			'1,200 tickets, 17 requests, read by offset (only the service knows this sort order)',
		],
		// Its values may be empty.
		[
			150,
			{ sort: [{ column: 'closedAt', direction: 'asc' }] },
			'150 tickets, 5 requests, read by offset (only the service knows this sort order)',
		],
	])('of %i tickets with %j says which way was taken: %s', async (count, asked, note) => {
		expect((await read(holding(count), asked)).note).toBe(note);
	});

	it('says why tickets could not be read by number, and they are read all the same', async () => {
		const script = holding(3);
		const { note, rows } = await read((sent, number) =>
			number === 1 ? reply(400, { message: 'bad filters' }) : script(sent, number),
		);
		expect(note).toBe(
			'3 tickets, 2 requests, read by offset (by ticket number: the service rejected it)',
		);
		expect(rows).toEqual([3, 2, 1].map(described));
	});
});

describe('the columns', () => {
	it('are asked for with those that tell tickets apart and sort them, and come without', async () => {
		const sort: SortRule[] = [{ column: 'priority', direction: 'desc' }];
		for (const wanted of [{}, { limit: 150 }]) {
			const { bodies, rows } = await read(holding(150), { sort, select: ['title'], wanted });
			expect(bodies[0]?.['select']).toEqual({
				title: true,
				id: true,
				ticketNumber: true,
				priority: true,
			});
			expect(rows).toHaveLength(150);
			for (const row of rows) expect(Object.keys(row)).toEqual(['title']);
		}
	});

	it('are all where none are chosen', async () => {
		const { bodies, rows } = await read(holding(2));
		expect(bodies[0]).not.toHaveProperty('select');
		expect(rows).toEqual([described(2), described(1)]);
	});
});

describe('the order', () => {
	it('is made here where that is exact, and empty values come last', async () => {
		const sort: SortRule[] = [
			{ column: 'priority', direction: 'asc' },
			{ column: 'ticketNumber', direction: 'desc' },
		];
		const { rows } = await read(holding(4), { sort });
		expect(rows.map((row) => row['ticketNumber'])).toEqual([4, 2, 3, 1]);
	});

	it('of pages by offset has no ties, and names no column twice', async () => {
		const limit = { wanted: { limit: 150 } };
		const rules = async (sort: readonly SortRule[]) =>
			(await read(holding(1), { sort, ...limit })).bodies[0]?.['sort'];
		expect(await rules([byTitle])).toEqual([
			{ field: 'title', direction: 'asc' },
			{ field: 'ticketNumber', direction: 'asc' },
			{ field: 'id', direction: 'asc' },
		]);
		expect(await rules([{ column: 'id', direction: 'desc' }])).toEqual([
			{ field: 'id', direction: 'desc' },
			{ field: 'ticketNumber', direction: 'asc' },
		]);
	});
});

it('finds all tickets where a service sorts only what has no bounds', async () => {
	const script: Script = (sent, number) => {
		const { gte } = members(members(members(sent.body)['filters'])['ticketNumber']);
		if (gte === undefined) return holding(30)(sent, number);
		const scattered = upTo(30).map((n) => described((n * 7) % 31));
		return searchPage(scattered, { ...members(sent.body), sort: [] });
	};
	const { rows, note, failure } = await read(script, { wanted: { pageSize: 5 } });
	expect(failure).toBeUndefined();
	expect(rows).toEqual(upTo(30).map(described).reverse());
	expect(note).toContain('read by ticket number');
});

it.each([1, 3, 8])(
	'has %i requests under way at most, where it may have so many',
	async (parallelRequests) => {
		const { context, maxInProgress } = fakeRuntime(holding(2_000), { latency: 10 });
		const wanted = { offset: 0, pageSize: 20, parallelRequests, timeoutMs: 1_000 };
		const all: Query = { filters: {}, sort: [], select: [] };
		expect((await readAlone(all, wanted, context().client)).rows).toHaveLength(2_000);
		expect(maxInProgress()).toBe(parallelRequests);
	},
);

describe('a search for no more than a page', () => {
	const all: Query = {
		filters: {},
		sort: [{ column: 'ticketNumber', direction: 'asc' }],
		select: [],
	};
	const scripted = async (
		answers: readonly Scripted[],
		more: Partial<ReadAlone> = {},
		query: Query = all,
	) => {
		const { reader, asked } = scriptedReader(answers);
		const settings: ReadAlone = {
			limit: 3,
			offset: 0,
			pageSize: 3,
			parallelRequests: 1,
			timeoutMs: 5_000,
			...more,
		};
		const reading = await readAlone(query, settings, reader.client);
		return { ...reading, asked };
	};
	const rejected = (status: number, message = '') =>
		({
			failure: { kind: 'api', call: '', status, message, issues: [] } as unknown as CallError,
		}) as const;
	const tickets = (...numbers: number[]) => numbers.map((n) => ticket(n));
	const three = tickets(1, 2, 3);

	it('is one request, newest first or in the order of the user', async () => {
		const newest = [...three].reverse();
		const unsorted: Query = { ...all, sort: [] };
		const { rows, note, asked } = await scripted([[newest, true]], { offset: 7 }, unsorted);
		expect(asked).toEqual([
			{
				pagination: { limit: 3, offset: 7 },
				sort: [
					{ field: 'ticketNumber', direction: 'desc' },
					{ field: 'id', direction: 'desc' },
				],
			},
		]);
		expect(rows).toEqual(newest);
		expect(note).toBe(`3 tickets, 1 request${MORE}`);
		const sort: Query['sort'] = [{ column: 'title', direction: 'desc' }];
		const sorted = await scripted([[[]]], {}, { ...all, sort });
		expect(sorted.asked).toEqual([
			{ pagination: { limit: 3, offset: 0 }, sort: [{ field: 'title', direction: 'desc' }] },
		]);
	});

	it('goes on where a page is short and another one follows', async () => {
		const { rows, asked, note } = await scripted([
			[three.slice(0, 2), true],
			[three.slice(2), false],
			[three.slice(0, 2), true],
			[three.slice(1), false],
		]);
		expect(rows).toEqual(three);
		expect(asked).toHaveLength(4);
		expect(note).toBe('3 tickets, 4 requests, read by offset');
		const full = await scripted([[three, true]]);
		expect(full.asked).toHaveLength(1);
		const end = await scripted([[three.slice(0, 2), false]]);
		expect(end).toMatchObject({ rows: three.slice(0, 2), note: '2 tickets, 1 request' });
	});

	it('goes on in a shorter order where the service does not take that of numbers', async () => {
		const no = rejected(400);
		const newest = [...three].reverse();
		const answers: Scripted[] = [no, no, rejected(422), no, [newest]];
		const { rows, asked } = await scripted(answers, {}, { ...all, sort: [] });
		expect(rows).toEqual(newest);
		// Each of them in both spellings.
		expect(asked.map((body) => listOf(body, 'sort').length)).toEqual([2, 2, 1, 1, 0]);
	});

	it.each([
		['another error', rejected(500), all],
		['an error about filters', rejected(400, 'filters: no'), all],
		[
			'an error about the order of the user',
			rejected(400),
			{ ...all, sort: [{ column: 'title', direction: 'asc' }] } as Query,
		],
	])('ends with %s', async (_, answer, query) => {
		const answers = [answer, answer];
		const { rows, failure, position, asked } = await scripted(answers, { offset: 4 }, query);
		expect({ rows, failure, position }).toEqual({ rows: [], ...answer, position: { offset: 4 } });
		expect(asked.length).toBeLessThanOrEqual(2);
	});

	it('is sorted here where the service ignores the sort, and all of it came', async () => {
		const sort: Query['sort'] = [{ column: 'ticketNumber', direction: 'asc' }];
		const down = [...three].reverse();
		const few: Scripted = [down.slice(0, 2)];
		const whole = await scripted([few, few], {}, { ...all, sort });
		expect(whole.rows).toEqual(down.slice(0, 2).reverse());
		const many: Scripted = [down, true];
		const part = await scripted([many, many], {}, { ...all, sort });
		expect(part.failure).toHaveProperty(
			'message',
			expect.stringMatching(/^The service ignores the sort/),
		);
	});

	it('is not all that is wanted of a larger limit, or of all', async () => {
		const more = await scripted([[three, true], [tickets(3, 4)]], { limit: 4 });
		expect(more.rows).toHaveLength(4);
		expect(more.note).toBe('4 tickets, 2 requests, read by offset');
	});

	it('hands out nothing where a ticket does not match', async () => {
		const query: Query = { ...all, filters: { ticketNumber: { gte: 2 } } };
		const { rows, unmatched, position, note, failure } = await scripted([[three]], {}, query);
		expect({ rows, unmatched, position, note }).toEqual({
			rows: [],
			unmatched: 'ticketNumber',
			position: { offset: 0 },
			note: '',
		});
		expect(failure).toHaveProperty(
			'message',
			expect.stringMatching(/^The service ignores the filter on Ticket Number/),
		);
	});
});

it.each([
	['', upTo(237)],
	[' ', upTo(237)],
	[null, upTo(237)],
	[null, upTo(237).map(() => null)],
])('loses no ticket where all of them have %j as their ID', async (id, numbers) => {
	const tickets = numbers.map((ticketNumber, i) => ({ ...described(i), id, ticketNumber }));
	const { rows, failure } = await read(({ body }) => searchPage(tickets, body));
	expect(failure).toBeUndefined();
	expect(rows).toHaveLength(237);
});
