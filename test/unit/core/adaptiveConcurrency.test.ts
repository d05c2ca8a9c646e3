import { createClient } from '../../../src/core/client';
import type { AdaptiveConcurrency } from '../../../src/core/pacing';
import { createAdaptiveConcurrency } from '../../../src/core/pacing';
import { fakeRuntime, inTurn, lost, reply } from '../../support/fakeRuntime';

/** The limits after each 2xx (+) and 429 (-). */
const limitsAfter = (concurrency: AdaptiveConcurrency, events: string): number[] =>
	Array.from(events, (event) => {
		if (event === '+') concurrency.onSuccess();
		else concurrency.onThrottled();
		return concurrency.limit();
	});

it.each([
	['starts within its bounds, at least one', { start: 0, max: 10 }, '', 1],
	['starts at the most where that is less', { start: 4, max: 3 }, '', 3],
	['takes one more per success until the most', { start: 4, max: 6 }, '+++', 5, 6, 6],
	['is halved by a 429, down to one', { start: 7, max: 10 }, '---', 3, 1, 1],
	['then takes one more after a round', { start: 4, max: 9 }, '-+++++', 2, 2, 3, 3, 3, 4],
])('the parallelism %s', (_, bounds, events, ...expected) => {
	const concurrency = createAdaptiveConcurrency(bounds);
	expect(events === '' ? [concurrency.limit()] : limitsAfter(concurrency, events)).toEqual(
		expected,
	);
});

it.each<[string, Parameters<typeof inTurn>, string]>([
	['200', [reply(200, {})], '+'],
	['300', [reply(300)], ''],
	['400', [reply(400)], ''],
	['a lost response', [lost()], ''],
	['every 429 before a 200', [reply(429), reply(429), reply(200, {})], '--+'],
])('the client tells the parallelism of %s', async (_, answers, expected) => {
	let told = '';
	const concurrency: AdaptiveConcurrency = {
		limit: () => 1,
		onThrottled: () => (told += '-'),
		onSuccess: () => (told += '+'),
	};
	const request = { method: 'GET', path: '/conversations/1', idempotent: true } as const;
	await createClient(fakeRuntime(inTurn(...answers)).runtime).deliver(request, concurrency);
	expect(told).toBe(expected);
});
