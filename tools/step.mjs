// Plain JavaScript for Node >= 20, because setup.mjs runs it before any package is installed.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { basename, delimiter, dirname } from 'node:path';

const CONNECTION =
	/^npm_config_(registry|cache|userconfig|globalconfig|(https?_|no_?)?proxy|ca|cafile|strict_ssl|fetch_\w+|maxsockets|nodedir|disturl|(@|\/\/).*)$/i;

/** Returns the environment of an npm inside another npm, which keeps only the settings of the connection. */
export function npmEnvironment(environment = process.env) {
	const kept = Object.entries(environment).filter(
		([name]) => !/^npm_/i.test(name) || CONNECTION.test(name),
	);
	const path = [dirname(process.execPath), environment.PATH].filter(Boolean).join(delimiter);
	return { ...Object.fromEntries(kept), PATH: path };
}

/**
 * Returns the command of the npm that runs this process, or else of the one on the PATH.
 * @param {string[]} args
 * @returns {[string, string[]]}
 */
export function npmCommand(args) {
	const outer = process.env.npm_execpath ?? '';
	return basename(outer) === 'npm-cli.js' ? [process.execPath, [outer, ...args]] : ['npm', args];
}

/**
 * Runs a slow command that writes into a log file, and reports its progress.
 * @param {{ label: string, command: [string, string[]], cwd: string, log: string,
 *   report?: ((line: string) => void) | undefined }} step
 * @returns {Promise<void>}
 */
export async function runStep({ label, command, cwd, log, report = console.error }) {
	mkdirSync(dirname(log), { recursive: true });
	const output = openSync(log, 'a');
	const start = Date.now();
	const seconds = () => `${Math.round((Date.now() - start) / 1000)} s`;
	report(`${label} ...`);
	const timer = setInterval(() => report(`  ${seconds()}`), 15_000);
	const code = await exitOf(
		spawn(command[0], command[1], {
			cwd,
			env: npmEnvironment(),
			stdio: ['ignore', output, output],
		}),
	);
	clearInterval(timer);
	closeSync(output);
	report(`  ${code === 0 ? 'done' : 'failed'} in ${seconds()}`);
	if (code === 0) return;
	report(readFileSync(log, 'utf8').trimEnd().split('\n').slice(-25).join('\n'));
	throw new Error(
		`${label} failed (${code}). The whole output is in ${log}. Check the network and the disk, then run the same command again.`,
	);
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number | string | null>}
 */
function exitOf(child) {
	return new Promise((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('exit', (code, signal) => resolve(code ?? signal));
	});
}
