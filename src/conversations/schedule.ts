/** How to wait, all in ms: pauses that grow from the first to the longest, and when to give up. */
export interface Patience {
	readonly firstPause: number;
	readonly longestPause: number;
	readonly deadline: number;
}

/** By how much each pause is longer than the one before. */
export const GROWTH = 1.5;

/** When to look again (ms) after the n-th look, which ended `now`; undefined once the deadline has come. The last look is at the deadline. */
export function nextLook(looks: number, now: number, patience: Patience): number | undefined {
	const { firstPause, longestPause, deadline } = patience;
	if (now >= deadline) return undefined;
	const grown = firstPause * GROWTH ** (looks - 1);
	return Math.min(now + Math.min(grown, Math.max(firstPause, longestPause)), deadline);
}
