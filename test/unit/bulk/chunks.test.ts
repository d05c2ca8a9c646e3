import fc from 'fast-check';
import { chunks } from '../../../src/bulk/chunks';

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
		expect([...chunks(text, size(9, 10), Buffer.byteLength)]).toEqual([['aaaa', 'bbbb'], ['cccc']]);
		expect([...chunks(text, size(9, 9), Buffer.byteLength)]).toEqual([
			['aaaa'],
			['bbbb'],
			['cccc'],
		]);
	});

	it('leave a value that is larger than a chunk alone', () => {
		const text = ['a', 'b'.repeat(100), 'c', 'd'];
		expect([...chunks(text, size(9, 10), Buffer.byteLength)]).toEqual([
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
					const cut = [...chunks(values, { count, bytes }, Buffer.byteLength)];
					expect(cut.flat()).toEqual(values);
					for (const chunk of cut) {
						expect(chunk.length).toBeGreaterThan(0);
						expect(chunk.length).toBeLessThanOrEqual(count);
						const length = chunk.reduce((sum, value) => sum + Buffer.byteLength(value) + 1, 0);
						if (chunk.length > 1) expect(length).toBeLessThanOrEqual(bytes);
					}
				},
			),
			{ numRuns: 500 },
		);
	});
});
