/** How many calls may run at once, at least one. The limit may change while calls wait. */
export interface Limit {
	readonly limit: number;
}

/** Runs `work` on all items, at most `max.limit` at once. Returns the results in the order of the items. */
export async function mapConcurrent<T, R>(
	items: Iterable<T>,
	max: Limit,
	work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	const running = new Set<Promise<void>>();
	let taken = 0;
	for (const item of items) {
		const index = taken++;
		const task: Promise<void> = work(item, index).then((result) => {
			results[index] = result;
			running.delete(task);
		});
		running.add(task);
		// The limit may have changed meanwhile.
		while (running.size >= Math.max(1, max.limit)) await Promise.race(running);
	}
	await Promise.all(running);
	return results;
}

/** Runs a call in its turn. */
export type RunInTurn = <R>(call: () => Promise<R>) => Promise<R>;

/** Creates a function that runs calls, at most `max.limit` at once. Other calls wait in their order. */
export function createLimiter(max: Limit): RunInTurn {
	const waiting: Array<() => void> = [];
	let running = 0;
	const hasRoom = () => running < Math.max(1, max.limit);
	return async (call) => {
		// A waiting call is not counted here, because the call that starts it raises `running`.
		if (hasRoom()) running += 1;
		else await new Promise<void>((start) => void waiting.push(start));
		try {
			return await call();
		} finally {
			running -= 1;
			while (waiting.length > 0 && hasRoom()) {
				running += 1;
				waiting.shift()?.();
			}
		}
	};
}

/** Max ms without a pause, because n8n's main thread also serves other users. */
const MAX_BUSY_MS = 50;

/** The host of long work: its clock, its pauses, and the user's stop signal. */
export interface Pausing {
	readonly now: () => number;
	/** Waits some ms, or until the user stops the workflow. */
	readonly sleep: (ms: number) => Promise<void>;
	/** Aborted once the user stops the workflow; `sleep` returns at once then. */
	readonly signal: AbortSignal;
}

/** Maps items until the user stops the workflow. Pauses every 50 ms, because n8n serves other users meanwhile. */
export async function mapYielding<T, R>(
	items: Iterable<T>,
	map: (item: T, index: number) => R,
	{ now, sleep, signal }: Pausing,
): Promise<R[]> {
	const results: R[] = [];
	let resumedMs = now();
	for (const item of items) {
		if (signal.aborted) break;
		results.push(map(item, results.length));
		if (now() - resumedMs < MAX_BUSY_MS) continue;
		await sleep(0);
		resumedMs = now();
	}
	return results;
}
