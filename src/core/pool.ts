/** Runs `work` over all items, at most `size` at once, each taken when its turn comes; returns the results in their order. */
export async function pool<T, R>(
	items: Iterable<T>,
	size: number,
	work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	const queue = numbered(items);
	// All runners take from one iterator, so that each item is taken once.
	const runner = async (): Promise<void> => {
		for (const [index, item] of queue) results[index] = await work(item, index);
	};
	await Promise.all(Array.from({ length: size }, runner));
	return results;
}

function* numbered<T>(items: Iterable<T>): Generator<readonly [number, T], void, undefined> {
	let index = 0;
	for (const item of items) yield [index++, item];
}
