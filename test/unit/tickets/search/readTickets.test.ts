import type { CallError } from '../../../../src/core/client';
import { createClient } from '../../../../src/core/client';
import type { Column } from '../../../../src/tickets/columns';
import type { Query, SortRule } from '../../../../src/tickets/search/query';
import type { DialectCache, ReadSettings } from '../../../../src/tickets/search/readTickets';
import {
	concurrencyOf,
	createPageReader,
	readInOneDialect,
	readTickets,
} from '../../../../src/tickets/search/readTickets';
import type { Script } from '../../../support/fakeRuntime';
import { fakeRuntime, reply } from '../../../support/fakeRuntime';
import { listOf, members } from '../../../support/samples';
import type { Scripted } from '../../../support/pageReader';
import { scriptedReader } from '../../../support/pageReader';
import { page, searchPage, ticket, upTo } from '../../../support/tickets';

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
	readonly wanted?: Partial<ReadSettings>;
	readonly dialectCache?: DialectCache;
}

async function read(script: Script, { sort = [], select = [], wanted, dialectCache }: Asked = {}) {
	const { sent, context } = fakeRuntime(script);
	const all: ReadSettings = {
		offset: 0,
		pageSize: 100,
		parallelRequests: 4,
		spelling: 'auto',
		timeoutMs: 1_000,
	};
	const { client } = context();
	const reading = await readTickets(
		{ filters: {}, sort, select },
		{ ...all, ...wanted },
		{ client, ...(dialectCache && { dialectCache }) },
	);
	return { ...reading, bodies: sent.map(({ body }) => members(body)) };
}

const byTitle: SortRule = { column: 'title', direction: 'asc' };

describe('the note on a search', () => {
	it.each<[number, Asked, string]>([
		[0, { wanted: { limit: 5 } }, '0 tickets, 1 request'],
		[1, { wanted: { limit: 5 } }, '1 ticket, 1 request'],
		[300, { wanted: { limit: 100 } }, '100 tickets, 1 request'],
		[300, { wanted: { limit: 101 } }, '101 tickets, 2 requests, read by offset'],
		[300, { wanted: { offset: 200 } }, '100 tickets, 1 request'],
		[1, {}, '1 ticket, 1 request'],
		[150, {}, '150 tickets, 2 requests, read by ticket number'],
		[
			1_200,
			{ sort: [byTitle] },
			'1,200 tickets, 16 requests, read by offset (only the service knows this sort order)',
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
		expect(rows).toEqual([1, 2, 3].map(described));
	});

	it('counts the pages that were read again', async () => {
		const script = holding(150);
		const { note } = await read(
			(sent, number) =>
				number === 2 ? page([described(140), described(141)], true) : script(sent, number),
			{ wanted: { limit: 150 } },
		);
		expect(note).toBe('150 tickets, 4 requests, read by offset, 1 shifted page read again');
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

	it('are those that are wanted and no other where one page is enough', async () => {
		const { bodies } = await read(holding(150), { select: ['title'], wanted: { limit: 3 } });
		expect(bodies[0]?.['select']).toEqual({ title: true });
	});

	it('are all where none are chosen', async () => {
		const { bodies, rows } = await read(holding(2));
		expect(bodies[0]).not.toHaveProperty('select');
		expect(rows).toEqual([described(1), described(2)]);
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

	it('is what the user wants where one page is enough', async () => {
		const { bodies } = await read(holding(1), { sort: [byTitle], wanted: { limit: 100 } });
		expect(bodies[0]?.['sort']).toEqual([{ field: 'title', direction: 'asc' }]);
	});
});

it('tells the next search which spelling was found out, unless one is fixed', async () => {
	const dialectCache: DialectCache = {};
	const script = holding(3);
	const listOnly: Script = (sent, number) =>
		Array.isArray(members(sent.body)['select'])
			? script(sent, number)
			: reply(400, { message: 'select is wrong' });
	const asked: Asked = { select: ['title'], wanted: { limit: 3 }, dialectCache };
	expect((await read(listOnly, asked)).bodies).toHaveLength(2);
	expect(dialectCache).toMatchObject({ dialect: { sort: 'field', select: 'list' } });
	expect((await read(listOnly, asked)).bodies).toHaveLength(1);
	const fixed = await read(script, { ...asked, wanted: { limit: 3, spelling: 'formal' } });
	expect(fixed.bodies[0]?.['select']).toEqual({ title: true });
});

it('has as many requests under way as it may, and no more', async () => {
	const max = async (parallelRequests: number): Promise<number> => {
		let [under, highest] = [0, 0];
		const script = holding(2_000);
		const { runtime } = fakeRuntime(script);
		const client = createClient({
			...runtime,
			send: async (request) => {
				under += 1;
				highest = Math.max(highest, under);
				for (let turn = 0; turn < 20; turn++) await Promise.resolve();
				under -= 1;
				return await runtime.send(request);
			},
		});
		const wanted: ReadSettings = {
			offset: 0,
			pageSize: 20,
			parallelRequests,
			spelling: 'formal',
			timeoutMs: 1_000,
		};
		const { rows } = await readTickets({ filters: {}, sort: [], select: [] }, wanted, { client });
		expect(rows).toHaveLength(2_000);
		return highest;
	};
	expect(await max(1)).toBe(1);
	expect(await max(3)).toBe(3);
	expect(await max(8)).toBe(8);
});

describe('what reads the pages of a search', () => {
	const base = { pageSize: 100, parallelRequests: 20, spelling: 'auto', timeoutMs: 5_000 } as const;
	const { client } = scriptedReader([]).reader;
	const narrative = { sort: 'column', select: 'list' };
	const formal = { sort: 'field', select: 'object' };

	it('has pages of two tickets at least, and filters to check them by', () => {
		const filters = { isShared: { eq: true } };
		const reader = createPageReader({ ...base, pageSize: 1 }, { client }, filters);
		expect(reader).toMatchObject({ pageSize: 2, timeoutMs: 5_000, requests: 0, filters });
		expect(createPageReader({ ...base, pageSize: 3 }, { client }, {}).pageSize).toBe(3);
	});

	it('has eight requests in progress at first, and as many as are allowed later', () => {
		expect(createPageReader(base, { client }, {}).concurrency.limit()).toBe(8);
		const few = createPageReader({ ...base, parallelRequests: 3 }, { client }, {});
		expect(few.concurrency.limit()).toBe(3);
		const concurrency = concurrencyOf(5);
		expect(createPageReader(base, { client, concurrency }, {}).concurrency).toBe(concurrency);
	});

	it('begins with the spelling that is fixed, or found out, or formal', () => {
		const one = (spelling: ReadSettings['spelling'], dialectCache: DialectCache = {}) =>
			createPageReader({ ...base, spelling }, { client, dialectCache }, {});
		expect(one('auto')).toMatchObject({ findDialect: true, dialect: formal });
		expect(one('formal', { dialect: narrative } as DialectCache)).toMatchObject({
			findDialect: false,
			dialect: formal,
		});
		expect(one('narrative')).toMatchObject({ findDialect: false, dialect: narrative });
		const cache = { dialect: narrative } as DialectCache;
		expect(one('auto', cache)).toMatchObject({ findDialect: true, dialect: narrative });
		Object.assign(cache.known ?? {}, { dialect: formal });
		expect(one('auto', cache).dialect).toEqual(formal);
	});

	it('shares what is known with the other searches of a run', () => {
		const dialectCache: DialectCache = {};
		const first = createPageReader(base, { client, dialectCache }, {});
		expect(first.known).toBe(dialectCache.known);
		expect(createPageReader(base, { client, dialectCache }, {}).known).toBe(first.known);
		expect(createPageReader(base, { client }, {}).known).not.toBe(first.known);
	});

	it('reads again where the order was found out late, twice at most', async () => {
		const reader = createPageReader(base, { client }, {});
		const mixed = [true, true, true, true];
		let times = 0;
		const readOnce = async () => {
			reader.isMixed = mixed[times] === true;
			return (times += 1);
		};
		expect(await readInOneDialect(reader, readOnce)).toBe(3);
		times = 0;
		mixed.splice(1);
		expect(await readInOneDialect(reader, readOnce)).toBe(2);
		times = 0;
		mixed.splice(0);
		expect(await readInOneDialect(reader, readOnce)).toBe(1);
	});
});

describe('a search for no more than a page', () => {
	const all: Query = { filters: {}, sort: [], select: [] };
	const scripted = async (
		answers: readonly Scripted[],
		more: Partial<ReadSettings> = {},
		query: Query = all,
	) => {
		const { reader, asked } = scriptedReader(answers);
		const settings: ReadSettings = {
			limit: 3,
			offset: 0,
			pageSize: 3,
			parallelRequests: 1,
			spelling: 'formal',
			timeoutMs: 5_000,
			...more,
		};
		const reading = await readTickets(query, settings, { client: reader.client });
		return { ...reading, asked };
	};
	const rejected = (status: number, message = '') =>
		({
			failure: { kind: 'api', call: '', status, message, issues: [] } as unknown as CallError,
		}) as const;
	const tickets = (...numbers: number[]) => numbers.map((n) => ticket(n));
	const three = tickets(1, 2, 3);

	it('is one request in the order of numbers, or in that of the user', async () => {
		const { rows, note, asked } = await scripted([[[...three, ticket(4)], true]], { offset: 7 });
		expect(asked).toEqual([
			{
				pagination: { limit: 3, offset: 7 },
				sort: [
					{ field: 'ticketNumber', direction: 'asc' },
					{ field: 'id', direction: 'asc' },
				],
			},
		]);
		expect(rows).toEqual(three);
		expect(note).toBe('3 tickets, 1 request');
		const sort: Query['sort'] = [{ column: 'title', direction: 'desc' }];
		const sorted = await scripted([[[]]], {}, { ...all, sort });
		expect(sorted.asked).toEqual([
			{ pagination: { limit: 3, offset: 0 }, sort: [{ field: 'title', direction: 'desc' }] },
		]);
	});

	it('goes on where a page is short and another one follows', async () => {
		const { rows, asked, note } = await scripted([
			[three.slice(0, 2), true],
			[three.slice(0, 2), true],
			[three.slice(1)],
		]);
		expect(rows).toEqual(three);
		expect(asked).toHaveLength(3);
		expect(note).toBe('3 tickets, 3 requests, read by offset');
		const full = await scripted([[three, true]]);
		expect(full.asked).toHaveLength(1);
		const end = await scripted([[three.slice(0, 2), false]]);
		expect(end).toMatchObject({ rows: three.slice(0, 2), note: '2 tickets, 1 request' });
	});

	it('goes on in a shorter order where the service does not take that of numbers', async () => {
		const { rows, asked } = await scripted([rejected(400), rejected(400), rejected(422), [three]]);
		expect(rows).toEqual(three);
		expect(asked.map((body) => listOf(body, 'sort').length)).toEqual([2, 2, 1, 0]);
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
		const { rows, failure, position, asked } = await scripted([answer], { offset: 4 }, query);
		expect({ rows, failure, position }).toEqual({ rows: [], ...answer, position: { offset: 4 } });
		expect(asked).toHaveLength(1);
	});

	it('is sorted here where the service ignores the sort, and all of it came', async () => {
		const sort: Query['sort'] = [{ column: 'ticketNumber', direction: 'asc' }];
		const down = [...three].reverse();
		const whole = await scripted([[down.slice(0, 2)]], {}, { ...all, sort });
		expect(whole.rows).toEqual(down.slice(0, 2).reverse());
		const part = await scripted([[down, true]], {}, { ...all, sort });
		expect(part.failure?.message).toMatch(/^The service ignores the sort/);
	});

	it('is not all that is wanted of a larger limit, or of all', async () => {
		const more = await scripted([[three, true], [tickets(3, 4)]], { limit: 4 });
		expect(more.rows).toHaveLength(4);
		expect(more.note).toBe('4 tickets, 2 requests, read by offset');
	});

	it('says how many pages were read again, and how many tickets came twice', async () => {
		const { note } = await scripted(
			[
				[tickets(1, 2, 3), true],
				[tickets(5, 6), false],
				[tickets(1, 2, 3), true],
				[tickets(3, 4, 4), true],
				[tickets(4, 4, 5), true],
				[tickets(5, 6), false],
			],
			{ limit: 9 },
		);
		expect(note).toMatch(/^\d tickets, \d requests, read by offset, \d shifted pages? read again/);
	});

	it('looks before an offset for each pattern that takes tickets out', async () => {
		const filters: Query['filters'] = {
			title: { notLike: 'a\\_b' },
			description: { notLike: '50\\%' },
		};
		const hit = [ticket(4, { title: 'x', description: '50%' })];
		const { failure, asked } = await scripted(
			[[three], [[]], [hit]],
			{ offset: 1 },
			{ ...all, filters },
		);
		expect(asked).toHaveLength(3);
		expect(failure?.message).toMatch(/^The service ignores the filter on Description/);
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
		expect(failure?.message).toMatch(/^The service ignores the filter on Ticket Number/);
	});

	it.each<[string, Query['filters'], Scripted[], number]>([
		['nothing came', { title: { like: 'a\\_b' } }, [[[]]], 0],
		['there is an offset', { title: { notLike: 'a\\_b' } }, [[three]], 1],
	])(
		'ends with an error where its pattern cannot be checked: %s',
		async (_, filters, first, offset) => {
			const lost = rejected(500);
			const result = await scripted([...first, lost], { offset }, { ...all, filters });
			expect(result).toMatchObject({ rows: [], failure: lost.failure, position: { offset } });
		},
	);
});

describe('a search for all tickets', () => {
	it('is read by offset where only the service knows the order', async () => {
		const { reader } = scriptedReader([
			[[ticket(1), ticket(2)], true],
			[[ticket(2), ticket(3)], false],
		]);
		const query: Query = { filters: {}, sort: [{ column: 'title', direction: 'asc' }], select: [] };
		const { note, rows } = await readTickets(
			query,
			{ offset: 0, pageSize: 2, parallelRequests: 1, spelling: 'formal', timeoutMs: 1 },
			{ client: reader.client },
		);
		expect(rows).toHaveLength(3);
		expect(note).toBe(
			'3 tickets, 2 requests, read by offset (only the service knows this sort order)',
		);
	});

	it('is read by offset where nothing says where empty values belong', async () => {
		const rows = [ticket(1, { closedAt: null }), ticket(2, { closedAt: '2026-01-01T00:00:00Z' })];
		const { reader, asked } = scriptedReader([[rows], [[]], [rows]]);
		const { note } = await readTickets(
			{ filters: {}, sort: [{ column: 'closedAt', direction: 'asc' }], select: [] },
			{ offset: 0, pageSize: 5, parallelRequests: 1, spelling: 'formal', timeoutMs: 1 },
			{ client: reader.client },
		);
		expect(note).toContain(', read by offset (only the service knows this sort order)');
		expect(asked).toHaveLength(3);
	});
});
