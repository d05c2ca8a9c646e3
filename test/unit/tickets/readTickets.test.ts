import { createClient } from '../../../src/core/client';
import type { Column } from '../../../src/tickets/columns';
import type { SortRule } from '../../../src/tickets/query';
import type { Found, Wanted } from '../../../src/tickets/readTickets';
import { readTickets } from '../../../src/tickets/readTickets';
import type { Script } from '../../support/fakeWorld';
import { fakeWorld, reply } from '../../support/fakeWorld';
import { listOf, members } from '../../support/samples';

const ticket = (n: number) => ({
	id: `t${n}`,
	ticketNumber: n,
	title: `Ticket ${n}`,
	priority: n % 2 ? 'low' : 'high',
});
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

/** A service of so many tickets, which sorts by number and sees to bounds. */
const holding =
	(count: number): Script =>
	({ body }) => {
		const { gte = -Infinity, lte = Infinity } = members(
			members(members(body)['filters'])['ticketNumber'],
		);
		const rows = upTo(count)
			.filter((n) => n >= Number(gte) && n <= Number(lte))
			.map(ticket);
		if (members(listOf(body, 'sort')[0])['direction'] === 'desc') rows.reverse();
		const { limit, offset } = members(members(body)['pagination']);
		const end = Number(offset) + Number(limit);
		const data = rows.slice(Number(offset), end);
		return reply(200, { data, metadata: { hasNextPage: end < rows.length } });
	};

interface Asked {
	readonly sort?: readonly SortRule[];
	readonly select?: readonly Column[];
	readonly wanted?: Partial<Wanted>;
	readonly found?: Found;
}

async function read(script: Script, { sort = [], select = [], wanted, found }: Asked = {}) {
	const { sent, desk } = fakeWorld(script);
	const all: Wanted = {
		offset: 0,
		pageSize: 100,
		parallelRequests: 4,
		spelling: 'auto',
		timeout: 1_000,
	};
	const { client } = desk();
	const reading = await readTickets(
		{ filters: {}, sort, select },
		{ ...all, ...wanted },
		{ client, ...(found && { found }) },
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
		[300, { wanted: { offset: 200 } }, '100 tickets, 1 request, read by offset'],
		[1, {}, '1 ticket, 1 request, read by ticket number'],
		[150, {}, '150 tickets, 2 requests, read by ticket number'],
		[
			1_200,
			{ sort: [byTitle] },
			'1,200 tickets, 13 requests, read by offset (the order of this sort is known to the service only)',
		],
	])('of %i tickets with %j says which way was taken: %s', async (count, asked, note) => {
		expect((await read(holding(count), asked)).note).toBe(note);
	});

	it('says why tickets could not be read by number, and they are read all the same', async () => {
		const script = holding(3);
		const { note, rows } = await read((sent, number) =>
			number === 1 ? reply(400, { message: 'no' }) : script(sent, number),
		);
		expect(note).toBe(
			'3 tickets, 2 requests, read by offset (by ticket number: the service refused it)',
		);
		expect(rows).toEqual([1, 2, 3].map(ticket));
	});

	it('counts the pages that were read again', async () => {
		const script = holding(150);
		const { note } = await read(
			(sent, number) =>
				number === 2
					? reply(200, { data: [ticket(140), ticket(141)], metadata: { hasNextPage: true } })
					: script(sent, number),
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
		expect(rows).toEqual([ticket(1), ticket(2)]);
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
	const found: Found = {};
	const script = holding(3);
	const listOnly: Script = (sent, number) =>
		Array.isArray(members(sent.body)['select'])
			? script(sent, number)
			: reply(400, { message: 'select is wrong' });
	const asked: Asked = { select: ['title'], wanted: { limit: 3 }, found };
	expect((await read(listOnly, asked)).bodies).toHaveLength(2);
	expect(found).toEqual({ spelling: { sort: 'field', select: 'list' } });
	expect((await read(listOnly, asked)).bodies).toHaveLength(1);
	const fixed = await read(script, { ...asked, wanted: { limit: 3, spelling: 'formal' } });
	expect(fixed.bodies[0]?.['select']).toEqual({ title: true });
});

it('has as many requests under way as it may, and no more', async () => {
	const most = async (parallelRequests: number): Promise<number> => {
		let [under, highest] = [0, 0];
		const script = holding(2_000);
		const { world } = fakeWorld(script);
		const client = createClient({
			...world,
			send: async (request) => {
				under += 1;
				highest = Math.max(highest, under);
				for (let turn = 0; turn < 20; turn++) await Promise.resolve();
				under -= 1;
				return await world.send(request);
			},
		});
		const wanted: Wanted = {
			offset: 0,
			pageSize: 20,
			parallelRequests,
			spelling: 'formal',
			timeout: 1_000,
		};
		const { rows } = await readTickets({ filters: {}, sort: [], select: [] }, wanted, { client });
		expect(rows).toHaveLength(2_000);
		return highest;
	};
	expect(await most(1)).toBe(1);
	expect(await most(3)).toBe(3);
	expect(await most(8)).toBe(8);
});
