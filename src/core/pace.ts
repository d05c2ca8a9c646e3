/** How many requests may be under way at once: fewer when the service says that it is too much, more as it goes well. */
export interface Pace {
	limit(): number;
	/** The service asked for fewer requests. */
	slower(): void;
	/** A request went well. */
	faster(): void;
}

/** Starts with `start`, never exceeds `most`; halves at once, and takes one more after as many good replies as are under way. */
export function createPace({ start, most }: { start: number; most: number }): Pace {
	let limit = Math.max(1, Math.min(start, most));
	let good = 0;
	return {
		limit: () => limit,
		slower: () => {
			limit = Math.max(1, Math.floor(limit / 2));
			good = 0;
		},
		faster: () => {
			good += 1;
			if (good < limit || limit >= most) return;
			limit += 1;
			good = 0;
		},
	};
}
