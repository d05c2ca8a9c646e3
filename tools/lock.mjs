// Plain JavaScript for Node >= 20 without packages: setup.mjs runs this before anything is installed.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `work` while no other process on this machine holds the folder `path`; a lock whose process is gone is taken over.
 * @template T
 * @param {string} path
 * @param {(line: string) => void} report
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, report, work) {
	for (let told = false; !take(path);) {
		if (isStale(path)) {
			rmSync(path, { recursive: true, force: true });
			continue;
		}
		if (!told) report(`Waiting for process ${holder(path)}, which is doing the same ...`);
		told = true;
		await sleep(500);
	}
	const release = () => rmSync(path, { recursive: true, force: true });
	process.once('exit', release);
	try {
		return await work();
	} finally {
		process.off('exit', release);
		release();
	}
}

/** @param {string} path */
function take(path) {
	try {
		mkdirSync(path);
	} catch (error) {
		if (codeOf(error) === 'EEXIST') return false;
		throw error;
	}
	writeFileSync(join(path, 'pid'), String(process.pid));
	return true;
}

/** @param {string} path */
function holder(path) {
	try {
		return Number(readFileSync(join(path, 'pid'), 'utf8')) || undefined;
	} catch {
		return undefined;
	}
}

/** @param {string} path */
function isStale(path) {
	const pid = holder(path);
	if (pid === undefined) return olderThan(path, 5_000);
	try {
		process.kill(pid, 0);
		return false;
	} catch (error) {
		return codeOf(error) === 'ESRCH';
	}
}

/**
 * @param {string} path
 * @param {number} milliseconds
 */
function olderThan(path, milliseconds) {
	const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
	return made !== undefined && Date.now() - made > milliseconds;
}

/** @param {unknown} error */
function codeOf(error) {
	return error instanceof Error && 'code' in error ? error.code : undefined;
}
