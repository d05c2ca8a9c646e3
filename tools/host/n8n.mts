import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../../sandbox/listen.mts';
import { ensureHost } from './install.mts';
import { N8nRest } from './rest.mts';
import { hostEnvironment } from './settings.mts';

/** The n8n to start. */
export interface N8nOptions {
	/** Contains the `.n8n` folder with the database and the installed community packages. */
	userFolder: string;
	/** One of `knownVersions()`, or the default. */
	version?: string | undefined;
	/** A folder that n8n's file nodes may read and write. */
	files?: string | undefined;
	/** More or other environment variables. */
	env?: Record<string, string>;
	report?: (line: string) => void;
	/** Makes it a worker of queue mode, which has no editor. */
	worker?: { concurrency: number };
}

/** A running n8n. */
export interface N8n {
	url: string;
	pid: number;
	logFile: string;
	rest: N8nRest;
	/** Returns the lines that n8n has written. */
	log(): string;
	/** Ends n8n in order (SIGTERM, after 15 seconds SIGKILL). */
	stop(): Promise<void>;
	/** Ends n8n at once (SIGKILL), as a crash would. */
	kill(): Promise<void>;
}

const START_MS = 180_000;
const STOP_MS = 15_000;

/** Starts a real n8n on 127.0.0.1 and waits until it is ready; a failed start is repeated once. */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	try {
		return await start(options);
	} catch (error) {
		options.report?.(error instanceof Error ? error.message : String(error));
		return await start(options);
	}
}

async function start(options: N8nOptions): Promise<N8n> {
	const { userFolder, worker, report } = options;
	const { dir, n8nBin, version } = await ensureHost(report, options.version);
	const port = await findFreePort();
	const brokerPort = await findFreePort();
	const logFile = join(userFolder, 'n8n.log');
	mkdirSync(userFolder, { recursive: true });
	const startMs = Date.now();
	report?.(`Starting n8n ${version} on port ${port} ...`);
	const output = openSync(logFile, 'a');
	const args = worker ? ['worker', `--concurrency=${worker.concurrency}`] : ['start'];
	const child = spawn(process.execPath, [n8nBin, ...args], {
		cwd: userFolder,
		env: { ...hostEnvironment({ ...options, dir, port, brokerPort }), ...options.env },
		stdio: ['ignore', output, output],
		detached: true,
	});
	closeSync(output);
	endWithThisProcess(child);
	const url = `http://127.0.0.1:${port}`;
	const urls = [`${url}/healthz/readiness`, ...(worker ? [] : [`${url}/rest/settings`])];
	const problem = await waitUntilReady(child, urls);
	if (problem) {
		await end(child, 'SIGKILL');
		const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-25);
		throw new Error(`n8n ${problem}. The last lines of ${logFile}:\n${lines.join('\n')}`);
	}
	const seconds = ((Date.now() - startMs) / 1000).toFixed(1);
	report?.(`n8n is ready at ${url} after ${seconds} s.`);
	return {
		url,
		pid: child.pid ?? 0,
		logFile,
		rest: new N8nRest(url),
		log: () => readFileSync(logFile, 'utf8'),
		stop: () => end(child, 'SIGTERM'),
		kill: () => end(child, 'SIGKILL'),
	};
}

async function findFreePort(): Promise<number> {
	const { port, close } = await listen(createServer());
	await close();
	return port;
}

/** Waits until all addresses answer; otherwise returns the reason. */
async function waitUntilReady(child: ChildProcess, urls: string[]): Promise<string | undefined> {
	let failure: string | undefined;
	child.once('error', (error) => (failure = `could not be started: ${error.message}`));
	child.once('exit', (code, signal) => (failure = `ended while starting (${signal ?? code})`));
	const deadline = Date.now() + START_MS;
	while (!failure && Date.now() < deadline) {
		if ((await Promise.all(urls.map(isAnswered))).every(Boolean)) return undefined;
		await sleep(200);
	}
	return failure ?? `was not ready after ${START_MS / 1000} seconds`;
}

async function isAnswered(url: string): Promise<boolean> {
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
		await response.arrayBuffer();
		return response.ok;
	} catch {
		return false;
	}
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
	if (child.pid === undefined) return;
	if (child.exitCode === null && child.signalCode === null) {
		const ended = once(child, 'exit');
		child.kill(signal);
		const timer = setTimeout(() => killGroup(child), STOP_MS);
		await ended;
		clearTimeout(timer);
	}
	killGroup(child);
}

/** Kills a detached child and its children. */
function killGroup({ pid }: ChildProcess): void {
	if (pid === undefined) return;
	try {
		process.kill(-pid, 'SIGKILL');
	} catch {
		// The group has ended.
	}
}

/** Kills a detached child when this process ends or gets a signal. */
function endWithThisProcess(child: ChildProcess): void {
	const kill = () => killGroup(child);
	process.once('exit', kill);
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
	const onSignal = (signal: NodeJS.Signals) => {
		kill();
		// A caller with a handler ends this process itself.
		if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
	};
	for (const signal of signals) process.once(signal, onSignal);
	child.once('exit', () => {
		process.off('exit', kill);
		for (const signal of signals) process.off(signal, onSignal);
	});
}
