import type { AdaptiveConcurrency } from '../../../../src/core/adaptiveConcurrency';
import type { CallError, Client } from '../../../../src/core/client';
import type { Request } from '../../../../src/core/http';
import { fail, ok } from '../../../../src/core/result';
import type { PageReader } from '../../../../src/tickets/search/fetchPage';
import type { Query } from '../../../../src/tickets/search/query';
import { ENDLESS } from '../../../../src/tickets/search/query';
import type { NumberRange } from '../../../../src/tickets/search/readRanges';
import {
	identityOf,
	createRange,
	rowsLeft,
	splitRange,
	addPage,
	readRanges,
} from '../../../../src/tickets/search/readRanges';
import type { Page } from '../../../../src/tickets/ticket';
import { macrotask } from '../../../support/macrotask.mjs';
import { members } from '../../../support/samples';
import { scriptedReader } from '../../../support/pageReader';
import { ticket, upTo } from '../../../support/tickets';

type Row = readonly [number: number, id: string];
const rowsOf = (rows: readonly Row[]) => rows.map(([ticketNumber, id]) => ({ id, ticketNumber }));
const take = (range: NumberRange, rows: readonly Row[], hasNextPage = true) =>
	addPage(range, { data: rowsOf(rows), metadata: { hasNextPage } });
const idsOf = (range: NumberRange) => range.rows.map(({ id }) => id);

describe('a page of a range', () => {
	it('is taken without what is known at either end', () => {
		const range = createRange({ from: 3, to: 5, idsAtStart: ['a'], idsAtEnd: ['z'] });
		const rows: Row[] = [
			[3, 'a'],
			[3, 'b'],
			[4, 'c'],
			[5, 'z'],
			[5, 'y'],
		];
		expect(take(range, rows, false)).toBe('read');
		expect(idsOf(range)).toEqual(['b', 'c', 'y']);
	});

	it('drops at the next page what this one ended with', () => {
		const range = createRange({ from: 1, to: 9 });
		take(range, [
			[1, 'a'],
			[2, 'b'],
			[2, 'c'],
		]);
		expect(range).toMatchObject({ cursor: 2, isStuck: false });
		take(range, [
			[2, 'b'],
			[2, 'c'],
			[2, 'd'],
			[3, 'e'],
		]);
		expect(range.cursor).toBe(3);
		expect(idsOf(range)).toEqual(['a', 'b', 'c', 'd', 'e']);
	});

	it('drops only what is known at its own number: IDs at the end say nothing about others', () => {
		const range = createRange({ from: 1, to: 9, idsAtStart: ['a'], idsAtEnd: ['b'] });
		take(range, [
			[2, 'a'],
			[3, 'b'],
		]);
		expect(idsOf(range)).toEqual(['a', 'b']);
	});

	it('says that the range is read where no page follows, empty or not', () => {
		expect(take(createRange({ from: 1, to: 9 }), [[1, 'a']], false)).toBe('read');
		expect(take(createRange({ from: 1, to: 9 }), [], false)).toBe('read');
		expect(take(createRange({ from: 1, to: 9 }), [], true)).toBe('more');
		expect(take(createRange({ from: 1, to: 9 }), [[9, 'a']], true)).toBe('more');
	});

	it('ends at what lies behind the end, and leaves that to another reader', () => {
		const range = createRange({ from: 1, to: 5 });
		expect(
			take(range, [
				[5, 'a'],
				[6, 'b'],
				[5, 'c'],
			]),
		).toBe('read');
		expect(idsOf(range)).toEqual(['a']);
	});

	it('skips rows without a number or an ID', () => {
		const range = createRange({ from: 1, to: 5 });
		const data = [{ id: 'x' }, { ticketNumber: 2 }, { ticketNumber: 3, id: 'a' }];
		expect(addPage(range, { data, metadata: { hasNextPage: true } })).toBe('more');
		expect(idsOf(range)).toEqual(['a']);
	});

	it('shows that the service does not keep to the bounds by a number below them', () => {
		const range = createRange({ from: 3, to: 9 });
		expect(
			take(range, [
				[3, 'a'],
				[2, 'b'],
			]),
		).toBe('unbound');
		expect(idsOf(range)).toEqual([]);
	});

	it('may hold one number only, as long as it brings something new', () => {
		const range = createRange({ from: 3, to: 9 });
		expect(
			take(range, [
				[3, 'a'],
				[3, 'b'],
			]),
		).toBe('more');
		expect(range.isStuck).toBe(true);
		expect(take(range, [[3, 'c']])).toBe('more');
		expect(range.isStuck).toBe(true);
		expect(take(range, [[3, 'a']])).toBe('unbound');
		expect(idsOf(range)).toEqual(['a', 'b', 'c']);
	});

	it('may bring nothing new once: known IDs are not left out before', () => {
		const range = createRange({ from: 3, to: 9, idsAtStart: ['a'] });
		expect(take(range, [[3, 'a']])).toBe('more');
		expect(take(range, [[4, 'b']])).toBe('more');
		expect(range.isStuck).toBe(false);
	});
});

it.each([
	[
		{ id: 'a', ticketNumber: 7 },
		{ id: 'a', number: 7 },
	],
	[
		{ id: 'a', ticketNumber: '7' },
		{ id: 'a', number: 7 },
	],
	[{ id: 'a', ticketNumber: 'x' }, undefined],
	[{ id: 7, ticketNumber: 7 }, undefined],
	[{}, undefined],
])('the place of %j is %j', (row, place) => {
	expect(identityOf(row)).toEqual(place);
});

it('is split in the middle of what is not read yet, and the upper half takes the known end along', () => {
	const range = createRange({ from: 0, to: 19, idsAtEnd: ['z'] });
	take(range, [[9, 'a']]);
	const upper = splitRange(range);
	expect(range).toMatchObject({ from: 0, cursor: 9, to: 14, idsAtEnd: new Set() });
	expect(upper).toEqual(createRange({ from: 15, to: 19, idsAtEnd: ['z'] }));
});

describe('the rows that a range still holds', () => {
	it('are as many as it was told before it is read', () => {
		expect(rowsLeft(createRange({ from: 10, to: 30 }), 0.5)).toBe(10);
	});

	it('are as dense as those that it read', () => {
		const range = createRange({ from: 10, to: 30 });
		take(range, [
			[12, 'a'],
			[14, 'b'],
			[20, 'c'],
		]);
		expect(rowsLeft(range, 99)).toBeCloseTo(3);
	});

	it('are as dense as it was told where it read nothing new', () => {
		const known = createRange({ from: 10, to: 30, idsAtEnd: ['z'] });
		take(known, [[30, 'z']]);
		known.cursor = 20;
		expect(rowsLeft(known, 0.5)).toBe(5);
		const begun = createRange({ from: 10, to: 30 });
		take(begun, [[10, 'a']]);
		expect(rowsLeft(begun, 0.5)).toBe(10);
	});
});

describe('a range of which readers share the rest', () => {
	const query: Query = { filters: {}, sort: [], select: [] };
	interface Bounds {
		readonly gte: number;
		readonly lte: number;
	}
	type Answer = (bounds: Bounds, number: number) => Page | CallError;

	/** Reads pages of 3 with so many readers; a round of answers comes before the next one is asked for. */
	async function readAll(
		range: NumberRange,
		answer: Answer,
		{ limit = () => 1, density = 1 }: { limit?: (asked: number) => number; density?: number } = {},
	) {
		const asked: Bounds[] = [];
		let inProgress = 0;
		let most = 0;
		const client = {
			call: async ({ body }: Request) => {
				const filters = members(members(body)['filters']);
				const { gte, lte } = members(filters['ticketNumber']) as unknown as Bounds;
				asked.push({ gte, lte });
				const number = asked.length;
				inProgress += 1;
				most = Math.max(most, inProgress);
				await macrotask();
				inProgress -= 1;
				const came = answer({ gte, lte }, number);
				return 'kind' in came ? fail(came) : ok(came);
			},
		} as unknown as Client;
		const concurrency = { limit: () => limit(asked.length) } as unknown as AdaptiveConcurrency;
		const reader: PageReader = { ...scriptedReader([]).reader, client, concurrency };
		const result = await readRanges(range, density, { query, reader });
		const rows = result.parts.flatMap((part) => part.rows.map((row) => row['ticketNumber']));
		return { ...result, numbers: rows, asked, most };
	}

	/** A service of tickets with these numbers. */
	const serving =
		(numbers: readonly number[]): Answer =>
		({ gte, lte }) => {
			const found = numbers.filter((n) => n >= gte && n <= lte);
			return {
				data: found.slice(0, 3).map((n) => ticket(n)),
				metadata: { hasNextPage: found.length > 3 },
			};
		};
	const refused: CallError = { kind: 'contract', call: '', status: 403, message: 'no' };

	it('is read from page to page by one reader', async () => {
		const range = createRange({ from: 1, to: 7 });
		const { asked, numbers, parts, ...others } = await readAll(range, serving(upTo(7)));
		expect(asked).toEqual([
			{ gte: 1, lte: 7 },
			{ gte: 3, lte: 7 },
			{ gte: 5, lte: 7 },
		]);
		expect(numbers).toEqual(upTo(7));
		expect(parts).toEqual([range]);
		expect(others).toEqual({ keptToBounds: true, most: 1 });
	});

	it('is split for another reader while it has more than two pages', async () => {
		const two = { limit: () => 2 };
		const large = await readAll(createRange({ from: 1, to: 20 }), serving(upTo(20)), two);
		expect(large.asked.slice(0, 4)).toEqual([
			{ gte: 1, lte: 20 },
			{ gte: 11, lte: 20 },
			{ gte: 3, lte: 10 },
			{ gte: 13, lte: 20 },
		]);
		expect(large.numbers).toEqual(upTo(20));
		expect(large.most).toBe(2);
		const small = await readAll(createRange({ from: 1, to: 7 }), serving(upTo(7)), two);
		expect(small.most).toBe(1);
		const eight = await readAll(createRange({ from: 1, to: 8 }), serving(upTo(8)), two);
		expect(eight.most).toBe(2);
		const sparse = { ...two, density: 0.1 };
		const few = await readAll(createRange({ from: 1, to: 61 }), serving([1, 30, 61]), sparse);
		expect(few.most).toBe(1);
	});

	it('is not split more often than pages were filled twice, and ten times', async () => {
		const far = [1, 2, 3, 4, 1e6];
		const { asked, numbers } = await readAll(createRange({ from: 1, to: 1e6 }), serving(far), {
			limit: () => 50,
		});
		expect(numbers).toEqual(far);
		expect(asked.length).toBeGreaterThan(10);
		expect(asked.length).toBeLessThanOrEqual(2 + 2 * 4 + 10);
	});

	it('names the lowest number from which on tickets may be missing after a failure', async () => {
		const both = await readAll(
			createRange({ from: 1, to: 20 }),
			(bounds, number) => (number === 2 ? refused : serving(upTo(20))(bounds, number)),
			{ limit: () => 2 },
		);
		expect(both).toMatchObject({ failure: refused, unreadFrom: 5, keptToBounds: true });
		expect(both.numbers).toEqual([1, 2, 3, 4, 5]);
		// One more page was asked for before the answer came.
		expect(both.asked).toHaveLength(3);
		// The lower half is read to its end.
		const upper = await readAll(
			createRange({ from: 1, to: 20 }),
			(bounds, number) =>
				bounds.gte > 13 ? refused : serving([1, ...upTo(20).slice(10)])(bounds, number),
			{ limit: () => 2 },
		);
		expect(upper).toMatchObject({ failure: refused });
		expect(upper.unreadFrom).toBeGreaterThanOrEqual(13);
		expect(upper.numbers[0]).toBe(1);
	});

	it('cannot be read by a service that does not keep to the bounds', async () => {
		const { keptToBounds, asked, ...others } = await readAll(
			createRange({ from: 5, to: 9 }),
			() => ({ data: [ticket(4)], metadata: { hasNextPage: true } }),
		);
		expect(keptToBounds).toBe(false);
		expect(asked).toHaveLength(1);
		expect(others).not.toHaveProperty('failure');
	});

	it('fails where empty pages have no end', async () => {
		const { failure, asked } = await readAll(createRange({ from: 1, to: 9 }), () => ({
			data: [],
			metadata: { hasNextPage: true },
		}));
		expect(failure).toEqual(ENDLESS);
		expect(asked).toHaveLength(51);
	});

	it('waits where fewer requests may be in progress than were, and is read all the same', async () => {
		const { numbers, asked } = await readAll(createRange({ from: 1, to: 90 }), serving(upTo(90)), {
			limit: (count) => (count < 6 ? 4 : 1),
		});
		expect(numbers).toEqual(upTo(90));
		expect(asked.length).toBeLessThan(60);
	});
});
