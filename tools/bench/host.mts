import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { credentialType } from '../demo/desk.mts';
import { startN8n } from '../host/n8n.mts';
import { installPackage, packPackage } from '../host/pack.mts';
import type { Tarball } from '../host/pack.mts';
import type { CredentialRef, WorkflowNode } from '../host/workflow.mts';
import { linked } from './nodes.mts';
import { cpuTime } from './cpuTime.mts';
import { peakMemory } from './peakMemory.mts';
import type { PeakMemory } from './peakMemory.mts';

/** How an execution went in n8n: ms and items of each node, and for how many ms the main thread was busy at a stretch. */
export interface Recorded {
	status: string;
	error?: string;
	nodes: Record<string, { ms: number; items: number; status: string; error?: string }>;
	blockedMs: number;
}

/** A real n8n that runs workflows for the benchmark and keeps none of their data. */
export interface BenchHost {
	/** Stores a workflow of nodes in a row and returns its id. */
	store: (name: string, nodes: readonly WorkflowNode[]) => Promise<string>;
	run: (id: string) => Promise<Recorded>;
	/** Lets a node know so many entries in n8n's store, as if it had called people before. */
	fillStore: (workflowId: string, nodeId: string, entries: number) => void;
	/** Writes rows into a file that n8n may read, and returns its path. */
	writeRows: (name: string, rows: readonly unknown[]) => Promise<string>;
	/** Lets the nodes use another service from now on. */
	useCredential: (data: Record<string, unknown>) => Promise<void>;
	memory: PeakMemory;
	/** Ms of processor time that n8n has used so far. */
	cpu: () => number;
	stop: () => Promise<void>;
}

const PATIENCE = 3_600_000;
const settings = { saveManualExecutions: false, saveDataSuccessExecution: 'none' };

/** Builds and packs the package once for all hosts of a run. */
export const packOnce = async (report: (line: string) => void): Promise<Tarball> =>
	await packPackage({ report });

/** Starts a new n8n with the packed package in it. */
export async function startHost(
	{ tarball }: Tarball,
	env: Record<string, string> = {},
): Promise<BenchHost> {
	const userFolder = await mkdtemp(join(tmpdir(), 'conversation-desk-bench-'));
	const files = join(userFolder, 'files');
	const record = join(userFolder, 'record.jsonl');
	await mkdir(files);
	await installPackage(tarball, userFolder);
	const n8n = await startN8n({
		userFolder,
		files,
		env: {
			EXTERNAL_HOOK_FILES: join(import.meta.dirname, 'record.cjs'),
			CONVERSATION_DESK_BENCH_RECORD: record,
			NODE_OPTIONS: '--max-old-space-size=8192',
			...env,
		},
	});
	await n8n.rest.signIn();
	let credential: CredentialRef | undefined;
	const recordOf = async (id: string): Promise<Recorded> => {
		for (const deadline = Date.now() + PATIENCE; Date.now() < deadline; await sleep(50)) {
			const text = existsSync(record) ? await readFile(record, 'utf8') : '';
			const line = text.split('\n').find((each) => each.includes(`"executionId":"${id}"`));
			if (line !== undefined) return JSON.parse(line) as Recorded;
		}
		throw new Error(`Execution ${id} did not end. See ${n8n.logFile}.`);
	};
	return {
		memory: peakMemory(n8n.pid),
		cpu: () => cpuTime(n8n.pid),
		store: async (name, nodes) => {
			const workflow = { ...linked(name, nodes), settings };
			const known: Record<string, CredentialRef> = credential
				? { conversationDeskApi: credential }
				: {};
			return await n8n.rest.importWorkflow(workflow, known);
		},
		run: async (id) => {
			const recorded = await recordOf(await n8n.rest.startWorkflow(id));
			if (recorded.status === 'success') return recorded;
			throw new Error(`A workflow failed in n8n: ${recorded.error ?? recorded.status}`);
		},
		fillStore: (workflowId, nodeId, entries) => {
			const database = new DatabaseSync(join(userFolder, '.n8n', 'database.sqlite'));
			const data = Array.from({ length: entries }, () => randomBytes(16).toString('base64'));
			const insert =
				"INSERT INTO processed_data (workflowId, context, createdAt, updatedAt, value) VALUES (?, ?, datetime('now'), datetime('now'), ?)";
			const value = JSON.stringify({ mode: 'entries', data });
			database.prepare(insert).run(workflowId, `n:${nodeId}`, value);
			database.close();
		},
		writeRows: async (name, rows) => {
			const path = join(files, `${name}.json`);
			await writeFile(path, JSON.stringify(rows));
			return path;
		},
		useCredential: async (data) => {
			credential = await n8n.rest.createCredential({ ...credentialType, data });
		},
		stop: async () => {
			await n8n.stop();
			await rm(userFolder, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}

/** Removes a packed package. */
export const unpack = async ({ tarball }: Tarball): Promise<void> =>
	await rm(dirname(tarball), { recursive: true, force: true });
