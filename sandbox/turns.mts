import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Gives callers a turn of the event loop each, one after the other. Replies that are due at the same time would otherwise
 * be made in one go, and what arrives meanwhile would be noticed, and its latency begun, only after all of them.
 */
export function createTurns(): () => Promise<void> {
	let last: Promise<void> = Promise.resolve();
	return async () => {
		last = last.then(async () => await nextTurn());
		await last;
	};
}
