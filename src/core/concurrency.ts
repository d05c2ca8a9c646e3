/** Runs `work` on all items, a bounded number at once; returns the results in the order of the items. */
export async function mapConcurrent<T, R>(
	items: Iterable<T>,
	limit: number | (() => number),
	work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	const queue = items[Symbol.iterator]();
	let taken = 0;
	const max = typeof limit === 'number' ? () => limit : limit;
	const running = new Set<Promise<void>>();
	let isOpen = true;
	while (isOpen || running.size > 0) {
		while (isOpen && running.size < Math.max(1, max())) {
			const next = queue.next();
			if (next.done === true) {
				isOpen = false;
				break;
			}
			const index = taken++;
			const task: Promise<void> = work(next.value, index).then((result) => {
				results[index] = result;
				running.delete(task);
			});
			running.add(task);
		}
		if (running.size > 0) await Promise.race(running);
	}
	return results;
}

/** Does a call when its turn has come. */
export type RunExclusive = <R>(call: () => Promise<R>) => Promise<R>;

/** Limits how many calls run at once; the others wait for their turn. The limit may change meanwhile. */
export function createLimiter(limit: () => number): RunExclusive {
	const waiting: Array<() => void> = [];
	let running = 0;
	return async (call) => {
		if (running >= Math.max(1, limit())) await new Promise<void>((go) => void waiting.push(go));
		else running += 1;
		try {
			return await call();
		} finally {
			running -= 1;
			while (waiting.length > 0 && running < Math.max(1, limit())) {
				running += 1;
				waiting.shift()?.();
			}
		}
	};
}

/** Ms for which n8n's main thread may be busy with rows at a stretch: everyone else waits for it. */
const STRETCH_MS = 50;

/** Maps many things, and lets n8n serve other requests in between. */
export async function mapYielding<T, R>(
	items: Iterable<T>,
	map: (item: T, index: number) => R,
	{ now, sleep }: { readonly now: () => number; readonly sleep: (ms: number) => Promise<void> },
): Promise<R[]> {
	const results: R[] = [];
	let sinceMs = now();
	for (const item of items) {
		results.push(map(item, results.length));
		if (now() - sinceMs < STRETCH_MS) continue;
		await sleep(0);
		sinceMs = now();
	}
	return results;
}
