import type { N8n } from '../host/n8n.mts';

/** A worker, which may be dead. */
export interface Worker {
	name: string;
	n8n: N8n;
	/** The executions that it took, in the order in which it began them. */
	started: () => string[];
	/** The end of a machine: SIGKILL. */
	kill: () => Promise<void>;
	/** A new machine in the place of a dead one; its log goes on. */
	revive: () => Promise<void>;
}

/** Starts a worker with `open`, which is called again for every new life. */
export async function startWorker(name: string, open: () => Promise<N8n>): Promise<Worker> {
	let alive = true;
	const begun = /Worker started execution (\d+) /g;
	const worker: Worker = {
		name,
		n8n: await open(),
		started: () => [...worker.n8n.log().matchAll(begun)].map(([, id = '']) => id),
		kill: async () => {
			alive = false;
			await worker.n8n.kill();
		},
		revive: async () => {
			if (!alive) worker.n8n = await open();
			alive = true;
		},
	};
	return worker;
}
