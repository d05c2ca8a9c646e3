/** Makes a token bucket on the clock `now` (ms): each call takes a token, false when there is none. */
export function createTokenBucket(
	rate: { perSecond: number; burst?: number | undefined },
	now: () => number,
): () => boolean {
	const size = rate.burst ?? Math.max(1, rate.perSecond);
	let tokens = size;
	let filledAt = now();
	return () => {
		const time = now();
		tokens = Math.min(size, tokens + ((time - filledAt) * rate.perSecond) / 1000);
		filledAt = time;
		if (tokens < 1) return false;
		tokens -= 1;
		return true;
	};
}
