import { createAdaptiveConcurrency } from '../../../../src/core/adaptiveConcurrency';
import type { SortRule } from '../../../../src/tickets/search/query';
import type { OffsetRange } from '../../../../src/tickets/search/readByOffset';
import { readByOffset } from '../../../../src/tickets/search/readByOffset';
import type { Script } from '../../../support/fakeRuntime';
import { fakeRuntime, reply } from '../../../support/fakeRuntime';
import { pageReader } from '../../../support/pageReader';
import { page, pageOf, pagination, ticket, upTo } from '../../../support/tickets';

const titled = (n: number, title = 'a') => ticket(n, { title });

/** A service of these tickets; `before` changes them right before the reply with that number. */
const serving =
	(rows: Array<ReturnType<typeof titled>>, before: Record<number, () => void> = {}): Script =>
	({ body }, number) => {
		before[number]?.();
		return page(...pageOf(rows, body));
	};

async function read(
	script: Script,
	span: Partial<OffsetRange> = {},
	{
		pageSize = 3,
		parallel = 1,
		latency = 0,
		sort = [{ column: 'title', direction: 'asc' }] as readonly SortRule[],
	} = {},
) {
	const { sent, context, runtime } = fakeRuntime(script, { latency });
	const startMs = runtime.now();
	const reading = await readByOffset(
		{ filters: {}, sort, select: [] },
		{ offset: 0, ...span },
		pageReader(context().client, {
			concurrency: createAdaptiveConcurrency({ start: Math.min(8, parallel), max: parallel }),
			pageSize,
		}),
	);
	return {
		...reading,
		numbers: reading.rows.map((row) => row['ticketNumber']),
		pages: sent.map(({ body }) => pagination(body)),
		tookMs: runtime.now() - startMs,
	};
}

describe('pages by offset', () => {
	it('begin with the last row of the page before', async () => {
		const { pages, numbers, shifts, repeated } = await read(serving(upTo(6).map((n) => titled(n))));
		expect(pages).toEqual([
			{ limit: 3, offset: 0 },
			{ limit: 3, offset: 2 },
			{ limit: 3, offset: 4 },
		]);
		expect(numbers).toEqual(upTo(6));
		expect({ shifts, repeated }).toEqual({ shifts: 0, repeated: 0 });
	});

	it('have two rows at least, so they lead on, and as many as the service gives at most', async () => {
		const rows = upTo(250).map((n) => titled(n));
		expect((await read(serving(rows), {}, { pageSize: 1 })).pages.slice(0, 3)).toEqual([
			{ limit: 1, offset: 0 },
			{ limit: 2, offset: 0 },
			{ limit: 2, offset: 1 },
		]);
		expect((await read(serving(rows), {}, { pageSize: 100 })).pages).toEqual([
			{ limit: 100, offset: 0 },
			{ limit: 100, offset: 99 },
			{ limit: 100, offset: 198 },
		]);
	});

	it('ask for no more than is wanted', async () => {
		const rows = upTo(9).map((n) => titled(n));
		const { pages, numbers } = await read(serving(rows), { limit: 4, offset: 2 });
		expect(numbers).toEqual([3, 4, 5, 6]);
		expect(pages).toEqual([
			{ limit: 3, offset: 2 },
			{ limit: 2, offset: 4 },
		]);
	});

	it('are read again further back where a row went, and none is missed', async () => {
		const rows = upTo(9).map((n) => titled(n));
		const { pages, numbers, shifts, repeated } = await read(
			serving(rows, { 3: () => rows.splice(0, 1) }),
		);
		expect(numbers).toEqual(upTo(9));
		expect(pages.slice(2, 4)).toEqual([
			{ limit: 3, offset: 4 },
			{ limit: 3, offset: 0 },
		]);
		expect({ shifts, repeated }).toEqual({ shifts: 1, repeated: 0 });
	});

	it('never go back behind where they began', async () => {
		const rows = upTo(9).map((n) => titled(n));
		const { pages, shifts } = await read(serving(rows, { 2: () => rows.splice(4, 1) }), {
			offset: 2,
		});
		expect(shifts).toBe(1);
		expect(Math.min(...pages.map(({ offset }) => offset))).toBe(2);
	});

	it('are read again, but once, where the row that they begin with was changed in its place', async () => {
		const rows = upTo(5).map((n) => titled(n));
		const moved = { 2: () => rows.splice(2, 1, titled(3, 'b')) };
		expect(await read(serving(rows, moved))).toMatchObject({ numbers: upTo(5), shifts: 1 });
	});

	it('drop a row that comes a second time, and count it', async () => {
		const rows = upTo(6).map((n) => titled(n));
		const reading = await read(serving(rows, { 2: () => rows.splice(1, 0, titled(99)) }));
		expect(reading).toMatchObject({ numbers: upTo(6), shifts: 0, repeated: 1 });
	});

	it('keep what came before a failure, and say where to go on', async () => {
		const rows = upTo(9).map((n) => titled(n));
		const script = serving(rows);
		const reading = await read(
			(sent, number) => (number === 3 ? reply(403) : script(sent, number)),
			{ offset: 1 },
		);
		expect(reading).toMatchObject({
			numbers: [2, 3, 4, 5, 6],
			shifts: 0,
			repeated: 0,
			position: { offset: 6 },
			failure: { kind: 'api', status: 403 },
		});
	});

	it('go on behind empty ones, to the end that the service names', async () => {
		const { numbers, failure } = await read((_, number) =>
			number === 1
				? page(
						upTo(3).map((n) => titled(n)),
						true,
					)
				: number < 40
					? page([], true)
					: page([titled(7)], false),
		);
		expect(failure).toBeUndefined();
		expect(numbers).toEqual([1, 2, 3, 7]);
	});

	it('fail, and not in silence, where nothing new comes and no end is named', async () => {
		for (const last of [[], [titled(3)]]) {
			const { pages, numbers, failure } = await read((_, number) =>
				page(number === 1 ? upTo(3).map((n) => titled(n)) : last, true),
			);
			expect(failure).toMatchObject({ kind: 'contract' });
			expect(numbers).toEqual([1, 2, 3]);
			expect(pages.length).toBeLessThanOrEqual(53);
		}
	});

	it('tell tickets without an ID apart by number, and say where that is not enough', async () => {
		const nameless = (n: number) => ({ ticketNumber: n, title: 'a' });
		const all = upTo(8).map(nameless);
		const serving8: Script = ({ body }) => page(...pageOf(all, body));
		expect(await read(serving8)).toMatchObject({ numbers: upTo(8), repeated: 0 });
		all[4] = nameless(4);
		expect((await read(serving8)).failure).toMatchObject({
			message: expect.stringContaining('cannot tell them apart'),
		});
	});
});

describe('pages that are read again', () => {
	it('leave all open where reading stops on the way back, for rows may have moved past any position', async () => {
		const rows = upTo(9).map((n) => titled(n));
		const script = serving(rows, { 3: () => rows.splice(0, 1) });
		const { numbers, position, shifts, pages } = await read(
			(sent, number) => (number === 4 ? reply(403) : script(sent, number)),
			{ offset: 1 },
		);
		expect(pages.map(({ offset }) => offset)).toEqual([1, 3, 5, 1]);
		expect({ numbers, position, shifts }).toEqual({
			numbers: [],
			position: { offset: 1 },
			shifts: 1,
		});
	});

	it('begin further and further back, by half a page at most', async () => {
		const { pages } = await read(
			({ body }, number) => {
				const { limit, offset } = pagination(body);
				const first = number < 7 ? offset : 1_000 * number + offset;
				return page(
					upTo(limit).map((n) => titled(first + n)),
					number < 12,
				);
			},
			{},
			{ pageSize: 8 },
		);
		expect(pages.slice(0, 12).map(({ offset }) => offset)).toEqual([
			0, 7, 14, 21, 28, 35, 42, 32, 20, 8, 0, 4,
		]);
	});

	it('are those from rows on that are given, where none of them stands in its place', async () => {
		const rows = upTo(9).map((n) => titled(n));
		const before = rows.slice(0, 4);
		const same = await read(serving(rows), { before });
		expect(same.pages[0]).toEqual({ limit: 3, offset: 3 });
		expect(same).toMatchObject({ numbers: upTo(9), shifts: 0 });
		const went = await read(serving(rows.slice(2)), { before });
		expect(went).toMatchObject({ numbers: upTo(9), shifts: 1 });
	});

	it('are those that begin with a row of which any column of the sort changed', async () => {
		const both = (n: number, priority = 'low') => ticket(n, { title: 'a', priority });
		const sort: SortRule[] = [
			{ column: 'title', direction: 'asc' },
			{ column: 'priority', direction: 'asc' },
		];
		const rows = upTo(5).map((n) => both(n));
		const script: Script = ({ body }, number) => {
			if (number === 2) rows.splice(2, 1, both(3, 'high'));
			return page(...pageOf(rows, body));
		};
		expect(await read(script, {}, { sort })).toMatchObject({ numbers: upTo(5), shifts: 1 });
	});
});

describe('rows that are hidden after a page was cut', () => {
	/** A service that hides these of its tickets. */
	const hiding =
		(hidden: readonly number[], count = 300): Script =>
		({ body }) => {
			const [rows, hasNextPage] = pageOf(
				upTo(count).map((n) => titled(n)),
				body,
			);
			return page(
				rows.filter(({ ticketNumber }) => !hidden.includes(Number(ticketNumber))),
				hasNextPage,
			);
		};
	const range = (from: number, to: number) => upTo(to - from + 1).map((n) => n + from - 1);

	it('are passed over by pages that become larger, until one leads on', async () => {
		const { numbers, pages, shifts } = await read(
			hiding([5]),
			{ offset: 3, limit: 2 },
			{ pageSize: 2 },
		);
		expect(numbers).toEqual([4, 6]);
		expect(pages).toEqual([
			{ limit: 2, offset: 3 },
			{ limit: 2, offset: 3 },
			{ limit: 4, offset: 3 },
		]);
		expect(shifts).toBe(0);
		const more = await read(hiding(range(5, 20)), { offset: 3, limit: 4 }, { pageSize: 2 });
		expect(more.numbers).toEqual([4, 21, 22, 23]);
		expect(more.pages.map(({ limit }) => limit)).toEqual([2, 2, 4, 8, 16, 32]);
	});

	it('are passed over also where the largest page has nothing else', async () => {
		const { numbers, failure, pages } = await read(
			hiding(range(5, 104)),
			{ offset: 3, limit: 3 },
			{ pageSize: 2 },
		);
		expect(failure).toBeUndefined();
		expect(numbers).toEqual([4, 105, 106]);
		expect(pages.length).toBeLessThan(30);
	});
});

describe('reading by offset', () => {
	const rows = upTo(9).map((n) => titled(n));

	it('hands out no more than is wanted, whatever a page holds', async () => {
		expect((await read(() => page(rows, true), { limit: 2 })).numbers).toEqual([1, 2]);
		const { numbers } = await read((_, n) => page(n === 1 ? rows.slice(0, 3) : rows, true), {
			limit: 5,
		});
		expect(numbers).toEqual(upTo(5));
	});

	it('stops where what came is enough, and says so', async () => {
		const isEnough = (found: readonly object[]) => found.length >= 4;
		const { numbers, isPartial, pages } = await read(serving(rows), { isEnough });
		expect({ numbers, isPartial }).toEqual({ numbers: upTo(5), isPartial: true });
		expect(pages).toHaveLength(2);
		const all = await read(serving(rows), { isEnough: () => false });
		expect(all.numbers).toEqual(upTo(9));
		expect(all).not.toHaveProperty('isPartial');
		const last = await read(serving(rows.slice(0, 3)), { isEnough: () => true });
		expect(last).not.toHaveProperty('isPartial');
	});

	it('does not stop before it came back to where it was', async () => {
		const moving = [...rows];
		const script = serving(moving, { 3: () => moving.splice(0, 1) });
		let isAsked = false;
		const { numbers } = await read(
			(sent, number) => {
				isAsked = number >= 4;
				return script(sent, number);
			},
			{ isEnough: () => isAsked },
		);
		expect(numbers).toEqual(upTo(6));
	});

	it('tells rows apart by all that they have where there is no number, either', async () => {
		const texts = ['a', 'b', 'c', 'd'].map((title) => ({ title }));
		const { rows: found } = await read(({ body }) => page(...pageOf(texts, body)));
		expect(found).toEqual(texts);
		const twins = await read(() => page([{ title: 'a' }, { title: 'b' }, { title: 'a' }]));
		expect(twins.failure?.message).toMatch(/^The service returned tickets without an ID/);
	});

	it('does not mistake tickets with an ID for one, and takes null for none', async () => {
		const same = { id: 'a', ticketNumber: 1 };
		expect((await read(() => page([same, { ...same, id: 'b' }, same]))).failure).toBeUndefined();
		const none = { id: null, ticketNumber: 1 };
		expect((await read(() => page([none, none]))).failure).toBeDefined();
	});
});

describe('pages that are asked for ahead', () => {
	const all = (count = 5_000) => upTo(count).map((n) => titled(n));
	const fast = { pageSize: 100, parallel: 20, latency: 20 };

	it('come six times as fast as one after another, and no more of them than are needed', async () => {
		const { numbers, pages, tookMs } = await read(serving(all()), { limit: 5_000 }, fast);
		expect(numbers).toEqual(upTo(5_000));
		expect(pages).toHaveLength(51);
		expect(tookMs).toBeLessThanOrEqual((51 * 20) / 6);
	});

	it('go hardly beyond an end that is not known', async () => {
		for (const count of [150, 1_000, 5_000]) {
			const { numbers, pages } = await read(serving(all(count)), {}, fast);
			expect(numbers).toEqual(upTo(count));
			expect(pages.length).toBeLessThanOrEqual(Math.ceil(count / 99) + 20);
		}
		expect((await read(serving(all(90)), {}, fast)).pages).toHaveLength(1);
	});

	it('are not read again where others shifted', async () => {
		const rows = all();
		const { numbers, pages, shifts } = await read(
			serving(rows, { 25: () => rows.splice(100, 1) }),
			{},
			fast,
		);
		expect(numbers).toEqual(upTo(5_000));
		expect(shifts).toBe(1);
		expect(pages.length).toBeLessThanOrEqual(51 + 20 + 4);
	});

	it('are fewer where a page holds fewer than were asked for', async () => {
		const rows = all(1_000);
		const capped: Script = ({ body }) => {
			const { limit, offset } = pagination(body);
			const end = offset + Math.min(limit, 30);
			return page(rows.slice(offset, end), end < rows.length);
		};
		const { numbers, pages } = await read(capped, {}, fast);
		expect(numbers).toEqual(upTo(1_000));
		expect(pages.length).toBeLessThanOrEqual(Math.ceil(1_000 / 29) + 20);
	});
});

describe('pages that lead to no end', () => {
	const endless = {
		kind: 'contract',
		call: 'POST /tickets/search',
		status: 200,
		message:
			'The pages repeat or keep shifting, and the end cannot be reached. Set Page Size to 100 if it is smaller',
	};

	it('because they repeat themselves are given up after 50, with the rows so far', async () => {
		const { numbers, failure, pages, position } = await read(() =>
			page(
				upTo(3).map((n) => titled(n)),
				true,
			),
		);
		expect(numbers).toEqual([1, 2, 3]);
		expect(failure).toEqual(endless);
		expect(pages).toHaveLength(1 + 51);
		expect(position).toEqual({ offset: 3 + 51 * 2 });
	});

	it('because they keep shifting are given up after 1,000', async () => {
		const { failure, shifts, pages } = await read((_, number) =>
			page(
				upTo(3).map((n) => titled(3 * number + n)),
				true,
			),
		);
		expect(failure).toEqual(endless);
		expect(shifts).toBe(1_001);
		expect(pages.length).toBeLessThan(2_010);
	});

	it('are not those that go on after a while', async () => {
		const script: Script = ({ body }, number) =>
			number < 50
				? page(
						upTo(3).map((n) => titled(n)),
						true,
					)
				: page([titled(3), titled(number), titled(1_000 + number)], pagination(body).offset < 600);
		const { failure, numbers } = await read(script);
		expect(failure).toBeUndefined();
		expect(numbers.length).toBeGreaterThan(50);
	});
});
