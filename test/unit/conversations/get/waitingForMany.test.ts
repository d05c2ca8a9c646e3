import fc from 'fast-check';
import { pauseAfter } from '../../../../src/conversations/get/pollConversations';
import { uuidOf } from '../../../support/samples';
import { endingAt, rowOf, seconds, wait } from '../../../support/waiting';

it.each([5])(
	'waits for 1,000 conversations with %i at once and hardly more requests than it needs',
	async (parallelRequests) => {
		const count = 1000;
		const latency = 20;
		const ends = fc.sample(fc.integer({ min: 0, max: 660_000 }), { numRuns: count, seed: 7 });
		const { asked, rows, summary } = await wait(
			endingAt(...ends),
			ends.map((_, n) => rowOf(n, { parallelRequests })),
			{ latency },
		);
		const pauses = { firstPause: 5000, longestPause: 60_000 };
		const ideal = (end: number): number => {
			let looks = 1;
			for (let at = 0; at < Math.min(end, 600_000); looks++) at += pauseAfter(looks, pauses);
			return looks;
		};
		const min = ends.map(ideal).reduce((sum, looks) => sum + looks, 0);
		expect(asked.length).toBeLessThanOrEqual(1.5 * min);
		// A conversation that was seen as finished is not asked for again, and none was missed.
		const lookedAt = Map.groupBy(asked, ([n]) => n);
		const times = ends.map((_, n) => (lookedAt.get(n) ?? []).map(([, at]) => at * 1000));
		expect(
			times.map((each, n) => each.filter((at) => at >= (ends[n] ?? 0)).length <= 1),
		).not.toContain(false);
		const expected = ends.map((end, n) => end <= (times[n]?.at(-1) ?? -1));
		expect(rows.map(({ items }) => items)).toMatchObject(
			expected.map((finished, n) => [{ conversationId: uuidOf(n), finished }]),
		);
		const missed = expected.filter((finished, n) => !finished && (ends[n] ?? 0) <= 600_000);
		expect(missed).toEqual([]);
		const begun = seconds(asked).map((at) => Math.round(at * 1000));
		const tooMany = begun.filter(
			(at, i) => (begun[i - parallelRequests] ?? -latency) > at - latency,
		);
		expect(tooMany).toEqual([]);
		const done = expected.filter(Boolean).length;
		expect(summary).toBe(
			`1,000 conversations, ${asked.length.toLocaleString('en-US')} requests: ${done} finished, ${count - done} not finished after 10 minutes`,
		);
	},
	30_000,
);
