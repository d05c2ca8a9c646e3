/**
 * Runs `work` over all items, a bounded number of them at once, each taken when its turn comes; the bound may change meanwhile.
 * Returns the results in the order of the items.
 */
export async function mapConcurrent<T, R>(
	items: Iterable<T>,
	limit: number | (() => number),
	work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	const queue = numbered(items)[Symbol.iterator]();
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
			const [index, item] = next.value;
			const task: Promise<void> = work(item, index).then((result) => {
				results[index] = result;
				running.delete(task);
			});
			running.add(task);
		}
		if (running.size > 0) await Promise.race(running);
	}
	return results;
}

function* numbered<T>(items: Iterable<T>): Generator<readonly [number, T], void, undefined> {
	let index = 0;
	for (const item of items) yield [index++, item];
}

/**
 * Lets callers pass one at a turn of the event loop, the first at once. Requests that are begun in one go would all be
 * written only after the last of them was made ready.
 */
export function createStagger(turn: () => Promise<void>): () => Promise<void> {
	let open: Promise<void> = Promise.resolve();
	return async () => {
		const mine = open;
		open = mine.then(turn);
		await mine;
	};
}

/** How much to have ready, and what lets others go on first. */
interface PrefetchOptions {
	readonly max: number;
	readonly turn: () => Promise<void>;
}

/**
 * Passes on what a source makes, and makes up to `max` of it ahead while the caller waits for something else, so the
 * next is ready when it is asked for. What the source throws comes after all that it made before.
 */
export function* prefetch<T>(
	source: Iterable<T>,
	{ max, turn }: PrefetchOptions,
): Generator<T, void, undefined> {
	const iterator = source[Symbol.iterator]();
	const ready: T[] = [];
	const thrown: unknown[] = [];
	let isOpen = true;
	let isMaking = false;

	const make = (): void => {
		try {
			const next = iterator.next();
			if (next.done === true) isOpen = false;
			else ready.push(next.value);
		} catch (error) {
			isOpen = false;
			thrown.push(error);
		}
	};

	const makeAhead = async (): Promise<void> => {
		if (isMaking) return;
		isMaking = true;
		for (await turn(); isOpen && ready.length < max; await turn()) make();
		isMaking = false;
	};

	for (;;) {
		if (ready.length === 0 && isOpen) make();
		if (ready.length === 0) break;
		void makeAhead();
		yield* ready.splice(0, 1);
	}
	if (thrown.length > 0) throw thrown[0];
}

/** Lets calls wait for each other: each starts when those before it have ended, well or not. */
export type RunExclusive = <R>(call: () => Promise<R>) => Promise<R>;

/** Makes turns by name; calls under one name never overlap, and a name is forgotten when no one waits under it. */
export function createKeyedMutex(): { of(name: string): RunExclusive; names(): number } {
	const last = new Map<string, Promise<void>>();
	return {
		of: (name) => async (call) => {
			const done = (last.get(name) ?? Promise.resolve()).then(call);
			const ended = done.then(nothing, nothing);
			last.set(name, ended);
			void ended.then(() => {
				if (last.get(name) === ended) last.delete(name);
			});
			return await done;
		},
		names: () => last.size,
	};
}

const nothing = (): void => undefined;

/** Makes a limit on calls: so many run at once, the others wait for their turn; the bound may change meanwhile. */
export function createLimiter(limit: () => number): RunExclusive {
	const waiting: Array<() => void> = [];
	let running = 0;
	const admit = (): void => {
		while (running < Math.max(1, limit())) {
			const next = waiting.shift();
			if (!next) return;
			running += 1;
			next();
		}
	};
	return async (call) => {
		await new Promise<void>((resolve) => {
			waiting.push(resolve);
			admit();
		});
		try {
			return await call();
		} finally {
			running -= 1;
			admit();
		}
	};
}
