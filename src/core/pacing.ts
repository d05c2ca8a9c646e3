import { inRange } from 'lodash';

/** How many requests may be in progress at once. */
export interface AdaptiveConcurrency {
	readonly limit: number;
	/** Adapts the limit to the status of a response. */
	note(status: number): void;
}

/** Creates a limit that grows by one per success, up to `max`. A 429 halves it and slows its growth. */
export function createAdaptiveConcurrency(start: number, max = start): AdaptiveConcurrency {
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
			// After a 429 the limit grows once per `limit` successes, which is one full round of requests.
			if (limit >= max || (wasThrottled && successes < limit)) return;
			concurrency.limit += 1;
			successes = 0;
		},
	};
	return concurrency;
}
