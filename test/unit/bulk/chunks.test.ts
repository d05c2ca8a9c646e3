import fc from 'fast-check';
import { byteLength, chunks } from '../../../src/bulk/chunks';

const size = (count: number, bytes = Infinity) => ({ count, bytes });
const one = () => 1;

describe('chunks', () => {
	it('are cut by number', () => {
		expect([...chunks([1, 2, 3, 4, 5], size(2), one)]).toEqual([[1, 2], [3, 4], [5]]);
		expect([...chunks([1, 2], size(2), one)]).toEqual([[1, 2]]);
		expect([...chunks([], size(2), one)]).toEqual([]);
	});

	it('are cut by bytes, with a comma for each value', () => {
		const text = ['aaaa', 'bbbb', 'cccc'];
		expect([...chunks(text, size(9, 10), byteLength)]).toEqual([['aaaa', 'bbbb'], ['cccc']]);
		expect([...chunks(text, size(9, 9), byteLength)]).toEqual([['aaaa'], ['bbbb'], ['cccc']]);
	});

	it('leave a value that is larger than a chunk alone', () => {
		const text = ['a', 'b'.repeat(100), 'c', 'd'];
		expect([...chunks(text, size(9, 10), byteLength)]).toEqual([
			['a'],
			['b'.repeat(100)],
			['c', 'd'],
		]);
	});

	it('are cut one by one, as they are asked for', () => {
		const asked: number[] = [];
		function* values() {
			for (const value of [1, 2, 3, 4, 5]) {
				asked.push(value);
				yield value;
			}
		}
		chunks(values(), size(2), one).next();
		expect(asked).toEqual([1, 2, 3]);
	});

	it('keep every value in its place, and within both bounds', () => {
		fc.assert(
			fc.property(
				fc.array(fc.string({ maxLength: 30 })),
				fc.integer({ min: 1, max: 9 }),
				fc.integer({ min: 1, max: 80 }),
				(values, count, bytes) => {
					const cut = [...chunks(values, { count, bytes }, byteLength)];
					expect(cut.flat()).toEqual(values);
					for (const chunk of cut) {
						expect(chunk.length).toBeGreaterThan(0);
						expect(chunk.length).toBeLessThanOrEqual(count);
						const length = chunk.reduce((sum, value) => sum + byteLength(value) + 1, 0);
						if (chunk.length > 1) expect(length).toBeLessThanOrEqual(bytes);
					}
				},
			),
			{ numRuns: 500 },
		);
	});
});

describe('the bytes of a text', () => {
	it.each([
		['', 0],
		['abc', 3],
		['é', 2],
		['€', 3],
		['😀', 4],
		['a😀é€', 10],
	])('of %j are %i', (text, expected) => {
		expect(byteLength(text)).toBe(expected);
	});

	it('are those of UTF-8', () => {
		const encoder = new TextEncoder();
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (text) => {
				expect(byteLength(text)).toBe(encoder.encode(text).length);
			}),
			{ numRuns: 1000 },
		);
	});
});

it.each([0x00, 0x7e, 0x7f, 0x80, 0x7fe, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff])(
	'counts the bytes of a text around %p as UTF-8 has them',
	(code) => {
		const text = `a${String.fromCharCode(code)}b${String.fromCodePoint(0x1f600)}`;
		expect(byteLength(text)).toBe(new TextEncoder().encode(text).length);
	},
);

it('counts both halves of a pair', () => {
	expect(byteLength('\ud800\udc00')).toBe(4);
	expect(byteLength('\udbff\udfff')).toBe(4);
	expect(byteLength('')).toBe(0);
});
