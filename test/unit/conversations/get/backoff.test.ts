import fc from 'fast-check';
import type { Backoff } from '../../../../src/conversations/get/pollConversations';
import { nextCheckAtMs } from '../../../../src/conversations/get/pollConversations';

/** The times of all looks, where each takes no time. */
function looks(backoff: Backoff): number[] {
	const times = [0];
	for (;;) {
		const next = nextCheckAtMs(times.length, times.at(-1) ?? 0, backoff);
		if (next === undefined) return times;
		times.push(next);
	}
}

it('does not shorten a first pause that is longer than the longest', () => {
	expect(looks({ initialDelayMs: 90, maxDelayMs: 60, deadlineMs: 200 })).toEqual([0, 90, 180, 200]);
});

it('looks once more where the first look ended before the deadline, and never after it', () => {
	expect(nextCheckAtMs(1, 99, { initialDelayMs: 50, maxDelayMs: 60, deadlineMs: 100 })).toBe(100);
	expect(
		nextCheckAtMs(1, 100, { initialDelayMs: 50, maxDelayMs: 60, deadlineMs: 100 }),
	).toBeUndefined();
	expect(
		nextCheckAtMs(9, 5000, { initialDelayMs: 50, maxDelayMs: 60, deadlineMs: 100 }),
	).toBeUndefined();
});

it('always goes on, ends at the deadline, and never takes a pause outside of its bounds', () => {
	const ms = fc.integer({ min: 100, max: 3_600_000 });
	fc.assert(
		fc.property(ms, ms, ms, (firstPause, longestPause, deadline) => {
			const times = looks({
				initialDelayMs: firstPause,
				maxDelayMs: longestPause,
				deadlineMs: deadline,
			});
			expect(times.at(-1)).toBe(deadline);
			const pauses = times.slice(1, -1).map((time, i) => time - (times[i] ?? 0));
			for (const pause of pauses) {
				expect(pause).toBeGreaterThanOrEqual(firstPause * 0.999);
				expect(pause).toBeLessThanOrEqual(Math.max(firstPause, longestPause) * 1.001);
			}
		}),
		{ numRuns: 50 },
	);
});
