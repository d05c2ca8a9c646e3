import { createClient } from '../../../src/core/client';
import { createAdaptiveConcurrency } from '../../../src/core/pacing';
import { fakeRuntime, inTurn, lost, reply } from '../../support/fakeRuntime';

it.each([
	['starts within its bounds, at least one', [0, 10], [], 1],
	['starts at the most where that is less', [4, 3], [], 3],
	['takes one more per success until the most', [4, 6], [200, 204, 200], 5, 6, 6],
	['is halved by a 429, down to one', [7, 10], [429, 429, 429], 3, 1, 1],
	['then takes one more after a round', [4, 9], [429, 200, 200, 500, 200], 2, 2, 3, 3, 3],
] as const)('the parallelism %s', (_, [start, max], statuses, ...expected) => {
	const concurrency = createAdaptiveConcurrency(start, max);
	const limits = statuses.map((status) => {
		concurrency.note(status);
		return concurrency.limit;
	});
	expect(statuses.length === 0 ? [concurrency.limit] : limits).toEqual(expected);
});

it('the client tells the parallelism of every response', async () => {
	const reported: number[] = [];
	const concurrency = { limit: 1, note: (status: number) => void reported.push(status) };
	const request = { method: 'GET', path: '/conversations/1', idempotent: true } as const;
	const answers = [reply(429), lost(), reply(200, {})] as const;
	await createClient(fakeRuntime(inTurn(...answers)).runtime).deliver(request, concurrency);
	expect(reported).toEqual([429, 200]);
});
