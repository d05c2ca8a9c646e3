import { createPace } from '../../../src/core/pace';
import { readByNumber } from '../../../src/tickets/readers/byNumber';
import { formal } from '../../../src/tickets/spelling';
import type { Script } from '../../support/fakeWorld';
import { fakeWorld, reply } from '../../support/fakeWorld';
import { listOf, members } from '../../support/samples';

interface Asked {
	readonly gte?: number;
	readonly lte?: number;
	readonly notIn: readonly unknown[];
	readonly descending: boolean;
}

const asked = (body: unknown): Asked => {
	const filters = members(members(body)['filters']);
	return {
		...members(filters['ticketNumber']),
		notIn: listOf(filters['id'], 'notIn'),
		descending: members(listOf(body, 'sort')[0])['direction'] === 'desc',
	};
};

const ticket = (n: number, id = `t${n}`) => ({ id, ticketNumber: n });
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
const page = (data: readonly unknown[], hasNextPage = false) =>
	reply(200, { data, metadata: { hasNextPage } });

/** A service of these tickets, in pages of three. */
const serving =
	(rows: ReadonlyArray<ReturnType<typeof ticket>>): Script =>
	({ body }) => {
		const { gte = -Infinity, lte = Infinity, notIn, descending } = asked(body);
		const found = rows
			.filter(({ ticketNumber: n, id }) => n >= gte && n <= lte && !notIn.includes(id))
			.sort((a, b) => (a.ticketNumber - b.ticketNumber) * (descending ? -1 : 1));
		return page(found.slice(0, 3), found.length > 3);
	};

const means = {
	pageSize: 3,
	findSpelling: false,
	spelling: formal,
	timeout: 1_000,
	requests: 0,
};

async function read(script: Script, parallel = 1) {
	const { sent, desk } = fakeWorld(script, { latency: 10 });
	const reading = await readByNumber(
		{ filters: {}, sort: [], select: [] },
		{
			...means,
			client: desk().client,
			pace: createPace({ start: parallel, most: parallel }),
		},
	);
	const ids = 'rows' in reading ? reading.rows.map(({ id }) => id) : undefined;
	return { reading, ids, asked: sent.map(({ body }) => asked(body)) };
}

describe('tickets that cannot be read by number', () => {
	it.each<[string, Script, string]>([
		['it is refused', () => reply(400), 'the service refused it'],
		[
			'numbers are left out',
			() => page([ticket(1), { id: 'x' }]),
			'the service left out ticket numbers or IDs',
		],
		[
			'IDs are left out',
			() => page([{ ticketNumber: 1 }]),
			'the service left out ticket numbers or IDs',
		],
		[
			'they are not in order',
			() => page([ticket(2), ticket(1)]),
			'the service did not sort by ticket number',
		],
		[
			'the direction is ignored, so that the highest page is the lowest once more',
			(sent, number) =>
				serving(upTo(9).map((n) => ticket(n)))(
					{ ...sent, body: { ...members(sent.body), sort: [] } },
					number,
				),
			'the service did not sort by ticket number',
		],
		[
			'numbers are left out of the highest page',
			({ body }) =>
				page(asked(body).descending ? [{ id: 'x' }] : [ticket(1), ticket(2), ticket(3)], true),
			'the service left out ticket numbers or IDs',
		],
		[
			'the bounds are ignored',
			({ body }) =>
				asked(body).descending
					? page([ticket(9), ticket(8), ticket(7)], true)
					: page([ticket(1), ticket(2), ticket(3)], true),
			'the service did not keep to the bounds of a page',
		],
	])('are not, and it says why, where %s', async (_, script, unfit) => {
		expect((await read(script)).reading).toEqual({ unfit });
	});
});

describe('tickets read by number', () => {
	it.each([0, 1, 2, 3])('take one request where %i fit one page', async (count) => {
		const { ids, asked: requests } = await read(serving(upTo(count).map((n) => ticket(n))));
		expect(ids).toEqual(upTo(count).map((n) => `t${n}`));
		expect(requests).toHaveLength(1);
	});

	it.each([4, 5, 6, 7, 8, 20])('are all %i, each once, in order', async (count) => {
		for (const parallel of [1, 4]) {
			const { ids } = await read(serving(upTo(count).map((n) => ticket(n))), parallel);
			expect(ids).toEqual(upTo(count).map((n) => `t${n}`));
		}
	});

	it('may have numbers below zero', async () => {
		const rows = upTo(20).map((n) => ticket(n - 15));
		for (const parallel of [1, 4])
			expect((await read(serving(rows), parallel)).ids).toEqual(rows.map(({ id }) => id));
	});

	it('are not shared among more readers than they are worth, however far apart their numbers', async () => {
		const rows = upTo(9).map((n) => ticket(n * 100_000));
		const { ids, asked: requests } = await read(serving(rows), 4);
		expect(ids).toEqual(rows.map(({ id }) => id));
		expect(requests.length).toBeLessThanOrEqual(5);
	});

	it('are shared at once where there are many between', async () => {
		const { sent, desk } = fakeWorld(serving(upTo(60).map((n) => ticket(n))), { latency: 10 });
		const pace = createPace({ start: 4, most: 4 });
		await readByNumber(
			{ filters: {}, sort: [], select: [] },
			{ ...means, client: desk().client, pace },
		);
		expect(sent.slice(2, 6).map(({ body }) => asked(body).gte)).toEqual([3, 31, 17, 45]);
		expect(new Set(sent.slice(2, 6).map(({ at }) => at)).size).toBe(1);
	});

	it('take two requests where the lowest and the highest page hold all', async () => {
		const { asked: requests } = await read(serving(upTo(4).map((n) => ticket(n))));
		expect(requests).toEqual([
			{ notIn: [], descending: false },
			{ notIn: [], descending: true },
		]);
	});

	it('ask between the lowest and the highest page for what lies between, ends included', async () => {
		const { asked: requests } = await read(serving(upTo(9).map((n) => ticket(n))));
		expect(requests[2]).toEqual({ gte: 3, lte: 7, notIn: [], descending: false });
	});

	it('may share one number', async () => {
		const rows = upTo(20).map((n) => ticket(7, `t${n}`));
		const { ids } = await read(serving(rows), 4);
		expect(new Set(ids)).toEqual(new Set(rows.map(({ id }) => id)));
		expect(ids).toHaveLength(20);
	});

	it('are those of the lowest page where all others went meanwhile', async () => {
		const { ids } = await read(({ body }) =>
			asked(body).descending ? page([]) : page([ticket(1), ticket(2)], true),
		);
		expect(ids).toEqual(['t1', 't2']);
	});

	it('end where the lowest page is empty, whatever it says about a next one', async () => {
		const { ids, asked: requests } = await read(() => page([], true));
		expect(ids).toEqual([]);
		expect(requests).toHaveLength(1);
	});
});

describe('a reading by number that fails', () => {
	const rows = upTo(30).map((n) => ticket(n));
	const failingAt =
		(fails: (ask: Asked) => boolean): Script =>
		(sent, number) =>
			fails(asked(sent.body)) ? reply(403) : serving(rows)(sent, number);

	it('at once has no tickets', async () => {
		expect((await read(() => reply(403))).reading).toMatchObject({
			rows: [],
			failure: { kind: 'api', status: 403 },
		});
	});

	it('at the highest page keeps those of the lowest', async () => {
		const { ids, reading } = await read(failingAt(({ descending }) => descending));
		expect(ids).toEqual(['t1', 't2', 't3']);
		expect(reading).toMatchObject({ failure: { kind: 'api', status: 403 } });
	});

	it('between them keeps what it read, and says from which number on tickets are missing', async () => {
		const { ids, reading, asked: requests } = await read(failingAt(({ gte = 0 }) => gte > 8));
		expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 28, 29, 30].map((n) => `t${n}`));
		expect(reading).toMatchObject({
			failure: { kind: 'api', status: 403 },
			position: { ticketNumber: 9 },
		});
		expect(requests.at(-1)).toMatchObject({ gte: 9 });
	});

	it('with one of several readers says the lowest number from which on tickets are missing', async () => {
		const fails = ({ gte = 0 }: Asked) => gte > 12;
		const { ids = [], reading } = await read(failingAt(fails), 4);
		const from = Number(members('position' in reading && reading.position)['ticketNumber']);
		expect(ids.slice(0, from)).toEqual(upTo(from).map((n) => `t${n}`));
		expect(ids).not.toContain(`t${from + 1}`);
		expect(ids).toEqual([...new Set(ids)]);
	});

	it('asks for nothing more after its failure', async () => {
		const { asked: requests } = await read(failingAt(({ gte = 0 }) => gte >= 3));
		expect(requests).toHaveLength(3);
	});
});
