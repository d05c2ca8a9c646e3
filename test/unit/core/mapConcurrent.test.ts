import fc from 'fast-check';
import { mapConcurrent } from '../../../src/core/concurrency';

const ticks = async (count: number): Promise<void> => {
	for (let i = 0; i < count; i++) await Promise.resolve();
};

describe('a pool', () => {
	it('keeps the order, works on each item once, and on no more than its size at once', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.nat(20), { maxLength: 40 }),
				fc.integer({ min: 1, max: 8 }),
				async (delays, size) => {
					const worked: number[] = [];
					let atOnce = 0;
					let max = 0;
					const results = await mapConcurrent(delays, size, async (delay, index) => {
						worked.push(index);
						atOnce++;
						max = Math.max(max, atOnce);
						await ticks(delay);
						atOnce--;
						return `${index}:${delay}`;
					});
					expect(results).toEqual(delays.map((delay, index) => `${index}:${delay}`));
					expect(worked).toEqual(delays.map((_, index) => index));
					expect(max).toBe(Math.min(size, delays.length));
				},
			),
			{ numRuns: 200 },
		);
	});

	it('takes the next item as soon as one is done', async () => {
		const order: string[] = [];
		await mapConcurrent([30, 1, 1], 2, async (delay, index) => {
			order.push(`start ${index}`);
			await ticks(delay);
			order.push(`end ${index}`);
		});
		expect(order).toEqual(['start 0', 'start 1', 'end 1', 'start 2', 'end 2', 'end 0']);
	});

	it('has nothing to do without items', async () => {
		expect(await mapConcurrent([], 4, () => Promise.reject(new Error('must not run')))).toEqual([]);
	});
});
