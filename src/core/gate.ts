/**
 * Lets callers pass one at a turn of the event loop, the first at once. Requests that are begun in one go would all be
 * written only after the last of them was made ready.
 */
export function createGate(turn: () => Promise<void>): () => Promise<void> {
	let open: Promise<void> = Promise.resolve();
	return async () => {
		const mine = open;
		open = mine.then(turn);
		await mine;
	};
}
