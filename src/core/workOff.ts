import type { Due } from './dueQueue';
import { createDueQueue } from './dueQueue';
import type { Desk } from './operation';

/** How tasks are worked off: at most `parallel` at once; `work` gives back a task that is due again later. */
export interface Order<T> {
	readonly parallel: number;
	readonly work: (task: T) => Promise<Due<T> | undefined>;
}

/** Works off tasks by the times at which they are due, until none is left or the user stops; the first round is due now. */
export async function workOff<T>(
	tasks: readonly T[],
	{ parallel, work }: Order<T>,
	desk: Pick<Desk, 'now' | 'sleep' | 'stopped'>,
): Promise<void> {
	const queue = createDueQueue<T>();
	const start = desk.now();
	for (const task of tasks) queue.add({ task, at: start });
	const runner = async (): Promise<void> => {
		while (!desk.stopped()) {
			const next = queue.first();
			// What other runners hold, they put back and work off themselves.
			if (next === undefined) return;
			const pause = next.at - desk.now();
			if (pause > 0) {
				await desk.sleep(pause);
				continue;
			}
			queue.take();
			const again = await work(next.task);
			if (again) queue.add(again);
		}
	};
	await Promise.all(Array.from({ length: Math.min(parallel, tasks.length) }, runner));
}
