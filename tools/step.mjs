// Plain JavaScript for Node >= 20 without packages: setup.mjs runs this before anything is installed.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { basename, delimiter, dirname } from 'node:path';

const CONNECTION =
	/^npm_config_(registry|cache|userconfig|globalconfig|(https?_|no_?)?proxy|ca|cafile|strict_ssl|fetch_\w+|maxsockets|nodedir|disturl|(@|\/\/).*)$/i;

/** The environment for an npm that runs inside `npm test`: connection settings stay, what the outer npm set for itself goes. */
export function npmEnvironment(environment = process.env) {
	const kept = Object.entries(environment).filter(
		([name]) => !/^npm_/i.test(name) || CONNECTION.test(name),
	);
	return {
		...Object.fromEntries(kept),
		PATH: [dirname(process.execPath), environment.PATH].filter(Boolean).join(delimiter),
	};
}

/**
 * The npm that runs us, else the one on the PATH.
 * @param {string[]} args
 * @returns {[string, string[]]}
 */
export function npmCommand(args) {
	const outer = process.env.npm_execpath ?? '';
	return basename(outer) === 'npm-cli.js' ? [process.execPath, [outer, ...args]] : ['npm', args];
}

/**
 * Runs one slow command with its output in a log file and its progress on the terminal (or as lines to `report`).
 * Throws one sentence that says what failed and where the log is.
 * @param {{ label: string, command: [string, string[]], cwd: string, log: string,
 *   env?: Record<string, string | undefined>, report?: (line: string) => void }} step
 * @returns {Promise<void>}
 */
export async function runStep({ label, command, cwd, log, env = npmEnvironment(), report }) {
	mkdirSync(dirname(log), { recursive: true });
	const output = openSync(log, 'a');
	writeSync(output, `\n> ${command[0]} ${command[1].join(' ')}\n`);
	const progress = showProgress(label, report);
	const code = await exitOf(
		spawn(command[0], command[1], { cwd, env, stdio: ['ignore', output, output] }),
	);
	closeSync(output);
	progress.stop(code === 0 ? 'done' : 'failed');
	if (code === 0) return;
	const tail = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-25).join('\n');
	(report ?? console.error)(tail);
	throw new Error(
		`${label} failed (${code}). The whole output is in ${log}. Check the network and the disk, then run the same command again.`,
	);
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number | string>}
 */
function exitOf(child) {
	return new Promise((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
	});
}

/**
 * @param {string} label
 * @param {((line: string) => void) | undefined} report
 */
function showProgress(label, report) {
	const start = Date.now();
	const seconds = () => `${Math.round((Date.now() - start) / 1000)} s`;
	const ticking = !report && process.stderr.isTTY;
	const say = report ?? ((line) => console.error(line));
	if (!ticking) say(`${label} ...`);
	const timer = setInterval(
		() => (ticking ? process.stderr.write(`\r${label} ... ${seconds()}`) : say(`  ${seconds()}`)),
		ticking ? 1_000 : 15_000,
	);
	return {
		/** @param {string} outcome */
		stop(outcome) {
			clearInterval(timer);
			if (ticking) process.stderr.write(`\r${label} ... ${outcome} in ${seconds()}\n`);
			else say(`  ${outcome} in ${seconds()}`);
		},
	};
}
