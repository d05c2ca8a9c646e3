import { formatRows, listSome, shorten } from '../../../src/core/words';
import { comparableText, cleanText, toPrintable, toText } from '../../../src/core/plainText';

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
	[[0, 2, 4], 'Rows 1, 3 and 5'],
	[[1, 2, 3], 'Rows 2 to 4'],
	[[0, 4, 5, 6, 8, 10, 11, 12], 'Rows 1, 5 to 7, 9 and 3 more'],
])('names of the rows %j a few, and counts the others', (positions, text) => {
	expect(formatRows(positions, { total: 50, max: 3 })).toBe(text);
	expect(formatRows([0, 1], { total: 2, max: 3 })).toBe('Both rows');
});

it('shortens long texts, long lists and whole tables', () => {
	const names = Array.from({ length: 14 }, (_, i) => `n${i}`);
	expect([listSome(names), listSome(names.slice(0, 12), '"')]).toEqual([
		'n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11 and 2 more',
		'"n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9", "n10", "n11"',
	]);
	expect([shorten('abc', 2), shorten('ab', 2)]).toEqual(['ab…', 'ab']);
	const format = (rows: number[], total: number) => formatRows(rows, { total, max: 3 });
	expect([format([0], 1), format([0, 1, 2], 3)]).toEqual(['Row 1', 'All 3 rows']);
	expect([format([0, 1], 3), format([0, 1, 4], 9)]).toEqual(['Rows 1 and 2', 'Rows 1, 2 and 5']);
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

it('keeps line breaks and tabs, and removes other signs that change a screen', () => {
	expect(toPrintable('a\n\tb\u001b[0m\u202ec\u0000')).toBe('a\n\tb[0mc');
});

it.each([
	[[1], '(a list)'],
	[{ a: 1 }, '(an object)'],
	[null, 'null'],
	[12, '12'],
	['12', '12'],
])('writes %j as text', (value, text) => {
	expect(toText(value)).toBe(text);
});
