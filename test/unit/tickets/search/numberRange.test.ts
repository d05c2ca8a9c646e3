import type { NumberRange } from '../../../../src/tickets/search/readRanges';
import {
	identityOf,
	createRange,
	rowsLeft,
	splitRange,
	addPage,
} from '../../../../src/tickets/search/readRanges';

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
