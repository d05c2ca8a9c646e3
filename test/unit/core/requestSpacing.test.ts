import type { RequestSpacing } from '../../../src/core/requestSpacing';
import { createRequestSpacing } from '../../../src/core/requestSpacing';
import { createTokenBucket } from '../../../sandbox/tokenBucket.mts';
import { fakeRuntime, reply } from '../../support/fakeRuntime';
import { readAlone } from '../../support/readAlone';
import { searchPage, ticket, upTo } from '../../support/tickets';

const PAGES = 40;
const rows = upTo(PAGES * 100).map((n) => ticket(n));

/** Reads all tickets of a service that allows so many requests a second. */
async function read(rate: number, { burst, retryAfter }: { burst: number; retryAfter?: string }) {
	const take = createTokenBucket({ perSecond: rate, burst });
	let served = 0;
	let asked = 0;
	const { context, runtime } = fakeRuntime(
		({ body, at }) => {
			asked += 1;
			if (!take(at))
				return reply(429, '', retryAfter === undefined ? {} : { 'retry-after': retryAfter });
			served += 1;
			return searchPage(rows, body);
		},
		{ latency: 20, random: 0.5 },
	);
	const startMs = runtime.now();
	const reading = await readAlone(
		{ filters: {}, sort: [], select: [] },
		{ offset: 0, pageSize: 100, parallelRequests: 20, timeoutMs: 1_000 },
		context().client,
	);
	return { ...reading, served, asked, seconds: (runtime.now() - startMs) / 1000 };
}

describe('a token bucket', () => {
	it.each([
		[1, 1, undefined],
		[1, 10, undefined],
		[1, 1, '1'],
		[1, 10, '1'],
		[2, 1, undefined],
		[0.5, 1, '2'],
		[0.3, 1, undefined],
	])(
		'of %d a second and a burst of %d, with Retry-After %p, is used to nine tenths and read to its end, and is seldom asked in vain',
		async (rate, burst, retryAfter) => {
			const options = { burst, ...(retryAfter !== undefined && { retryAfter }) };
			const { failure, rows: found, seconds, served, asked } = await read(rate, options);
			expect(failure).toBeUndefined();
			expect(found).toHaveLength(PAGES * 100);
			expect((served - burst) / rate / seconds).toBeGreaterThan(0.9);
			// A service that is not kept at a distance is asked several times as often.
			expect(asked / served).toBeLessThan(1.7);
		},
	);
});

/** Asks for places until one is free. Returns when it was. */
const placeAfter = (spacing: RequestSpacing, fromMs: number): number => {
	let nowMs = fromMs;
	for (let waitMs = 0; (waitMs = spacing.waitMs(nowMs)) > 0;) nowMs += waitMs;
	return nowMs;
};
const throttled = (nowMs: number, askedMs?: number) => ({ sentAtMs: nowMs - 20, nowMs, askedMs });

describe('the distance between requests', () => {
	it('is none before a service throttles, nor where it asks for the pause of a window', () => {
		const spacing = createRequestSpacing();
		spacing.onSuccess(0);
		spacing.onThrottled(throttled(30, 5_001));
		expect([spacing.waitMs(31), spacing.waitMs(31)]).toEqual([0, 0]);
	});

	it('is the pause that the service asks for, then what was between two that were served', () => {
		const spacing = createRequestSpacing();
		spacing.onSuccess(0);
		spacing.onThrottled(throttled(30, 1_000));
		expect(placeAfter(spacing, 30)).toBe(1_030);
		spacing.onSuccess(1_030);
		expect(placeAfter(spacing, 1_030)).toBe(2_060);
		// What was sent before the last change says nothing new.
		spacing.onThrottled({ sentAtMs: 29, nowMs: 2_070, askedMs: 4_000 });
		spacing.onSuccess(2_060);
		expect(placeAfter(spacing, 2_060)).toBe(3_090);
		spacing.onSuccess(3_090);
		// A fifth less is tried, and where that is too little, what was enough is taken again.
		expect(placeAfter(spacing, 3_090)).toBe(3_914);
		spacing.onThrottled(throttled(3_934, 1_000));
		expect(placeAfter(spacing, 3_934)).toBe(4_934);
		spacing.onSuccess(4_934);
		expect(placeAfter(spacing, 4_934)).toBe(4_934 + 1_030);
	});

	it('is forgotten once it is shorter than 20 ms', () => {
		const spacing = createRequestSpacing();
		spacing.onSuccess(0);
		spacing.onThrottled(throttled(20));
		spacing.onSuccess(19);
		expect([spacing.waitMs(20), spacing.waitMs(20)]).toEqual([0, 0]);
	});
});
