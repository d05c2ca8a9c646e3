import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endWithThisProcess, signalGroup } from './children.mts';
import { ensureHost } from './install.mts';
import { freePorts } from './ports.mts';
import { N8nRest } from './rest.mts';
import { hostEnvironment } from './settings.mts';

export interface N8nOptions {
	/** Holds the `.n8n` folder: database, installed community packages. Start again in it to go on. */
	userFolder: string;
	port?: number | undefined;
	/** One of `knownVersions()`; without it, the default. */
	version?: string | undefined;
	/** A folder that n8n's file nodes may read and write. */
	files?: string | undefined;
	/** More or other environment variables. */
	env?: Record<string, string>;
	report?: (line: string) => void;
	logFile?: string;
	/** Makes it a worker of queue mode that runs so many executions at a time; it has no editor. */
	worker?: { concurrency: number };
}

export interface N8n {
	url: string;
	port: number;
	pid: number;
	logFile: string;
	rest: N8nRest;
	/** What n8n has written so far. */
	log(): string;
	/** Ends n8n in order (SIGTERM; SIGKILL after 15 seconds). */
	stop(): Promise<void>;
	/** Ends n8n at once (SIGKILL), as a crash would. */
	kill(): Promise<void>;
}

const patience = { start: 180_000, stop: 15_000 };

/** Starts a real n8n on 127.0.0.1, with SQLite unless `env` says otherwise, and waits until it answers; what does not start is tried once more. */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	try {
		return await start(options);
	} catch (error) {
		options.report?.(error instanceof Error ? error.message : String(error));
		return await start(options);
	}
}

async function start(options: N8nOptions): Promise<N8n> {
	const host = await ensureHost(options.report, options.version);
	const [free = 0, brokerPort = 0] = await freePorts(2);
	const port = options.port ?? free;
	const logFile = options.logFile ?? join(options.userFolder, 'n8n.log');
	mkdirSync(options.userFolder, { recursive: true });
	const begun = Date.now();
	options.report?.(`Starting n8n ${host.version} on port ${port} ...`);
	const output = openSync(logFile, 'a');
	const child = spawn(process.execPath, [host.n8nBin, ...commandOf(options)], {
		cwd: options.userFolder,
		env: { ...hostEnvironment({ ...options, dir: host.dir, port, brokerPort }), ...options.env },
		stdio: ['ignore', output, output],
		detached: true,
	});
	closeSync(output);
	endWithThisProcess(child);
	const url = `http://127.0.0.1:${port}`;
	const paths = options.worker ? ['/healthz/readiness'] : ['/healthz/readiness', '/rest/settings'];
	const problem = await waitUntilReady(
		child,
		paths.map((path) => url + path),
	);
	if (problem) {
		await end(child, 'SIGKILL');
		throw new Error(`n8n ${problem}. The last lines of ${logFile}:\n${tail(logFile)}`);
	}
	options.report?.(`n8n is ready at ${url} after ${seconds(begun)}.`);
	return {
		url,
		port,
		pid: child.pid ?? 0,
		logFile,
		rest: new N8nRest(url),
		log: () => readFileSync(logFile, 'utf8'),
		stop: () => end(child, 'SIGTERM'),
		kill: () => end(child, 'SIGKILL'),
	};
}

function commandOf({ worker }: N8nOptions): string[] {
	return worker ? ['worker', `--concurrency=${worker.concurrency}`] : ['start'];
}

async function waitUntilReady(child: ChildProcess, urls: string[]): Promise<string | undefined> {
	let failure: string | undefined;
	child.once('error', (error) => (failure = `could not be started: ${error.message}`));
	child.once('exit', (code, signal) => (failure = `ended while starting (${signal ?? code})`));
	const deadline = Date.now() + patience.start;
	while (!failure && Date.now() < deadline) {
		if ((await Promise.all(urls.map(answers))).every(Boolean)) return undefined;
		await sleep(200);
	}
	return failure ?? `was not ready after ${patience.start / 1000} seconds`;
}

async function answers(url: string): Promise<boolean> {
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
		const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), patience.stop);
		await ended;
		clearTimeout(timer);
	}
	signalGroup(child, 'SIGKILL');
}

function tail(logFile: string): string {
	return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-25).join('\n');
}

function seconds(begun: number): string {
	return `${((Date.now() - begun) / 1000).toFixed(1)} s`;
}
