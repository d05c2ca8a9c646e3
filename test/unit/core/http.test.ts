import fc from 'fast-check';
import { encodePath } from '../../../src/core/http';

describe('a path', () => {
	it('is as many segments as its template, for every text', () => {
		// A URL parser takes dots out of a path, so such texts are not IDs anywhere.
		const value = fc
			.string({ unit: 'grapheme', minLength: 1 })
			.filter((text) => !/^\.{1,2}$/.test(text));
		fc.assert(
			fc.property(value, (value) => {
				const url = new URL(`https://desk.example.com/api${encodePath`/c/${value}/x`}`);
				const segments = url.pathname.split('/').map(decodeURIComponent);
				expect(segments).toEqual(['', 'api', 'c', value, 'x']);
			}),
		);
	});
});
