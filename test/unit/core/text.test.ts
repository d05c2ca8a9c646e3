import { shorten, textOf } from '../../../src/core/text';

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
