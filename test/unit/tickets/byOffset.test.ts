import { createPace } from '../../../src/core/pace';
import type { Span } from '../../../src/tickets/readers/byOffset';
import { readByOffset } from '../../../src/tickets/readers/byOffset';
import { formal } from '../../../src/tickets/spelling';
import type { Script } from '../../support/fakeWorld';
import { fakeWorld, reply } from '../../support/fakeWorld';
import { members } from '../../support/samples';

const ticket = (n: number, title = 'a') => ({ id: `t${n}`, ticketNumber: n, title });
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
const page = (data: readonly unknown[], hasNextPage: boolean) =>
	reply(200, { data, metadata: { hasNextPage } });
const pagination = (body: unknown) => {
	const { limit, offset } = members(members(body)['pagination']);
	return { limit: Number(limit), offset: Number(offset) };
};

/** A service of these tickets; `before` changes them right before the reply with that number. */
const serving =
	(rows: Array<ReturnType<typeof ticket>>, before: Record<number, () => void> = {}): Script =>
	({ body }, number) => {
		before[number]?.();
		const { limit, offset } = pagination(body);
		return page(rows.slice(offset, offset + limit), offset + limit < rows.length);
	};

async function read(script: Script, span: Partial<Span> = {}, pageSize = 3) {
	const { sent, desk } = fakeWorld(script);
	const reading = await readByOffset(
		{ filters: {}, sort: [{ column: 'title', direction: 'asc' }], select: [] },
		{ offset: 0, ...span },
		{
			client: desk().client,
			pace: createPace({ start: 1, most: 1 }),
			pageSize,
			findSpelling: false,
			spelling: formal,
			timeout: 1_000,
			requests: 0,
		},
	);
	return {
		...reading,
		numbers: reading.rows.map((row) => row['ticketNumber']),
		pages: sent.map(({ body }) => pagination(body)),
	};
}

describe('pages by offset', () => {
	it('begin with the last row of the page before', async () => {
		const { pages, numbers, shifts, repeated } = await read(serving(upTo(6).map((n) => ticket(n))));
		expect(pages).toEqual([
			{ limit: 3, offset: 0 },
			{ limit: 3, offset: 2 },
			{ limit: 3, offset: 4 },
		]);
		expect(numbers).toEqual(upTo(6));
		expect({ shifts, repeated }).toEqual({ shifts: 0, repeated: 0 });
	});

	it('have two rows at least, so that they lead on, and as many as the service gives at most', async () => {
		const rows = upTo(250).map((n) => ticket(n));
		expect((await read(serving(rows), {}, 1)).pages.slice(0, 3)).toEqual([
			{ limit: 1, offset: 0 },
			{ limit: 2, offset: 0 },
			{ limit: 2, offset: 1 },
		]);
		expect((await read(serving(rows), {}, 100)).pages).toEqual([
			{ limit: 100, offset: 0 },
			{ limit: 100, offset: 99 },
			{ limit: 100, offset: 198 },
		]);
	});

	it('ask for no more than is wanted', async () => {
		const rows = upTo(9).map((n) => ticket(n));
		const { pages, numbers } = await read(serving(rows), { limit: 4, offset: 2 });
		expect(numbers).toEqual([3, 4, 5, 6]);
		expect(pages).toEqual([
			{ limit: 3, offset: 2 },
			{ limit: 2, offset: 4 },
		]);
	});

	it('are read again further back where a row went, and none is missed', async () => {
		const rows = upTo(9).map((n) => ticket(n));
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
		const rows = upTo(9).map((n) => ticket(n));
		const { pages, shifts } = await read(serving(rows, { 2: () => rows.splice(4, 1) }), {
			offset: 2,
		});
		expect(shifts).toBe(1);
		expect(Math.min(...pages.map(({ offset }) => offset))).toBe(2);
	});

	it('are read again, but once, where the row that they begin with was changed in its place', async () => {
		const rows = upTo(5).map((n) => ticket(n));
		const moved = { 2: () => rows.splice(2, 1, ticket(3, 'b')) };
		expect(await read(serving(rows, moved))).toMatchObject({ numbers: upTo(5), shifts: 1 });
	});

	it('drop a row that comes a second time, and count it', async () => {
		const rows = upTo(6).map((n) => ticket(n));
		const reading = await read(serving(rows, { 2: () => rows.splice(1, 0, ticket(99)) }));
		expect(reading).toMatchObject({ numbers: upTo(6), shifts: 0, repeated: 1 });
	});

	it('keep what came before a failure, and say where to go on', async () => {
		const rows = upTo(9).map((n) => ticket(n));
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

	it('end where one is empty, or holds only what the page before ended with', async () => {
		for (const last of [[], [ticket(3)]]) {
			const { pages, numbers, failure } = await read((_, number) =>
				page(number === 1 ? upTo(3).map((n) => ticket(n)) : last, true),
			);
			expect(failure).toBeUndefined();
			expect(numbers).toEqual([1, 2, 3]);
			expect(pages.length).toBeLessThanOrEqual(3);
		}
	});
});

describe('pages that lead to no end', () => {
	const endless = {
		kind: 'contract',
		call: 'POST /tickets/search',
		status: 200,
		message: 'The pages repeat themselves or keep shifting, so that the end cannot be reached',
	};

	it('because they repeat themselves are given up after 50, with the rows so far', async () => {
		const { numbers, failure, pages, position } = await read(() =>
			page(
				upTo(3).map((n) => ticket(n)),
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
				upTo(3).map((n) => ticket(3 * number + n)),
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
						upTo(3).map((n) => ticket(n)),
						true,
					)
				: page([ticket(3), ticket(number), ticket(1_000 + number)], pagination(body).offset < 600);
		const { failure, numbers } = await read(script);
		expect(failure).toBeUndefined();
		expect(numbers.length).toBeGreaterThan(50);
	});
});
