/** Keeps reads as far apart as the limit of a service wants them, which it finds out from what is throttled. */
export interface RequestSpacing {
	/** How long (ms) the next request has to wait before it asks again; with 0 it takes its place. */
	waitMs(nowMs: number): number;
	/** A request was throttled; `askedMs` is the pause that the service asks for. */
	onThrottled(times: { sentAtMs: number; nowMs: number; askedMs: number | undefined }): void;
	onSuccess(sentAtMs: number): void;
	/** Whether a service that served a request since then, or not long ago, has most likely just no place yet. */
	isServing(times: { sinceMs: number; nowMs: number }): boolean;
}

/** A longer pause is that of a window, after which many requests may be sent. */
const MAX_MS = 5_000;
/** Closer than this, requests are not held back. */
const MIN_MS = 20;
/** How soon a place is looked for again, as a share of the distance; each further look is later by half. */
const PROBE = { min: 30, max: 500, share: 0.05, growth: 1.5 };
/** How much shorter each distance is tried, and after how many successes one that was too short is tried again. */
const SHORTER = 0.8;
const PATIENCE = 20;

/** Measures the distance at which requests are served and tries a shorter one from time to time; before the first throttled one it holds nothing back. */
export function createRequestSpacing(): RequestSpacing {
	let intervalMs = 0;
	let enoughMs = Infinity;
	let nextMs = 0;
	let servedAtMs = -Infinity;
	let adjustedAtMs = -Infinity;
	let successes = 0;
	let misses = 0;

	const probeMs = (): number => {
		const firstMs = Math.max(PROBE.min, intervalMs * PROBE.share);
		return Math.min(PROBE.max, firstMs * PROBE.growth ** Math.max(0, misses - 1));
	};

	const measure = (gapMs: number): void => {
		if (misses === 0) {
			enoughMs = Math.max(gapMs, intervalMs);
			successes += 1;
			if (successes > PATIENCE) intervalMs *= SHORTER;
			return;
		}
		// The first distance may be far too long; a later one was made too short by a step.
		successes = enoughMs === Infinity ? PATIENCE : 0;
		intervalMs = Math.min(enoughMs, gapMs, MAX_MS);
		enoughMs = Infinity;
	};

	return {
		waitMs: (nowMs) => {
			if (nowMs < nextMs) return Math.min(nextMs - nowMs, probeMs());
			nextMs = nowMs + intervalMs;
			return 0;
		},
		onThrottled: ({ sentAtMs, nowMs, askedMs = 0 }) => {
			if (sentAtMs < adjustedAtMs || askedMs > MAX_MS) return;
			adjustedAtMs = nowMs;
			misses += 1;
			intervalMs ||= MIN_MS;
			nextMs = nowMs + (askedMs || probeMs());
		},
		onSuccess: (sentAtMs) => {
			const gapMs = sentAtMs - servedAtMs;
			servedAtMs = Math.max(servedAtMs, sentAtMs);
			if (intervalMs === 0) return;
			measure(gapMs);
			misses = 0;
			if (intervalMs < MIN_MS) [intervalMs, enoughMs, nextMs] = [0, Infinity, 0];
			nextMs = Math.max(nextMs, sentAtMs + intervalMs);
		},
		isServing: ({ sinceMs, nowMs }) =>
			servedAtMs >= sinceMs || (intervalMs > 0 && nowMs - servedAtMs < 2 * intervalMs + 2_000),
	};
}
