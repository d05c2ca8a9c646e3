import { createClient } from '../../../src/core/client';
import { createRequestSpacing } from '../../../src/core/pacing';
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

it('sends each read until it is served, though a service takes one in ten seconds', async () => {
	const taken = new Set<number>();
	const service = ({ at }: { readonly at: number }) => {
		const window = Math.floor(at / 10_000);
		if (taken.has(window)) return reply(429, '', { 'retry-after': '10' });
		taken.add(window);
		return reply(200);
	};
	const { runtime } = fakeRuntime(service, { latency: 20 });
	const client = createClient(runtime);
	const request = { method: 'GET', path: '/conversations/1', idempotent: true } as const;
	const reads = Array.from({ length: 8 }, async () => {
		const { response } = await client.deliver({ ...request, isPaced: true });
		return response;
	});
	expect(await Promise.all(reads)).toEqual(Array(8).fill(reply(200)));
});

describe('a token bucket', () => {
	it.each([
		[1, 1, undefined],
		[1, 10, undefined],
		[1, 1, '1'],
		[1, 10, '1'],
		[2, 1, undefined],
		[0.5, 1, '2'],
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

describe('the distance between requests', () => {
	/** Asks for places until one is free. Returns the moments of looking, the last of which is the place. */
	const looks = (spacing: ReturnType<typeof createRequestSpacing>, fromMs: number): number[] => {
		const moments = [fromMs];
		for (let nowMs = fromMs; moments.length < 100;) {
			const waitMs = spacing.waitMs(nowMs);
			if (waitMs === 0) break;
			nowMs += waitMs;
			moments.push(nowMs);
		}
		return moments;
	};
	const throttled = (nowMs: number, askedMs?: number) => ({ sentAtMs: nowMs - 20, nowMs, askedMs });

	it('is none before a service throttles', () => {
		const spacing = createRequestSpacing();
		spacing.onSuccess(0);
		expect(spacing.isOn()).toBe(false);
		expect(spacing.isWaiting(1)).toBe(false);
		expect([spacing.waitMs(1), spacing.waitMs(1), spacing.waitMs(1)]).toEqual([0, 0, 0]);
	});

	it('is looked for more and more rarely, up to half a second, while there is no place', () => {
		const spacing = createRequestSpacing();
		const waits = Array.from({ length: 10 }, (_, n) => {
			spacing.onThrottled(throttled(1_000 * (n + 1)));
			return spacing.waitMs(1_000 * (n + 1));
		});
		expect(spacing.isOn()).toBe(true);
		expect(waits).toEqual([30, 45, 67.5, 101.25, 151.875, 227.8125, 341.71875, 500, 500, 500]);
	});

	it('is measured between requests that were served, and then made a little shorter with each', () => {
		const spacing = createRequestSpacing();
		spacing.onSuccess(0);
		spacing.onThrottled(throttled(30));
		expect(looks(spacing, 30)).toEqual([30, 60]);
		// The next place is the first distance away.
		expect(looks(spacing, 60)).toEqual([60, 90, 120, 150, 160]);
		spacing.onSuccess(200);
		// 0.97 of the 200 ms that were between two.
		expect(looks(spacing, 200).at(-1)).toBe(394);
		expect(looks(spacing, 394).at(-1)).toBe(588);
		spacing.onSuccess(588);
		expect(looks(spacing, 588).at(-1)).toBe(782);
		expect(looks(spacing, 782).at(-1)).toBeCloseTo(970.18);
	});

	it('is the pause that the service asks for, until a shorter one was enough', () => {
		const spacing = createRequestSpacing();
		spacing.onSuccess(0);
		spacing.onThrottled(throttled(30, 1_000));
		expect(looks(spacing, 30).at(-1)).toBe(1_030);
		expect(looks(spacing, 1_030).at(-1)).toBe(2_040);
		// The first one after a pause teaches nothing.
		spacing.onSuccess(1_030);
		spacing.onSuccess(2_040);
		expect(looks(spacing, 2_040).at(-1)).toBe(3_050);
		expect(looks(spacing, 3_050).at(-1)).toBe(3_858);
		spacing.onSuccess(3_050);
		spacing.onSuccess(3_858);
		expect(looks(spacing, 3_858).at(-1)).toBe(4_666);
		// Too early by now: the last distance that was enough is kept.
		spacing.onThrottled(throttled(4_700, 1_000));
		expect(looks(spacing, 4_700).at(-1)).toBe(5_700);
		expect(looks(spacing, 5_700).at(-1)).toBe(6_508);
	});

	it('is forgotten once it is shorter than 20 ms', () => {
		const spacing = createRequestSpacing();
		spacing.onSuccess(0);
		spacing.onThrottled(throttled(20));
		spacing.onSuccess(21);
		expect(spacing.isOn()).toBe(true);
		spacing.onSuccess(22);
		expect(spacing.isOn()).toBe(false);
		expect(looks(spacing, 100)).toEqual([100]);
		expect(looks(spacing, 100)).toEqual([100]);
	});

	it('takes no notice of pauses of windows, nor of what was sent before the last change', () => {
		const spacing = createRequestSpacing();
		spacing.onThrottled(throttled(30, 5_001));
		expect(spacing.isOn()).toBe(false);
		spacing.onThrottled(throttled(30, 5_000));
		expect(spacing.isOn()).toBe(true);
		expect(spacing.waitMs(5_029)).toBeGreaterThan(0);
		spacing.onThrottled({ sentAtMs: 29, nowMs: 40, askedMs: 1_000 });
		expect(spacing.waitMs(5_029)).toBeGreaterThan(0);
		spacing.onThrottled({ sentAtMs: 30, nowMs: 50, askedMs: 1_000 });
		expect(spacing.waitMs(1_049)).toBeGreaterThan(0);
		expect(spacing.waitMs(1_050)).toBe(0);
	});

	it('counts a pause of no time as none', () => {
		const spacing = createRequestSpacing();
		spacing.onThrottled(throttled(30, 0));
		expect(looks(spacing, 30)).toEqual([30, 60]);
	});

	it('says for how long a service has most likely just no place', () => {
		const spacing = createRequestSpacing();
		expect(spacing.isWaiting(0)).toBe(false);
		spacing.onThrottled(throttled(30));
		expect(spacing.isWaiting(40)).toBe(false);
		spacing.onSuccess(0);
		spacing.onThrottled(throttled(60));
		spacing.onSuccess(100);
		// Twice 97 ms and two seconds after the last one.
		expect(spacing.isWaiting(2_293.9)).toBe(true);
		expect(spacing.isWaiting(2_294)).toBe(false);
	});
});
