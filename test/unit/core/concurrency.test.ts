import fc from 'fast-check';
import { createLimiter, mapConcurrent } from '../../../src/core/concurrency';

const ticks = async (count: number): Promise<void> => {
	for (let i = 0; i < count; i++) await Promise.resolve();
};

it('a pool keeps the order, works on each item once, and on no more than its size at once', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.nat(20), { maxLength: 40 }),
			fc.integer({ min: 1, max: 8 }),
			async (delays, size) => {
				const worked: number[] = [];
				let atOnce = 0;
				let max = 0;
				const results = await mapConcurrent(delays, { limit: size }, async (delay, index) => {
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

it('a limit on calls follows a bound that changes, and lets one run whatever it says', async () => {
	const max = { limit: 0 };
	const limited = createLimiter(max);
	const begun: number[] = [];
	let running = 0;
	let most = 0;
	const call = async (n: number) =>
		await limited(async () => {
			begun.push(n);
			most = Math.max(most, ++running);
			await ticks(5);
			running--;
			return n;
		});
	for (const limit of [0, 3, 2]) {
		max.limit = limit;
		most = 0;
		expect(await Promise.all([0, 1, 2, 3, 4].map(call))).toEqual([0, 1, 2, 3, 4]);
		expect(most).toBe(Math.max(1, limit));
		expect(begun.splice(0)).toEqual([0, 1, 2, 3, 4]);
	}
});
