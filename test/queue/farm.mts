import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { credentialType } from '../../tools/demo/desk.mts';
import { sandboxTarget } from '../../tools/demo/target.mts';
import type { Target } from '../../tools/demo/target.mts';
import { itemsOf } from '../../tools/host/execution.mts';
import type { Execution, Json } from '../../tools/host/execution.mts';
import { startN8n } from '../../tools/host/n8n.mts';
import type { N8n, N8nOptions } from '../../tools/host/n8n.mts';
import { installPackage, packPackage } from '../../tools/host/pack.mts';
import type { CredentialRef, WorkflowJson } from '../../tools/host/workflow.mts';
import { createDatabase, queueEnvironment, queueServices } from './services.mts';
import type { RunDatabase } from './services.mts';
import { nodeName } from '../support/workflowNodes.mts';

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
interface Farm {
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

/** Starts a farm with the package as it is built now. */
async function startFarm(workerNames: readonly string[], concurrency: number): Promise<Farm> {
	const services = queueServices();
	const target = await sandboxTarget({ tickets: 0 });
	const report = console.error;
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
		report(`Starting ${workerNames.length} workers ...`);
		const worker = { concurrency };
		const workers = await Promise.all(
			workerNames.map(
				async (name) => await startWorker(name, { ...(await prepare(name)), worker }),
			),
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

/** The main process, the two workers and the sandbox of all tests of queue mode. */
export const farm = await startFarm(['worker-1', 'worker-2'], 5);

after(() => farm.stop());

/** The control of the sandbox. */
export const { control } = farm.target.sandbox;

/** Stores a workflow with the credentials of the farm, and returns its id. */
export async function store(workflow: WorkflowJson): Promise<string> {
	const credentials = { conversationDeskApi: farm.credential };
	return await farm.main.rest.importWorkflow(workflow, credentials);
}

/** The worker that began an execution, and only one may have. */
export function workerOf(executionId: string): Worker {
	const [worker, ...otherWorkers] = farm.workers.filter((each) =>
		each.listStarted().includes(executionId),
	);
	assert.deepEqual(otherWorkers, []);
	assert.ok(worker, `No worker began execution ${executionId}`);
	return worker;
}

/** Waits until something is true. */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
	const deadline = Date.now() + 120_000;
	while (!(await isTrue())) {
		assert.ok(Date.now() < deadline, `Not within two minutes: ${what}`);
		await sleep(25);
	}
}

/** The outcome of each row of an execution. */
export const outcomes = (execution: Execution): string[] => [
	...itemsOf(execution, nodeName, 0).map(({ outcome }) => String(outcome)),
	...itemsOf(execution, nodeName, 1).map(({ details }) => String((details as Json)['outcome'])),
];
