import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentialType } from '../demo/desk.mts';
import type { Target } from '../demo/target.mts';
import { startN8n } from '../host/n8n.mts';
import type { N8n, N8nOptions } from '../host/n8n.mts';
import { installPackage, packPackage } from '../host/pack.mts';
import type { CredentialRef } from '../host/workflow.mts';
import { createDatabase } from './services.mts';
import type { RunDatabase, Services } from './services.mts';
import { queueEnvironment } from './settings.mts';

/** A worker of queue mode, which may be dead. */
export interface Worker {
	name: string;
	n8n: N8n;
	/** Lists its executions in the order of their starts. */
	listStarted: () => string[];
	/** Ends the worker as a broken machine does: SIGKILL. */
	kill: () => Promise<void>;
	/** Starts a dead worker again, which continues its log. */
	revive: () => Promise<void>;
}

/** n8n in queue mode: one main process and several workers, each with a user folder. */
export interface Farm {
	main: N8n;
	workers: readonly Worker[];
	target: Target;
	database: RunDatabase;
	credential: CredentialRef;
	/** The folder with all user folders, which `stop` removes. */
	folder: string;
	/** The one folder that the file nodes of all processes may use. */
	files: string;
	stop: () => Promise<void>;
}

/** The parts of a farm. */
export interface FarmOptions {
	services: Services;
	workers: number;
	/** How many executions a worker runs at a time. */
	concurrency: number;
	target: Target;
	report: (line: string) => void;
}

/** Starts a farm with the package as it is built now. */
export async function startFarm({
	services,
	target,
	report,
	...options
}: FarmOptions): Promise<Farm> {
	const folder = await mkdtemp(join(tmpdir(), 'conversation-desk-queue-'));
	const files = join(folder, 'files');
	await mkdir(files);
	const ends: Array<() => Promise<unknown>> = [target.close];
	const stop = async () => {
		for (const end of ends.toReversed()) await end();
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	};
	try {
		const { tarball } = await packPackage({ report });
		const database = await createDatabase(services);
		ends.push(database.drop);
		const env = queueEnvironment(services, database.name);
		const prepare = async (name: string): Promise<N8nOptions> => {
			const userFolder = join(folder, name);
			await installPackage(tarball, userFolder);
			return { userFolder, files, env };
		};
		report('Starting the main process of n8n ...');
		// It prepares the database for the workers.
		const main = await startN8n(await prepare('main'));
		ends.push(main.stop);
		report(`Starting ${options.workers} workers ...`);
		const names = Array.from({ length: options.workers }, (_, i) => `worker-${i + 1}`);
		const worker = { concurrency: options.concurrency };
		const workers = await Promise.all(
			names.map(async (name) => await startWorker(name, { ...(await prepare(name)), worker })),
		);
		ends.push(() => Promise.all(workers.map(({ n8n }) => n8n.stop())));
		report('Main process and workers are ready.');
		await main.rest.signIn();
		const credential = await main.rest.createCredential({ ...credentialType, data: target.access });
		return { main, workers, target, database, credential, folder, files, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

async function startWorker(name: string, options: N8nOptions): Promise<Worker> {
	let isAlive = true;
	const worker: Worker = {
		name,
		n8n: await startN8n(options),
		listStarted: () => {
			const starts = worker.n8n.log().matchAll(/Worker started execution (\d+) /g);
			return Array.from(starts, ([, id = '']) => id);
		},
		kill: async () => {
			isAlive = false;
			await worker.n8n.kill();
		},
		revive: async () => {
			if (!isAlive) worker.n8n = await startN8n(options);
			isAlive = true;
		},
	};
	return worker;
}
