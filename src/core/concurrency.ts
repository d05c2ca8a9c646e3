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

/** Runs a call in its turn. */
export type RunExclusive = <R>(call: () => Promise<R>) => Promise<R>;

/** Limits how many calls run at once. The limit may change while calls wait. */
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

/** Max ms without a pause, because n8n's main thread also serves other users. */
const STRETCH_MS = 50;

/** Maps many items, with pauses in which n8n serves other requests. */
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
