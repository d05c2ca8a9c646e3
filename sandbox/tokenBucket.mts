/** A token bucket on the clock (ms) that its caller names: each call takes a token, false where there is none. */
export function createTokenBucket({ perSecond, burst }: { perSecond: number; burst: number }) {
	let tokens = burst;
	let filledAtMs: number | undefined;
	return (nowMs: number): boolean => {
		tokens = Math.min(burst, tokens + ((nowMs - (filledAtMs ?? nowMs)) * perSecond) / 1000);
		filledAtMs = nowMs;
		if (tokens < 1) return false;
		tokens -= 1;
		return true;
	};
}
