import sortedLastIndexBy from 'lodash/sortedLastIndexBy';
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
	const startMs = context.now();
	// In the order in which they are due; of those due at the same time, the one that was added first.
	const queue: Array<Scheduled<T>> = tasks.map((task) => ({ task, atMs: startMs }));
	const limit = typeof parallel === 'number' ? () => parallel : parallel;
	const runners = new Set<Promise<void>>();
	const run = async (): Promise<void> => {
		while (!context.signal.aborted && runners.size <= Math.max(1, limit())) {
			const [next] = queue;
			// What other runners hold, they put back and work off themselves.
			if (next === undefined) return;
			const pauseMs = next.atMs - context.now();
			if (pauseMs > 0) {
				await context.sleep(pauseMs);
				continue;
			}
			queue.shift();
			const again = await work(next.task);
			if (again) queue.splice(sortedLastIndexBy(queue, again, 'atMs'), 0, again);
			fill();
		}
	};
	const fill = (): void => {
		while (runners.size < limit() && (queue[0]?.atMs ?? Infinity) <= context.now()) {
			const runner: Promise<void> = run().then(() => void runners.delete(runner));
			runners.add(runner);
		}
	};
	fill();
	while (runners.size > 0) await Promise.race(runners);
}

/** A task and when it is due, in ms. */
export interface Scheduled<T> {
	readonly task: T;
	readonly atMs: number;
}
