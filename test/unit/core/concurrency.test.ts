import fc from 'fast-check';
import { createLimiter, mapConcurrent, mapYielding } from '../../../src/core/concurrency';

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
});

/** Calls that end when they are told to. */
function calls(limit: { limit: number }) {
	const limited = createLimiter(limit);
	const begun: number[] = [];
	const ends: Array<(error?: Error) => void> = [];
	const call = async (n: number) =>
		await limited(async () => {
			begun.push(n);
			await new Promise<void>((done, fail) => {
				ends[n] = (error) => {
					if (error) fail(error);
					else done();
				};
			});
			return n;
		});
	const settled = async () => {
		for (let i = 0; i < 10; i++) await Promise.resolve();
	};
	const end = async (n: number, error?: Error) => {
		ends[n]?.(error);
		await settled();
	};
	return { begun, call, end, settled };
}

describe('a limit on calls', () => {
	it('lets so many run at once, and the others wait in line', async () => {
		const { begun, call, end, settled } = calls({ limit: 2 });
		const all = [0, 1, 2, 3].map(call);
		await settled();
		expect(begun).toEqual([0, 1]);
		await end(1);
		expect(begun).toEqual([0, 1, 2]);
		await end(0);
		expect(begun).toEqual([0, 1, 2, 3]);
		await end(2);
		await end(3);
		expect(await Promise.all(all)).toEqual([0, 1, 2, 3]);
	});

	it('follows a bound that changes, and lets one run whatever it says', async () => {
		const max = { limit: 0 };
		const { begun, call, end, settled } = calls(max);
		const all = [0, 1, 2, 3, 4].map(call);
		await settled();
		expect(begun).toEqual([0]);
		max.limit = 3;
		await end(0);
		expect(begun).toEqual([0, 1, 2, 3]);
		max.limit = 1;
		await end(1);
		await end(2);
		expect(begun).toEqual([0, 1, 2, 3]);
		await end(3);
		expect(begun).toEqual([0, 1, 2, 3, 4]);
		await end(4);
		await Promise.all(all);
	});
});

describe('a map over many things', () => {
	const context = (msOfStep: number) => {
		let [nowMs, turns] = [0, 0];
		const now = () => (nowMs += msOfStep);
		return { now, sleep: async () => void (turns += 1), turns: () => turns };
	};

	it.each([
		[0, 0],
		[1, 2],
		[60, 100],
	])('of %i ms each lets others go on %i times in 100', async (ms, turns) => {
		const items = Array.from({ length: 100 }).keys();
		const one = context(ms);
		const results = await mapYielding(items, (item, index) => item + index, one);
		expect(results).toEqual(Array.from({ length: 100 }, (_, n) => n * 2));
		expect(one.turns()).toBe(turns);
	});
});
