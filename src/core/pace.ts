/** How many requests may be under way at once: fewer when the service says that it is too much, more as it goes well. */
export interface Pace {
	limit(): number;
	/** The service asked for fewer requests. */
	slower(): void;
	/** A request went well. */
	faster(): void;
}

/**
 * Starts with `start`, never exceeds `most`. Takes one more with each good reply until the service asks for fewer for the
 * first time; halves then, at once, and from then on takes one more after as many good replies as are under way.
 */
export function createPace({ start, most }: { start: number; most: number }): Pace {
	let limit = Math.max(1, Math.min(start, most));
	let good = 0;
	let isKnown = false;
	return {
		limit: () => limit,
		slower: () => {
			limit = Math.max(1, Math.floor(limit / 2));
			good = 0;
			isKnown = true;
		},
		faster: () => {
			good += 1;
			if (limit >= most || (isKnown && good < limit)) return;
			limit += 1;
			good = 0;
		},
	};
}
