/** Runs `work` over all items, at most `size` at once, and returns the results in the order of the items. */
export async function pool<T, R>(
	items: readonly T[],
	size: number,
	work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results = new Array<R>(items.length);
	const queue = items.entries();
	// All runners take from one iterator, so that each item is taken once.
	const runner = async (): Promise<void> => {
		for (const [index, item] of queue) results[index] = await work(item, index);
	};
	await Promise.all(Array.from({ length: Math.min(size, items.length) }, runner));
	return results;
}
