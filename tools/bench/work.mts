import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '../../sandbox/start.mts';
import { makeCertificate } from '../certificate.mts';
import { startDesk } from '../demo/desk.mts';
import { sandboxTarget } from '../demo/target.mts';
import type { WorkflowNode } from '../host/workflow.mts';
import { createNode, createWorkflow } from './nodes.mts';
import type { Contender, Figures, Size, Trial } from './question.mts';

/** The names of the contenders in n8n. */
export const NAMES = { desk: 'this node', helper: "n8n's helper alone", http: 'HTTP Request' };

/** Work that this node does in n8n, and that other contenders do in their own way. */
export interface Work {
	readonly latencyMs: number;
	/** Whether n8n uses TLS. */
	readonly hasTls?: boolean;
	/** The number of tickets of the service. Without rows, all of them are returned. */
	readonly tickets?: number;
	readonly listRows?: (size: Size, sandbox: Sandbox) => object[] | Promise<object[]>;
	/** The parameters of this node. */
	readonly desk: WorkflowNode['parameters'];
	/** The parallel requests of the helper, if it takes part. */
	readonly parallel?: number;
	/** The nodes without this package, if they take part. */
	readonly createHttpNodes?: (url: string) => WorkflowNode[];
	/** A number of rows for them. Their times are multiplied up to all rows. */
	readonly sample?: number;
}

/** Nodes to measure in n8n with their rows, and the number of items that they return at least. */
interface Task {
	readonly name: string;
	readonly rows: readonly unknown[];
	readonly nodes: readonly WorkflowNode[];
	readonly items: number;
	readonly scale?: number;
}

/** Makes a function that starts a new n8n and its service, and prepares the contenders of some work. */
export const prepareInN8n =
	(work: Work): Trial['prepare'] =>
	async (size) => {
		const { latencyMs, parallel, createHttpNodes } = work;
		const tickets = size(work.tickets ?? 0);
		const certificate = await makeCertificate();
		const tls = work.hasTls === true ? { tls: certificate } : {};
		const target = await sandboxTarget({ latencyMs, tickets, ...tls });
		const { n8n, userFolder, files, credential, stop } = await startDesk(target, console.error, {
			env: {
				EXTERNAL_HOOK_FILES: join(import.meta.dirname, 'meter.cjs'),
				N8N_CUSTOM_EXTENSIONS: join(import.meta.dirname, 'nodes'),
				NODE_EXTRA_CA_CERTS: certificate.certFile,
				NODE_OPTIONS: '--max-old-space-size=8192',
			},
		});
		const { control, url } = target.sandbox;
		const createContender = async (task: Task): Promise<Contender> => {
			const file = join(files, `${task.name}.json`);
			await writeFile(file, JSON.stringify(task.rows));
			const workflow = createWorkflow(file, task.nodes);
			const run = async () => {
				// A new workflow, so this node has called no one before.
				const id = await n8n.rest.importWorkflow(workflow, { conversationDeskApi: credential });
				const execution = await n8n.rest.startWorkflow(id);
				const { error, items, figures } = await readRecord(userFolder, execution);
				if (error !== undefined || items < task.items)
					throw new Error(`${task.name}: ${error ?? `${items} of ${task.items} items`}`);
				const { scale = 1 } = task;
				return { ...figures, ms: figures.ms * scale, cpu: figures.cpu * scale };
			};
			return { name: task.name, run };
		};
		const rows = (await work.listRows?.(size, target.sandbox)) ?? [{}];
		const items = work.listRows ? rows.length : tickets;
		const parameters = { options: {}, ...work.desk };
		const nodes = [createNode('n8n-nodes-conversation-desk.conversationDesk', 1, parameters)];
		const desk = await createContender({ name: NAMES.desk, rows, nodes, items });
		const contenders = [desk];
		if (parallel !== undefined) {
			const { total } = control.counts();
			await desk.run();
			const requests = control.received().filter(({ n }) => n > total);
			const helper = [createNode('CUSTOM.helperAlone', 1, { parallel })];
			const task = { name: NAMES.helper, rows: requests, nodes: helper, items };
			contenders.push(await createContender(task));
		}
		if (createHttpNodes) {
			const { sample = items } = work;
			const task = {
				name: NAMES.http,
				rows: rows.slice(0, sample),
				nodes: createHttpNodes(url),
				items: Math.min(items, sample),
				scale: Math.max(1, items / sample),
			};
			contenders.push(await createContender(task));
		}
		return {
			contenders,
			stop: async () => {
				await stop();
				certificate.remove();
			},
		};
	};

/** The line that meter.cjs writes for an execution. */
interface Metered {
	readonly error?: string;
	readonly items: number;
	readonly figures: Required<Figures>;
}

/** Waits until the figures of an execution are written. */
async function readRecord(folder: string, executionId: string): Promise<Metered> {
	const record = join(folder, 'bench.jsonl');
	for (;;) {
		await sleep(100);
		const text = await readFile(record, 'utf8').catch(() => '');
		const line = text.split('\n').find((each) => each.includes(`"executionId":"${executionId}"`));
		if (line !== undefined) return JSON.parse(line) as Metered;
	}
}
