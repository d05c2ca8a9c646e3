import { createClient } from '../../../src/core/client';
import type { AdaptiveConcurrency } from '../../../src/core/pacing';
import { createAdaptiveConcurrency } from '../../../src/core/pacing';
import { fakeRuntime, inTurn, lost, reply } from '../../support/fakeRuntime';

/** Tells a pace of good replies that took so many ms, and returns the limits after each. */
const limitsAfter = (concurrency: AdaptiveConcurrency, ...took: readonly number[]): number[] =>
	took.map((ms) => {
		concurrency.onSuccess(ms);
		return concurrency.limit();
	});

describe('a pace', () => {
	it.each([
		[4, 10, 4],
		[4, 3, 3],
		[0, 10, 1],
		[4, 0, 1],
	])('that starts with %i of at most %i allows %i', (start, max, expected) => {
		expect(createAdaptiveConcurrency({ start, max }).limit()).toBe(expected);
	});

	it('is halved at once, and never falls below one', () => {
		const concurrency = createAdaptiveConcurrency({ start: 7, max: 10 });
		const limits = [1, 2, 3].map(() => {
			concurrency.onThrottled();
			return concurrency.limit();
		});
		expect(limits).toEqual([3, 1, 1]);
	});

	it('takes one more request with each good reply until the most is reached', () => {
		const concurrency = createAdaptiveConcurrency({ start: 4, max: 7 });
		expect(limitsAfter(concurrency, 20, 20, 20, 20)).toEqual([5, 6, 7, 7]);
	});

	it('takes one less with each reply that took more than twice as long as the quickest, but not less than at first', () => {
		const concurrency = createAdaptiveConcurrency({ start: 4, max: 20 });
		expect(limitsAfter(concurrency, 30, 20, 40, 41, 90, 90, 90)).toEqual([5, 6, 7, 6, 5, 4, 4]);
		expect(limitsAfter(concurrency, 25)).toEqual([5]);
	});

	it('never takes more or less because of a slow reply where the service asked for fewer', () => {
		const concurrency = createAdaptiveConcurrency({ start: 4, max: 20 });
		concurrency.onSuccess(10);
		concurrency.onThrottled();
		expect(limitsAfter(concurrency, 50, 50, 10, 10)).toEqual([2, 2, 2, 3]);
	});

	it.each([
		[4, 30, 4, 12],
		[6, 30, 6, 18],
		[24, 20, 20, 20],
		[1, 20, 4, 4],
	])(
		'settles between once and three times what a service works on at once (%i, at most %i)',
		(workers, max, lowest, highest) => {
			const concurrency = createAdaptiveConcurrency({ start: 4, max });
			const limits = servedBy(workers, concurrency, 2_000).slice(500);
			const mean = limits.reduce((sum, limit) => sum + limit, 0) / limits.length;
			expect(mean).toBeGreaterThanOrEqual(lowest);
			expect(mean).toBeLessThanOrEqual(highest);
		},
	);

	it('takes one more only after a whole round went well, once the service asked for fewer', () => {
		const concurrency = createAdaptiveConcurrency({ start: 4, max: 20 });
		concurrency.onThrottled();
		expect(limitsAfter(concurrency, 20, 20, 20, 20, 20)).toEqual([2, 3, 3, 3, 4]);
	});

	it.each<[string, Parameters<typeof inTurn>, number[]]>([
		['200', [reply(200, {})], [7]],
		['299', [reply(299, {})], [7]],
		['300', [reply(300)], []],
		['400', [reply(400)], []],
		['no reply', [lost()], []],
		['every 429 before a good reply', [reply(429), reply(429), reply(200, {})], [-1, -1, 7]],
		['how long a reply took from its own sending', [reply(503), reply(200, {})], [7]],
	])('learns from %s', async (_, answers, expected) => {
		const told: number[] = [];
		const concurrency: AdaptiveConcurrency = {
			limit: () => 1,
			onThrottled: () => told.push(-1),
			onSuccess: (ms) => told.push(ms),
		};
		const { runtime } = fakeRuntime(inTurn(...answers), { latency: 7 });
		const request = { method: 'GET', path: '/conversations/1', idempotent: true } as const;
		await createClient(runtime).deliver(request, concurrency);
		expect(told).toEqual(expected);
	});
});

/** The limits while a service with so many workers, 20 ms each, answers as many requests as the pace allows. */
function servedBy(workers: number, concurrency: AdaptiveConcurrency, replies: number): number[] {
	const limits: number[] = [];
	const free = new Array<number>(workers).fill(0);
	const ends: Array<{ begun: number; end: number }> = [];
	let now = 0;
	while (limits.length < replies) {
		while (ends.length < concurrency.limit()) {
			const worker = free.indexOf(Math.min(...free));
			const end = Math.max(now, free[worker] ?? 0) + 20;
			free[worker] = end;
			ends.push({ begun: now, end });
		}
		const next = ends.reduce((first, each) => (each.end < first.end ? each : first));
		ends.splice(ends.indexOf(next), 1);
		now = next.end;
		concurrency.onSuccess(now - next.begun);
		limits.push(concurrency.limit());
	}
	return limits;
}
