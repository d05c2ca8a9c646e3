import { createAdaptiveConcurrency } from '../../../../src/core/adaptiveConcurrency';
import { readByNumber } from '../../../../src/tickets/search/readByNumber';
import type { Script } from '../../../support/fakeRuntime';
import { fakeRuntime, reply } from '../../../support/fakeRuntime';
import { pageReader } from '../../../support/pageReader';
import { listOf, members } from '../../../support/samples';
import type { TicketRow } from '../../../support/tickets';
import { findTickets, searchPage, page, ticket, upTo } from '../../../support/tickets';

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

/** A service of these tickets. */
const serving =
	(rows: readonly TicketRow[]): Script =>
	({ body }) =>
		searchPage(rows, body);

async function read(script: Script, parallel = 1) {
	const { sent, context } = fakeRuntime(script, { latency: 10 });
	const reading = await readByNumber(
		{ filters: {}, sort: [], select: [] },
		pageReader(context().client, {
			concurrency: createAdaptiveConcurrency({ start: parallel, max: parallel }),
		}),
	);
	const ids = 'rows' in reading ? reading.rows.map(({ id }) => id) : undefined;
	return { reading, ids, asked: sent.map(({ body }) => asked(body)) };
}

describe('tickets that cannot be read by number', () => {
	it.each<[string, Script, string]>([
		['it is refused', () => reply(400), 'the service rejected it'],
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
			'the direction is ignored, so the highest page is the lowest once more',
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
		const { sent, context } = fakeRuntime(serving(upTo(60).map((n) => ticket(n))), { latency: 10 });
		const concurrency = createAdaptiveConcurrency({ start: 4, max: 4 });
		await readByNumber(
			{ filters: {}, sort: [], select: [] },
			pageReader(context().client, { concurrency }),
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
		const rows = upTo(20).map((n) => ticket(7, { id: `t${n}` }));
		const { ids } = await read(serving(rows), 4);
		expect(new Set(ids)).toEqual(new Set(rows.map(({ id }) => id)));
		expect(ids).toHaveLength(20);
	});

	it('are those of the lowest page where all others went meanwhile', async () => {
		const { ids, asked: requests } = await read(({ body }) =>
			asked(body).descending ? page([ticket(2), ticket(1)]) : page([ticket(1), ticket(2)], true),
		);
		expect(ids).toEqual(['t1', 't2']);
		expect(requests).toHaveLength(2);
	});

	it.each([
		['an empty highest page', []],
		['a highest page that begins below the end of the lowest one', [ticket(1)]],
		['a ticket between others that only the highest page has', [ticket(2), ticket(1.5), ticket(1)]],
	])('are read from both ends again for %s', async (_, odd) => {
		let times = 0;
		const { ids, asked: requests } = await read(({ body }) => {
			if (!asked(body).descending) return page([ticket(1), ticket(2)], true);
			times += 1;
			return page(times === 1 ? odd : [ticket(2), ticket(1)]);
		});
		expect(ids).toEqual(['t1', 't2']);
		expect(requests).toHaveLength(4);
	});

	it('cannot be read where both ends never fit together', async () => {
		const { reading, asked: requests } = await read(({ body }) =>
			page(asked(body).descending ? [ticket(1)] : [ticket(1), ticket(2)], true),
		);
		expect(reading).toEqual({ unfit: 'the service did not sort by ticket number' });
		expect(requests).toHaveLength(8);
	});

	it('fail, and not in silence, where all pages are empty and no end is named', async () => {
		const { ids, reading, asked: requests } = await read(() => page([], true));
		expect(ids).toEqual([]);
		expect(reading).toMatchObject({ failure: { kind: 'contract' }, position: { offset: 0 } });
		expect(requests).toHaveLength(51);
	});

	it.each([0.2, 0.5, 0.9])(
		'come though the service hides %d of the rows of a page',
		async (share) => {
			const all = upTo(200).map((n) => ticket(n));
			const isShown = ({ ticketNumber }: { ticketNumber: number }) =>
				(ticketNumber * 61) % 100 >= share * 100;
			const hiding: Script = ({ body }) => {
				const [rows, hasNextPage] = findTickets(all, body);
				return page((rows as typeof all).filter(isShown), hasNextPage);
			};
			for (const parallel of [1, 4]) {
				const { ids, reading } = await read(hiding, parallel);
				expect(reading).not.toHaveProperty('failure');
				expect(ids).toEqual(all.filter(isShown).map(({ id }) => id));
			}
		},
	);

	it.each([[[1, 999_850]], [[1, 500_000, 999_850]], [[1, 300, 999_850]]])(
		'in clusters from %j take twice the pages that they fill and twelve requests',
		async (starts) => {
			const rows = starts.flatMap((start) => upTo(150).map((n) => ticket(start + n)));
			const { sent, context } = fakeRuntime(serving(rows), { latency: 10 });
			const concurrency = createAdaptiveConcurrency({ start: 8, max: 20 });
			const reading = await readByNumber(
				{ filters: {}, sort: [], select: [] },
				pageReader(context().client, { pageSize: 100, concurrency }),
			);
			expect('rows' in reading && reading.rows).toHaveLength(rows.length);
			expect(sent.length).toBeLessThanOrEqual(2 * Math.ceil(rows.length / 100) + 12);
		},
	);
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

	it('at the highest page keeps those of the lowest, without what the next search brings again', async () => {
		const { ids, reading } = await read(failingAt(({ descending }) => descending));
		expect(ids).toEqual(['t1', 't2']);
		expect(reading).toMatchObject({
			failure: { kind: 'api', status: 403 },
			position: { ticketNumber: 3 },
		});
	});

	it('between them keeps what comes before the gap, and says from which number on nothing came', async () => {
		const { ids, reading, asked: requests } = await read(failingAt(({ gte = 0 }) => gte > 8));
		expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `t${n}`));
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
		expect(ids).toEqual(upTo(from - 1).map((n) => `t${n}`));
		expect(ids).toEqual([...new Set(ids)]);
	});

	it('asks for nothing more after its failure', async () => {
		const { asked: requests } = await read(failingAt(({ gte = 0 }) => gte >= 3));
		expect(requests).toHaveLength(3);
	});
});
