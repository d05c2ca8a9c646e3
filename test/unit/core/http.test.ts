import fc from 'fast-check';
import { path } from '../../../src/core/http';

describe('a path', () => {
	it.each([
		['..', '/c/%252E%252E/x'],
		['.', '/c/%252E/x'],
		['...', '/c/%252E%252E%252E/x'],
		['a/b', '/c/a%2Fb/x'],
		['../../customers/batch', '/c/..%2F..%2Fcustomers%2Fbatch/x'],
		['%2e%2e', '/c/%252e%252e/x'],
		['100%', '/c/100%25/x'],
		['a?b=c', '/c/a%3Fb%3Dc/x'],
		['a#b', '/c/a%23b/x'],
		['a\\b', '/c/a%5Cb/x'],
		['a\r\nb', '/c/a%0D%0Ab/x'],
		['é 😀', '/c/%C3%A9%20%F0%9F%98%80/x'],
		['a.b', '/c/a.b/x'],
		['a..', '/c/a../x'],
		['a\ud800b', '/c/a%EF%BF%BDb/x'],
		['', '/c//x'],
	])('keeps %j in its place', (value, expected) => {
		expect(path`/c/${value}/x`).toBe(expected);
	});

	it('joins several values and the text around them', () => {
		expect(path`/a/${'1'}/b/${'2'}`).toBe('/a/1/b/2');
		expect(path`${'x'}`).toBe('x');
		expect(path`/conversations`).toBe('/conversations');
	});

	it('is as many segments as its template, for every text', () => {
		// A URL parser takes dots out of a path even where they are encoded, so such texts are not IDs anywhere.
		const value = fc
			.string({ unit: 'grapheme', minLength: 1 })
			.filter((text) => !/^\.{1,2}$/.test(text));
		fc.assert(
			fc.property(value, (value) => {
				const url = new URL(`https://desk.example.com/api${path`/c/${value}/x`}`);
				expect(url.pathname.split('/')).toHaveLength(5);
				expect(url.search + url.hash).toBe('');
				const segment = url.pathname.split('/')[3] ?? '';
				expect(decodeURIComponent(segment)).toBe(value);
			}),
			{ examples: [['a/../b'], ['?'], ['#'], ['%'], ['\\..\\']] },
		);
	});
});
