import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { credentialType } from '../demo/desk.mts';
import type { Target } from '../demo/target.mts';
import { startN8n } from '../host/n8n.mts';
import type { N8n } from '../host/n8n.mts';
import { installPackage, packPackage } from '../host/pack.mts';
import type { CredentialRef } from '../host/workflow.mts';
import { createDatabase } from './database.mts';
import type { OwnDatabase } from './database.mts';
import type { Services } from './services.mts';
import { queueEnvironment } from './settings.mts';
import { startWorker } from './worker.mts';
import type { Worker } from './worker.mts';

/** n8n in queue mode: one main process and several workers, each in a user folder of its own, as if on its own machine. */
export interface Farm {
	main: N8n;
	workers: readonly Worker[];
	target: Target;
	database: OwnDatabase;
	credential: CredentialRef;
	/** Holds the user folder of every process; gone after `stop`. */
	folder: string;
	/** The one folder that all of them share, in which n8n's file nodes may read and write. */
	files: string;
	stop: () => Promise<void>;
}

/** What a farm is made of. */
export interface FarmOptions {
	services: Services;
	/** How many workers, and how many executions each of them runs at a time. */
	workers: number;
	concurrency: number;
	target: Target;
	report?: (line: string) => void;
}

/** Starts all of it, with the package as it is built now. */
export async function startFarm(options: FarmOptions): Promise<Farm> {
	const folder = await mkdtemp(join(tmpdir(), 'conversation-desk-queue-'));
	const files = join(folder, 'files');
	const ends: Array<() => Promise<unknown>> = [];
	const stop = async () => {
		for (const end of ends.toReversed()) await end();
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	};
	try {
		await mkdir(files);
		const { target } = options;
		ends.push(target.close);
		const database = await createDatabase(options.services);
		ends.push(database.drop);
		const { main, workers } = await startProcesses(options, folder, database.name, ends);
		await main.rest.signIn();
		const credential = await main.rest.createCredential({ ...credentialType, data: target.access });
		return { main, workers, target, database, credential, folder, files, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** The main process first, because it prepares the database. */
async function startProcesses(
	{ services, workers: count, concurrency, report = () => {} }: FarmOptions,
	folder: string,
	database: string,
	ends: Array<() => Promise<unknown>>,
): Promise<Pick<Farm, 'main' | 'workers'>> {
	const names = Array.from({ length: count }, (_, index) => `worker-${index + 1}`);
	await installEverywhere(
		['main', ...names].map((name) => join(folder, name)),
		report,
	);
	const env = queueEnvironment(services, database);
	const files = join(folder, 'files');
	report('Starting the main process of n8n ...');
	const main = await startN8n({ userFolder: join(folder, 'main'), files, env });
	ends.push(main.stop);
	report(`Starting ${count} workers ...`);
	const workers = await Promise.all(
		names.map(async (name) => {
			const userFolder = join(folder, name);
			const open = () => startN8n({ userFolder, files, env, worker: { concurrency } });
			return await startWorker(name, open);
		}),
	);
	ends.push(() => Promise.all(workers.map(({ n8n }) => n8n.stop())));
	report('Main process and workers are ready.');
	return { main, workers };
}

async function installEverywhere(folders: string[], report: (line: string) => void): Promise<void> {
	const { tarball } = await packPackage({ report });
	for (const folder of folders) await installPackage(tarball, folder);
	await rm(dirname(tarball), { recursive: true, force: true });
}
