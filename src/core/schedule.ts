import type { OperationContext } from './operation';

/** Milliseconds in an hour. */
export const HOUR_MS = 3_600_000;

/** Milliseconds in a minute. */
export const MINUTE_MS = 60_000;

/** How tasks are worked off: at most `parallel` at once, a bound that may change; `work` gives back a task that is due again later. */
export interface ScheduleOptions<T> {
	readonly parallel: number | (() => number);
	readonly work: (task: T) => Promise<Scheduled<T> | undefined>;
}

/** Works off tasks by the times at which they are due, until none is left or the user stops; the first round is due now. */
export async function runScheduled<T>(
	tasks: readonly T[],
	{ parallel, work }: ScheduleOptions<T>,
	context: Pick<OperationContext, 'now' | 'sleep' | 'signal'>,
): Promise<void> {
	const queue = createPriorityQueue<T>();
	const startMs = context.now();
	for (const task of tasks) queue.add({ task, atMs: startMs });
	const limit = typeof parallel === 'number' ? () => parallel : parallel;
	const runners = new Set<Promise<void>>();
	const run = async (): Promise<void> => {
		while (!context.signal.aborted && runners.size <= Math.max(1, limit())) {
			const next = queue.first();
			// What other runners hold, they put back and work off themselves.
			if (next === undefined) return;
			const pauseMs = next.atMs - context.now();
			if (pauseMs > 0) {
				await context.sleep(pauseMs);
				continue;
			}
			queue.take();
			const again = await work(next.task);
			if (again) queue.add(again);
			fill();
		}
	};
	const fill = (): void => {
		while (runners.size < limit() && (queue.first()?.atMs ?? Infinity) <= context.now()) {
			const runner: Promise<void> = run().then(() => void runners.delete(runner));
			runners.add(runner);
		}
	};
	fill();
	while (runners.size > 0) await Promise.race(runners);
}

/** A queue from which the earliest task comes first; of those due at the same time, the one that was added first. */
export interface PriorityQueue<T> {
	first(): Scheduled<T> | undefined;
	take(): Scheduled<T> | undefined;
	add(due: Scheduled<T>): void;
}

/** A task and when it is due, in ms. */
export interface Scheduled<T> {
	readonly task: T;
	readonly atMs: number;
}

type Entry<T> = Scheduled<T> & { readonly number: number };

/** Makes an empty queue: a binary heap, so many thousand tasks cost little. */
export function createPriorityQueue<T>(): PriorityQueue<T> {
	const heap: Array<Entry<T>> = [];
	let added = 0;
	return {
		first: () => heap[0],
		add: ({ task, atMs }) => {
			added += 1;
			siftUp(heap, { task, atMs, number: added });
		},
		take: () => {
			const first = heap[0];
			const last = heap.pop();
			if (last !== undefined && heap.length > 0) siftDown(heap, last);
			return first;
		},
	};
}

const isBefore = (a: Entry<unknown>, b: Entry<unknown>): boolean =>
	a.atMs < b.atMs || (a.atMs === b.atMs && a.number < b.number);

/** Puts an entry at the end, and moves it up past later ones. */
function siftUp<T>(heap: Array<Entry<T>>, entry: Entry<T>): void {
	let place = heap.length;
	for (let above = (place - 1) >> 1; place > 0; above = (place - 1) >> 1) {
		const parent = heap[above];
		if (parent === undefined || !isBefore(entry, parent)) break;
		heap[place] = parent;
		place = above;
	}
	heap[place] = entry;
}

/** Puts an entry at the top, and moves it down past earlier ones. */
function siftDown<T>(heap: Array<Entry<T>>, entry: Entry<T>): void {
	let place = 0;
	for (;;) {
		const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]];
		const isRight = left !== undefined && right !== undefined && isBefore(right, left);
		const child = isRight ? right : left;
		if (child === undefined || !isBefore(child, entry)) break;
		heap[place] = child;
		place = 2 * place + (isRight ? 2 : 1);
	}
	heap[place] = entry;
}
