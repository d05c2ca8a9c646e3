/** How many requests may be in progress at once. */
export interface AdaptiveConcurrency {
	limit(): number;
	/** The service answered 429. */
	onThrottled(): void;
	/** The service answered 2xx. */
	onSuccess(): void;
}

/**
 * Starts with `start` requests and adds one per success, up to `max`. A 429 halves the number.
 * From then on it adds one per full round of successful requests.
 */
export function createAdaptiveConcurrency({
	start,
	max,
}: {
	start: number;
	max: number;
}): AdaptiveConcurrency {
	let limit = Math.max(1, Math.min(start, max));
	let successes = 0;
	let wasThrottled = false;
	return {
		limit: () => limit,
		onThrottled: () => {
			limit = Math.max(1, Math.floor(limit / 2));
			successes = 0;
			wasThrottled = true;
		},
		onSuccess: () => {
			successes += 1;
			if (limit >= max || (wasThrottled && successes < limit)) return;
			limit += 1;
			successes = 0;
		},
	};
}
