import { createClient } from '../../../../src/core/client';
import type { Column } from '../../../../src/tickets/columns';
import type { SortRule } from '../../../../src/tickets/search/query';
import type { DialectCache, ReadSettings } from '../../../../src/tickets/search/readTickets';
import { readTickets } from '../../../../src/tickets/search/readTickets';
import type { Script } from '../../../support/fakeRuntime';
import { fakeRuntime, reply } from '../../../support/fakeRuntime';
import { members } from '../../../support/samples';
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
		expect(note).toBe('150 tickets, 5 requests, read by offset, 1 shifted page read again');
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
