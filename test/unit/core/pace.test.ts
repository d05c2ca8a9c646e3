import { z } from 'zod/v4';
import { createClient } from '../../../src/core/client';
import type { Pace } from '../../../src/core/pace';
import { createPace } from '../../../src/core/pace';
import { fakeWorld, inTurn, lost, reply } from '../../support/fakeWorld';

/** Tells a pace of good replies that took so many ms, and returns the limits after each. */
const limitsAfter = (pace: Pace, ...took: readonly number[]): number[] =>
	took.map((ms) => {
		pace.faster(ms);
		return pace.limit();
	});

describe('a pace', () => {
	it.each([
		[4, 10, 4],
		[4, 3, 3],
		[0, 10, 1],
		[4, 0, 1],
	])('that starts with %i of at most %i allows %i', (start, most, expected) => {
		expect(createPace({ start, most }).limit()).toBe(expected);
	});

	it('is halved at once, and never falls below one', () => {
		const pace = createPace({ start: 7, most: 10 });
		const limits = [1, 2, 3].map(() => {
			pace.slower();
			return pace.limit();
		});
		expect(limits).toEqual([3, 1, 1]);
	});

	it('takes one more request with each good reply until the most is reached', () => {
		const pace = createPace({ start: 4, most: 7 });
		expect(limitsAfter(pace, 20, 20, 20, 20)).toEqual([5, 6, 7, 7]);
	});

	it('takes one less with each reply that took more than twice as long as the quickest, but not less than at first', () => {
		const pace = createPace({ start: 4, most: 20 });
		expect(limitsAfter(pace, 30, 20, 40, 41, 90, 90, 90)).toEqual([5, 6, 7, 6, 5, 4, 4]);
		expect(limitsAfter(pace, 25)).toEqual([5]);
	});

	it('learns what is quick from the quickest reply so far', () => {
		const pace = createPace({ start: 4, most: 20 });
		expect(limitsAfter(pace, 90, 30, 90, 60)).toEqual([5, 6, 5, 6]);
	});

	it('never takes more or less because of a slow reply where the service asked for fewer', () => {
		const pace = createPace({ start: 4, most: 20 });
		pace.faster(10);
		pace.slower();
		expect(limitsAfter(pace, 50, 50, 10, 10)).toEqual([2, 2, 2, 3]);
	});

	it.each([
		[4, 30, 4, 12],
		[6, 30, 6, 18],
		[24, 20, 20, 20],
		[1, 20, 4, 4],
	])(
		'settles between once and three times what a service works on at once (%i, at most %i)',
		(workers, most, least, greatest) => {
			const pace = createPace({ start: 4, most });
			const limits = servedBy(workers, pace, 2_000).slice(500);
			const mean = limits.reduce((sum, limit) => sum + limit, 0) / limits.length;
			expect(mean).toBeGreaterThanOrEqual(least);
			expect(mean).toBeLessThanOrEqual(greatest);
		},
	);

	it('takes one more only after a whole round went well, once the service asked for fewer', () => {
		const pace = createPace({ start: 4, most: 20 });
		pace.slower();
		expect(limitsAfter(pace, 20, 20, 20, 20, 20)).toEqual([2, 3, 3, 3, 4]);
	});

	it('forgets the good replies before it was halved', () => {
		const pace = createPace({ start: 4, most: 4 });
		limitsAfter(pace, 20, 20, 20);
		pace.slower();
		expect(limitsAfter(pace, 20, 20)).toEqual([2, 3]);
	});

	it.each([
		['200', reply(200, {}), ['faster']],
		['299', reply(299, {}), ['faster']],
		['300', reply(300), []],
		['400', reply(400), []],
		['no reply', lost(), []],
	])('learns from %s', async (_, answer, expected) => {
		expect(await told([answer])).toEqual(expected);
	});

	it('learns from every 429 on the way to a good reply', async () => {
		expect(await told([reply(429), reply(429), reply(200, {})])).toEqual([
			'slower',
			'slower',
			'faster',
		]);
	});

	it('is told how long a reply took from its own sending, without the waits before it', async () => {
		const { world } = fakeWorld(inTurn(reply(503), reply(200, {})), {
			latency: (number) => (number === 1 ? 30 : 7),
		});
		const took: number[] = [];
		const pace: Pace = { limit: () => 1, slower: () => undefined, faster: (ms) => took.push(ms) };
		const request = { method: 'GET', path: '/conversations/1', repeatable: true } as const;
		await createClient(world).call(request, z.unknown(), pace);
		expect(took).toEqual([7]);
	});
});

/** The limits while a service with so many workers, 20 ms each, answers as many requests as the pace allows. */
function servedBy(workers: number, pace: Pace, replies: number): number[] {
	const limits: number[] = [];
	const free = new Array<number>(workers).fill(0);
	const ends: Array<{ begun: number; end: number }> = [];
	let now = 0;
	while (limits.length < replies) {
		while (ends.length < pace.limit()) {
			const worker = free.indexOf(Math.min(...free));
			const end = Math.max(now, free[worker] ?? 0) + 20;
			free[worker] = end;
			ends.push({ begun: now, end });
		}
		const next = ends.reduce((first, each) => (each.end < first.end ? each : first));
		ends.splice(ends.indexOf(next), 1);
		now = next.end;
		pace.faster(now - next.begun);
		limits.push(pace.limit());
	}
	return limits;
}

/** What a pace is told while these answers come to one request. */
async function told(answers: Parameters<typeof inTurn>): Promise<string[]> {
	const words: string[] = [];
	const pace: Pace = {
		limit: () => 1,
		slower: () => words.push('slower'),
		faster: () => words.push('faster'),
	};
	const { world } = fakeWorld(inTurn(...answers));
	const request = { method: 'POST', path: '/conversations', repeatable: false } as const;
	await createClient(world).call(request, z.unknown(), pace);
	return words;
}
