import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { packOnce, unpack } from './bench/host.mts';
import { linked, ours } from './bench/nodes.mts';
import { startService } from './bench/service.mts';
import { credentialType } from './demo/desk.mts';
import { watchMemory } from './host/groupMemory.mts';
import type { Resident } from './host/groupMemory.mts';
import { startN8n } from './host/n8n.mts';
import type { N8n } from './host/n8n.mts';
import { installPackage } from './host/pack.mts';
import type { CredentialRef, WorkflowJson } from './host/workflow.mts';
import { importFanOut } from '../test/support/fanOut.mts';

// Measures time and memory of n8n while it sends an export of many customers: in slices, and in one run.
// Usage: npm run bench:export -- [rows ...] [--ways slices,one] [--slices 20000] [--at-once 1] [--heap 1024]
// --heap limits the memory for n8n's objects, in MB. The figures stand in docs/scaling.md.

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		slices: { type: 'string', default: '20000' },
		'at-once': { type: 'string', default: '1' },
		ways: { type: 'string', default: 'slices,one' },
		heap: { type: 'string', default: '' },
	},
});
const sizes = positionals.length > 0 ? positionals.map(Number) : [100_000, 1_000_000];
const LATENCY_MS = 20;
const EXPORT = 'customers.csv';
const titles = {
	slices: `slices of ${values.slices}, ${values['at-once']} at once`,
	one: 'one run',
};
type Way = keyof typeof titles;
const ways = values.ways.split(',').filter((way): way is Way => way in titles);
const report = (line: string) => console.error(line);

/** How an execution went, as n8n's hook tells it. */
interface Ended {
	readonly status: string;
	readonly error?: string;
}

async function writeExport(path: string, rows: number): Promise<void> {
	const file = createWriteStream(path);
	file.write('Record ID,Name,Phone,Email,Priority\n');
	for (let n = 0; n < rows; n += 1) {
		const phone = `+1415${String(2_000_000 + n)}`;
		const goesOn = file.write(`C-${n},Person ${n},${phone},person.${n}@example.com,${n % 10}\n`);
		if (!goesOn) await once(file, 'drain');
	}
	file.end();
	await once(file, 'close');
}

/** All rows at once, mapped automatically, and nothing of the execution is saved. */
const inOneRun = (path: string): WorkflowJson => ({
	...linked('In one run', [
		{
			name: 'Read the Export',
			type: 'n8n-nodes-base.readWriteFile',
			typeVersion: 1.1,
			position: [0, 0],
			parameters: { fileSelector: path, options: {} },
		},
		{
			name: 'Rows',
			type: 'n8n-nodes-base.extractFromFile',
			typeVersion: 1.1,
			position: [0, 0],
			parameters: { options: {} },
		},
		ours({
			resource: 'customer',
			operation: 'upsertBatch',
			dryRun: false,
			inputMode: 'fields',
			customer: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
			doNotDisturb: 'none',
			options: {},
		}),
	]),
	settings: { saveManualExecutions: false, saveDataSuccessExecution: 'none' },
});

interface Place {
	readonly n8n: N8n;
	readonly credential: CredentialRef;
	readonly files: string;
}

const importWay: Record<Way, (place: Place) => Promise<string>> = {
	one: async ({ n8n, credential, files }) =>
		await n8n.rest.importWorkflow(inOneRun(join(files, EXPORT)), {
			conversationDeskApi: credential,
		}),
	slices: async ({ n8n, credential, files }) => {
		const { fanOut } = await importFanOut({
			n8n,
			credential,
			path: 'large-export',
			settings: { rowsPerSlice: Number(values.slices), slicesAtOnce: Number(values['at-once']) },
			sliceSettings: { folder: files, file: EXPORT },
		});
		return fanOut;
	},
};

async function measure(rows: number, way: Way, tarball: string): Promise<void> {
	const userFolder = await mkdtemp(join(tmpdir(), 'conversation-desk-export-'));
	const files = join(userFolder, 'files');
	const record = join(userFolder, 'record.jsonl');
	const service = await startService();
	await mkdir(files);
	await writeExport(join(files, EXPORT), rows);
	await installPackage(tarball, userFolder);
	const n8n = await startN8n({
		userFolder,
		files,
		env: {
			EXTERNAL_HOOK_FILES: join(import.meta.dirname, 'bench', 'record.cjs'),
			CONVERSATION_DESK_BENCH_RECORD: record,
			...(values.heap !== '' && { NODE_OPTIONS: `--max-old-space-size=${values.heap}` }),
		},
	});
	const memory = watchMemory(n8n.pid);
	try {
		await n8n.rest.signIn();
		await service.prepare(LATENCY_MS);
		const data = service.access;
		const credential = await n8n.rest.createCredential({ ...credentialType, data });
		const id = await importWay[way]({ n8n, credential, files });
		await sleep(2_000);
		memory.peak();
		await sleep(500);
		const before = memory.peak();
		const start = performance.now();
		const execution = await n8n.rest.startWorkflow(id);
		const ended = await endOf(execution, { record, pid: n8n.pid });
		const seconds = (performance.now() - start) / 1000;
		const { customersStored, total } = await service.counts();
		const facts = [
			`${rows} rows, ${titles[way]}`,
			`${ended.status}${ended.error ? ` (${ended.error})` : ''}`,
			`${seconds.toFixed(1)} s`,
			`${shown(before)} before, ${shown(memory.peak())} at most`,
			`${customersStored} stored in ${total} requests`,
		];
		console.log(facts.join(' | '));
	} finally {
		memory.stop();
		await n8n.stop();
		await service.stop();
		await rm(userFolder, { recursive: true, force: true, maxRetries: 5 });
	}
}

const shown = ({ n8n, others }: Resident): string => `${n8n.toFixed(0)} + ${others.toFixed(0)} MB`;

/** Waits for the end of an execution, or of the n8n that runs it. */
async function endOf(id: string, { record, pid }: { record: string; pid: number }): Promise<Ended> {
	for (;;) {
		const text = existsSync(record) ? await readFile(record, 'utf8') : '';
		const line = text.split('\n').find((each) => each.includes(`"executionId":"${id}"`));
		if (line !== undefined) return JSON.parse(line) as Ended;
		if (!isAlive(pid)) return { status: 'n8n ended' };
		await sleep(100);
	}
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

const tarball = await packOnce(report);
for (const rows of sizes) for (const way of ways) await measure(rows, way, tarball.tarball);
await unpack(tarball);
