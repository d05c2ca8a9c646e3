import { spawn } from 'node:child_process';

/** What watches over a folder with a credential in it. */
export interface Watch {
	/** Ends a detached process with its group, too, once this process is gone. */
	also: (pid: number) => void;
	/** Nothing is left to do: the folder was removed in order. */
	done: () => void;
}

/** A pipe ends with the process that holds it, whatever ended that; then the groups are killed and the folder is removed. */
const script = `
const { rmSync } = require('node:fs');
let text = '';
process.stdin.on('data', (part) => (text += part));
process.stdin.on('end', () => {
	if (text.includes('done')) return;
	for (const pid of text.split('\\n').filter(Boolean)) {
		try { process.kill(-Number(pid), 'SIGKILL'); } catch {}
	}
	setTimeout(() => rmSync(process.argv[1], { recursive: true, force: true, maxRetries: 5 }), 300);
});`;

/** Removes a folder even when this process is killed: it may hold the keys of a real account, and n8n's key to them. */
export function leaveNothing(folder: string): Watch {
	const watcher = spawn(process.execPath, ['-e', script, folder], {
		stdio: ['pipe', 'ignore', 'ignore'],
		detached: true,
	});
	watcher.on('error', () => {});
	watcher.stdin.on('error', () => {});
	watcher.unref();
	if ('unref' in watcher.stdin && typeof watcher.stdin.unref === 'function') watcher.stdin.unref();
	return {
		also: (pid) => void watcher.stdin.write(`${pid}\n`),
		done: () => void watcher.stdin.end('done\n'),
	};
}
