import { formatRows } from '../../../src/core/words';
import { comparableText, cleanText } from '../../../src/core/plainText';
import { readBody } from '../../../src/core/json';

it.each([
	['\ufeffC-1\u200b ', 'C-1'],
	['\u202ayes\u202c', 'yes'],
	['a\u00adb \u2066c\u2069', 'ab c'],
	['\u200b', ''],
	['Zoë 日本', 'Zoë 日本'],
])('sees in %j the text %j', (text, expected) => {
	expect(cleanText(text)).toBe(expected);
});

const named = (...positions: number[]) => formatRows(positions, { total: 50, max: 3 });

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

describe('the body of a reply', () => {
	it.each([
		['', { kind: 'empty' }],
		[' \r\n', { kind: 'empty' }],
		['null', { kind: 'json', value: null }],
		['0', { kind: 'json', value: 0 }],
		['{"a":1}', { kind: 'json', value: { a: 1 } }],
		['{"a":', { kind: 'text' }],
		['<html>', { kind: 'text' }],
		['undefined', { kind: 'text' }],
	])('reads %j', (text, expected) => {
		expect(readBody(text)).toEqual(expected);
	});
});

it.each([
	['Spring', ' sPRING\u200b'],
	['a\ufe0f', 'a'],
	['\u3164a\u034f', 'a'],
	['a\u{e0001}', 'a'],
])('takes the keys %j and %j for the same, which no one can tell apart', (one, other) => {
	expect(comparableText(one)).toBe(comparableText(other));
	expect(comparableText(one)).not.toBe(comparableText(`${other}b`));
});
