// Plain JavaScript for Node >= 20, because setup.mjs runs it before any package is installed.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Works while no other process has the lock file; the lock of a process that ended is taken over.
 * @template T
 * @param {string} path
 * @param {(line: string) => void} report
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, report, work) {
	for (let turns = 0; !takeLock(path); turns += 1) {
		if (turns === 0) report('Waiting for another process that does the same ...');
		await sleep(500);
	}
	const release = () => rmSync(path, { force: true });
	process.once('exit', release);
	try {
		return await work();
	} finally {
		process.off('exit', release);
		release();
	}
}

/** @param {string} path */
function takeLock(path) {
	try {
		writeFileSync(path, String(process.pid), { flag: 'wx' });
		return true;
	} catch (error) {
		if (codeOf(error) !== 'EEXIST') throw error;
		if (isStale(path)) rmSync(path, { force: true });
		return false;
	}
}

/** @param {string} path */
function isStale(path) {
	try {
		process.kill(Number(readFileSync(path, 'utf8')), 0);
		return false;
	} catch (error) {
		return codeOf(error) === 'ESRCH';
	}
}

/** @param {unknown} error */
function codeOf(error) {
	return error instanceof Error && 'code' in error ? error.code : undefined;
}
