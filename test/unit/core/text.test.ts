import {
	allRows,
	isBlank,
	messageOf,
	plural,
	shorten,
	textOf,
	toNumber,
	visible,
} from '../../../src/core/text';

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
	expect(textOf(value)).toBe(expected);
});

it('keeps 300 characters of a text, and shows that there were more', () => {
	expect(shorten('a'.repeat(300))).toBe('a'.repeat(300));
	expect(shorten('a'.repeat(301))).toBe(`${'a'.repeat(300)}…`);
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
	expect(visible(text)).toBe(expected);
});

it('gives the message of whatever was thrown', () => {
	expect([messageOf(new Error('a')), messageOf('b'), messageOf(7)]).toEqual(['a', 'b', '7']);
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

it.each([
	[2, 'Both rows'],
	[3, 'All 3 rows'],
])('names all of %d rows', (total, text) => {
	expect(allRows(total)).toBe(text);
});
