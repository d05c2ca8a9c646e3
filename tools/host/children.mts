import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();
let watching = false;

/** Makes sure that a detached child and its own children end with this process, also when it is stopped by a signal. */
export function endWithThisProcess(child: ChildProcess): void {
	running.add(child);
	child.once('exit', () => running.delete(child));
	if (watching) return;
	watching = true;
	process.on('exit', killAll);
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.once(signal, () => {
			killAll();
			// Last in line: a caller with its own handler decides by itself how to end.
			if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
		});
	}
}

/** Sends a signal to a detached child and everything it started. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
	if (child.pid === undefined) return;
	try {
		process.kill(-child.pid, signal);
	} catch {
		// The whole group is gone already.
	}
}

function killAll() {
	for (const child of running) signalGroup(child, 'SIGKILL');
}
