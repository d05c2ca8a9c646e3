import { formatRows } from '../../../src/core/text';

const named = (...positions: number[]) => formatRows(positions, { total: 50, max: 3 });

it('counts rows from 1', () => {
	expect(named(2)).toBe('Row 3');
});

it('names a few rows one by one', () => {
	expect(named(0, 1)).toBe('Rows 1 and 2');
	expect(named(0, 2, 4)).toBe('Rows 1, 3 and 5');
});

it('names rows that follow each other by the first and the last', () => {
	expect(named(1, 2, 3)).toBe('Rows 2 to 4');
	expect(named(0, 4, 5, 6, 8)).toBe('Rows 1, 5 to 7 and 9');
});

it('counts the rows that it does not name', () => {
	expect(named(0, 4, 5, 6, 8, 10, 11, 12)).toBe('Rows 1, 5 to 7, 9 and 3 more');
});

it('says so where it is all of them', () => {
	expect(formatRows([0, 1], { total: 2, max: 3 })).toBe('Both rows');
	expect(formatRows([0], { total: 1, max: 3 })).toBe('Row 1');
});
