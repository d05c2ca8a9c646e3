/** How many requests may be under way at once: fewer when the service says that it is too much, more as it goes well. */
export interface Pace {
	limit(): number;
	/** The service asked for fewer requests. */
	slower(): void;
	/** A request went well; its reply took so many ms. */
	faster(ms: number): void;
}

/**
 * A reply that takes this many times as long as the quickest one waited longer than it was worked on: at the service, at
 * its network or in a busy n8n. To ask for more at once would only make it wait longer.
 */
const CROWDED = 2;

/**
 * Starts with `start`, never exceeds `most`. Takes one more with each quick reply and, above `start`, one less with each that
 * had to wait, so that it settles where half of them do. Halves at once when the service asks for fewer, and from then on takes
 * one more after as many quick replies as are under way.
 */
export function createPace({ start, most }: { start: number; most: number }): Pace {
	const first = Math.max(1, Math.min(start, most));
	let limit = first;
	let quickest = Infinity;
	let good = 0;
	let wasRefused = false;
	return {
		limit: () => limit,
		slower: () => {
			limit = Math.max(1, Math.floor(limit / 2));
			good = 0;
			wasRefused = true;
		},
		faster: (ms) => {
			quickest = Math.min(quickest, ms);
			if (ms > CROWDED * quickest) {
				limit = Math.min(limit, Math.max(first, limit - 1));
				return;
			}
			good += 1;
			if (limit >= most || (wasRefused && good < limit)) return;
			limit += 1;
			good = 0;
		},
	};
}
