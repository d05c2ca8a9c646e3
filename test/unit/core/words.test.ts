import { formatRows, plural } from '../../../src/core/words';
import { isBlank, comparableText, toText, cleanText } from '../../../src/core/plainText';
import { isTooDeep, readBody } from '../../../src/core/json';
import { toNumber } from '../../../src/core/schemas';

it.each([
	['a', 'a'],
	[5, '5'],
	[true, 'true'],
	[null, 'null'],
	[undefined, 'undefined'],
	[{}, '(an object)'],
	[Object.create(null), '(an object)'],
	[['a'], '(an object)'],
])('writes %p as text', (value, expected) => {
	expect(toText(value)).toBe(expected);
});

it.each([
	[0, '0 tickets'],
	[1, '1 ticket'],
	[1_042, '1,042 tickets'],
])('counts %d as %j', (number, text) => {
	expect(plural(number, 'ticket')).toBe(text);
});

it.each([
	['', true],
	[' \n', true],
	['\u200b', true],
	[' \u200e\ufeff\u00a0', true],
	['\u200bx', false],
	[null, true],
	[undefined, true],
	[0, false],
	[false, false],
	['x', false],
	[[], false],
])('takes %j for blank: %j', (value, expected) => {
	expect(isBlank(value)).toBe(expected);
});

it.each([
	['\ufeffC-1\u200b ', 'C-1'],
	['\u202ayes\u202c', 'yes'],
	['a\u00adb \u2066c\u2069', 'ab c'],
	['\u200b', ''],
	['Zoë 日本', 'Zoë 日本'],
])('sees in %j the text %j', (text, expected) => {
	expect(cleanText(text)).toBe(expected);
});

it.each([
	['5', 5],
	[' -5.25 ', -5.25],
	['\t+12\n', 12],
	['007', 7],
	['5.', '5.'],
	['.5', '.5'],
	['5.x', '5.x'],
	['x5', 'x5'],
	['5x', '5x'],
	['5 5', '5 5'],
	['1e3', '1e3'],
	['', ''],
	[5, 5],
	[true, true],
	[null, null],
	[['5'], ['5']],
])('reads %j as the number %j', (value, expected) => {
	expect(toNumber(value)).toEqual(expected);
});

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

const nested = (levels: number): unknown =>
	levels === 0 ? 'x' : { one: 1, more: nested(levels - 1) };

describe('the depth of a value', () => {
	it.each<[unknown, number, boolean]>([
		['x', 0, false],
		[null, 0, false],
		[[], 0, false],
		[{ one: null }, 0, false],
		[nested(4), 3, false],
		[nested(5), 3, true],
		[[1, null, 'x', [[[1]]]], 2, true],
		[[[], [[]], null], 2, false],
	])('of %j is more than %d: %j', (value, max, expected) => {
		expect(isTooDeep(value, max)).toBe(expected);
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
