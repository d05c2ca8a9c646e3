/** How many requests may be in progress at once: fewer when the service says that it is too much, more as it goes well. */
export interface AdaptiveConcurrency {
	limit(): number;
	/** The service asked for fewer requests. */
	onThrottled(): void;
	/** A request went well; its reply took so many ms. */
	onSuccess(ms: number): void;
}

/**
 * A reply that takes this many times as long as the quickest one waited longer than it was worked on: at the service, at
 * its network or in a busy n8n. To ask for more at once would only make it wait longer.
 */
const MAX_SLOWDOWN = 2;

/**
 * Starts with `start`, never exceeds `max`. Takes one more with each quick reply and, above `start`, one less with each that
 * had to wait, so it settles where half of them do. Halves at once when the service asks for fewer, and from then on takes
 * one more after as many quick replies as are in progress.
 */
export function createAdaptiveConcurrency({
	start,
	max,
}: {
	start: number;
	max: number;
}): AdaptiveConcurrency {
	const first = Math.max(1, Math.min(start, max));
	let limit = first;
	let quickestMs = Infinity;
	let successes = 0;
	let wasThrottled = false;
	return {
		limit: () => limit,
		onThrottled: () => {
			limit = Math.max(1, Math.floor(limit / 2));
			successes = 0;
			wasThrottled = true;
		},
		onSuccess: (ms) => {
			quickestMs = Math.min(quickestMs, ms);
			if (ms > MAX_SLOWDOWN * quickestMs) {
				limit = Math.min(limit, Math.max(first, limit - 1));
				return;
			}
			successes += 1;
			if (limit >= max || (wasThrottled && successes < limit)) return;
			limit += 1;
			successes = 0;
		},
	};
}

/** Keeps reads as far apart as the limit of a service wants them, which it finds out from what is throttled. */
export interface RequestSpacing {
	/** How long (ms) the next request has to wait before it asks again; with 0 it takes its place. */
	waitMs(nowMs: number): number;
	/** A request was throttled; `askedMs` is the pause that the service asks for. */
	onThrottled(times: { sentAtMs: number; nowMs: number; askedMs: number | undefined }): void;
	onSuccess(sentAtMs: number): void;
	/** Whether requests are held back at all. */
	isOn(): boolean;
	/** Whether a service that served its last request not long ago has most likely just no place yet. */
	isWaiting(nowMs: number): boolean;
}

/** A longer pause is that of a window, after which many requests may be sent. */
const MAX_MS = 5_000;
/** Closer than this, requests are not held back. */
const MIN_MS = 20;
const PROBE_MS = { first: 100, min: 30, max: 500, share: 0.05 };
/** By how much longer each look is after one that found no place. */
const PROBE_GROWTH = 1.5;
/** Successes after which a shorter distance is tried once more. */
const SUCCESSES_AT_FLOOR = 30;

/**
 * Without a pause that the service asks for, a throttled place is only a little early, so it is tried again soon. With
 * one, an early place costs the whole pause, so the distance that was enough is kept for a while.
 */
export function createRequestSpacing(): RequestSpacing {
	let intervalMs = 0;
	let floorMs = 0;
	let enoughMs = 0;
	let nextMs = 0;
	let servedAtMs = -Infinity;
	let adjustedAtMs = -Infinity;
	let successes = 0;
	let misses = 0;
	let isThrottled = false;
	let isAsked = false;

	const afterPause = (askedMs: number, nowMs: number): void => {
		const isLearned = enoughMs > 0;
		floorMs = isLearned ? enoughMs : 0;
		intervalMs = isLearned ? enoughMs : askedMs * 1.01;
		nextMs = nowMs + askedMs;
	};

	const probeMs = (): number =>
		Math.min(
			PROBE_MS.max,
			Math.max(PROBE_MS.min, intervalMs * PROBE_MS.share) * PROBE_GROWTH ** Math.max(0, misses - 1),
		);

	const measure = (gapMs: number): void => {
		const wasThrottled = isThrottled;
		isThrottled = false;
		successes += 1;
		if (!isAsked) {
			intervalMs = Math.min(MAX_MS, wasThrottled ? gapMs : intervalMs) * 0.97;
			return;
		}
		if (wasThrottled) return;
		enoughMs = Math.max(gapMs, intervalMs);
		if (successes % SUCCESSES_AT_FLOOR === 0) floorMs *= 0.95;
		intervalMs = Math.max(floorMs, intervalMs * 0.8);
	};

	return {
		waitMs: (nowMs) => {
			if (nowMs < nextMs) return Math.min(nextMs - nowMs, probeMs());
			nextMs = nowMs + intervalMs;
			return 0;
		},
		onThrottled: ({ sentAtMs, nowMs, askedMs }) => {
			if (sentAtMs < adjustedAtMs || (askedMs ?? 0) > MAX_MS) return;
			adjustedAtMs = nowMs;
			isThrottled = true;
			misses += 1;
			successes = 0;
			isAsked = askedMs !== undefined && askedMs > 0;
			if (isAsked) return afterPause(askedMs ?? 0, nowMs);
			if (intervalMs === 0) intervalMs = PROBE_MS.first;
			nextMs = nowMs + probeMs();
		},
		onSuccess: (sentAtMs) => {
			const gapMs = sentAtMs - servedAtMs;
			servedAtMs = Math.max(servedAtMs, sentAtMs);
			misses = 0;
			if (intervalMs === 0) return;
			measure(gapMs);
			if (intervalMs < MIN_MS) [intervalMs, floorMs, enoughMs] = [0, 0, 0];
			nextMs = Math.max(nextMs, sentAtMs + intervalMs);
		},
		isOn: () => intervalMs > 0,
		isWaiting: (nowMs) => intervalMs > 0 && nowMs - servedAtMs < 2 * intervalMs + 2_000,
	};
}
