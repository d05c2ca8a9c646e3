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
