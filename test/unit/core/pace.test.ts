import { z } from 'zod/v4';
import { createClient } from '../../../src/core/client';
import type { Pace } from '../../../src/core/pace';
import { createPace } from '../../../src/core/pace';
import { fakeWorld, inTurn, lost, reply } from '../../support/fakeWorld';

const times = (count: number, act: () => void): void => {
	for (let i = 0; i < count; i++) act();
};

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
		const limits = [1, 2, 3, 4].map(() => {
			pace.faster();
			return pace.limit();
		});
		expect(limits).toEqual([5, 6, 7, 7]);
	});

	it('takes one more only after a whole round went well, once the service asked for fewer', () => {
		const pace = createPace({ start: 4, most: 20 });
		pace.slower();
		const limits = [1, 2, 3, 4, 5].map(() => {
			pace.faster();
			return pace.limit();
		});
		expect(limits).toEqual([2, 3, 3, 3, 4]);
	});

	it('forgets the good replies before it was halved', () => {
		const pace = createPace({ start: 4, most: 4 });
		times(3, pace.faster);
		pace.slower();
		pace.faster();
		expect(pace.limit()).toBe(2);
		pace.faster();
		expect(pace.limit()).toBe(3);
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
});

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
