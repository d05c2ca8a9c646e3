import fc from 'fast-check';
import {
	certainlyDiffers,
	certainlyMatches,
	escapedColumns,
	matchesPattern,
} from '../../../../src/tickets/service/patterns';

/** Whether a text is what a pattern looks for, by its definition and without regard for time. */
function isLike(text: readonly string[], pattern: readonly string[]): boolean {
	const [mark, ...others] = pattern;
	if (mark === undefined) return text.length === 0;
	if (mark === '%')
		return isLike(text, others) || (text.length > 0 && isLike(text.slice(1), pattern));
	return (
		text.length > 0 &&
		['_', text[0], `\\${text[0]}`].includes(mark) &&
		isLike(text.slice(1), others)
	);
}

const pieces = (...all: string[]) => fc.array(fc.constantFrom(...all), { maxLength: 6 });
const texts = pieces('a', 'b', '_', '%', '😀');
const patterns = pieces('a', 'b', '%', '%', '_', '\\_', '\\%', '\\a', '😀');

it('matches what a pattern looks for, letter by letter', () => {
	fc.assert(
		fc.property(texts, patterns, (text, pattern) => {
			expect(matchesPattern(text.join(''), pattern.join(''))).toBe(isLike(text, pattern));
		}),
		{ numRuns: 2_000 },
	);
});

it.each<[unknown, unknown, '' | 'i', boolean]>([
	['ABC', 'a%', 'i', true],
	['abc', 'A%', 'i', true],
	['ABC', 'a%', '', false],
	[null, '%', '', false],
	['abc', undefined, '', false],
	['', '', '', true],
	['a', 'a_', '', false],
	['ab', 'a_', '', true],
	['a_', 'a\\_', '', true],
	['ab', 'a\\_', '', false],
	['a%', 'a\\%', '', true],
	['abab', 'ab%b', '', true],
	['ab', 'ab%b', '', false],
	['aab', '%b%b', '', false],
	['straße', 'STRASSE', 'i', false],
])('matches %j with %j and flags "%s": %s', (value, pattern, flags, expected) => {
	expect(matchesPattern(value, pattern, flags)).toBe(expected);
});

it.each<[string, '' | 'i', unknown, boolean]>([
	['%ab%', 'i', 'xABx', true],
	['%ab%', '', 'xABx', false],
	['%ab%', '', 'xabx', true],
	// In another alphabet only the service knows what a capital is.
	['%äb%', 'i', 'ÄB', false],
	['%ab%', 'i', 'ÄAB', false],
	['%äb%', 'i', 'äb', true],
	['%b_a%', '', 'ab', false],
	['%a%a%', '', 'xa', false],
	['%', '', null, false],
	['%', '', 7, false],
])('of %j with flags "%s" %j certainly matches: %s', (pattern, flags, value, expected) => {
	expect(certainlyMatches(pattern, flags)(value)).toBe(expected);
});

it('is certain of no text that is long, which would take long', () => {
	const matches = certainlyMatches('%a', '');
	expect([100_000, 100_001].map((length) => matches('a'.repeat(length)))).toEqual([true, false]);
});

it.each<[string, unknown, boolean]>([
	['%ab%', 'xyz', true],
	['%ab%', null, true],
	['%ab%', 7, false],
	// However the service compares capitals and signs.
	['%AB%', 'xabx', false],
	['%ab%', 'xABx', false],
	['%ab%', 'a-b', false],
	['%a-b%', 'ab', false],
	['%a-b%', 'a-b', false],
	['%-%', 'ab', false],
	['%a%b%', 'ba', true],
	['%ab%a%', 'ab', true],
	['%10\\%%', '10', false],
	['%äb%', 'xyz', false],
	['%ab%', 'xäz', false],
])('of %j %j certainly differs: %s', (pattern, value, expected) => {
	expect(certainlyDiffers(pattern)(value)).toBe(expected);
});

it('names the columns in whose patterns a backslash stands', () => {
	expect(
		escapedColumns({
			title: { like: 'x\\_y' },
			summary: { notILike: '%a%' },
			source: { eq: 'api' },
		}),
	).toEqual(['title']);
});
