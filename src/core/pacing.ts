import { inRange } from 'lodash';

/** How many requests may be in progress at once. */
export interface AdaptiveConcurrency {
	readonly limit: number;
	/** Adapts the limit to the status of a response. */
	note(status: number): void;
}

/**
 * Starts with `start` requests and adds one per success, up to `max`. A 429 halves the number.
 * From then on it adds one per full round of successful requests.
 */
export function createAdaptiveConcurrency(start: number, max: number): AdaptiveConcurrency {
	let successes = 0;
	let wasThrottled = false;
	const concurrency = {
		limit: Math.max(1, Math.min(start, max)),
		note: (status: number) => {
			const { limit } = concurrency;
			if (status === 429) {
				concurrency.limit = Math.max(1, Math.floor(limit / 2));
				successes = 0;
				wasThrottled = true;
			}
			if (!inRange(status, 200, 300)) return;
			successes += 1;
			if (limit >= max || (wasThrottled && successes < limit)) return;
			concurrency.limit += 1;
			successes = 0;
		},
	};
	return concurrency;
}
