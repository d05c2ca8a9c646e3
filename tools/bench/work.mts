import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sum from 'lodash/sum.js';
import type { Sandbox } from '../../sandbox/start.mts';
import { startDesk } from '../demo/desk.mts';
import { sandboxTarget } from '../demo/target.mts';
import type { WorkflowNode } from '../host/workflow.mts';
import { startFarTarget } from './farTarget.mts';
import type { FarTarget } from './farTarget.mts';
import { createNode, createWorkflow } from './nodes.mts';
import type { Contender, Figures, Size, Trial } from './question.mts';

/** The names of the contenders in n8n. */
export const NAMES = {
	desk: 'this node',
	helper: "n8n's helper alone",
	http: 'HTTP Request',
} as const;

/** Work that this node does in n8n, and that other contenders do in their own way. */
export interface Work {
	readonly latencyMs: number;
	/** Ms of a round trip over a wide-area link with TLS. */
	readonly roundTripMs?: number;
	/** The number of tickets of the service. Without rows, all of them are returned. */
	readonly tickets?: number;
	readonly listRows?: (size: Size, sandbox: Sandbox) => object[] | Promise<object[]>;
	/** The parameters of this node. */
	readonly desk: WorkflowNode['parameters'];
	/** The parallel requests of the helper, and the member with the list of items. */
	readonly helper?: { readonly parallel: number; readonly list: string };
	readonly http?: {
		readonly createNodes: (url: string) => WorkflowNode[];
		/** The number of rows, if they are fewer than those of this node. */
		readonly sample?: number;
		/** Whether the times of the sample are multiplied up to all rows. */
		readonly isScaled?: boolean;
	};
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
		const { latencyMs, roundTripMs, helper, http } = work;
		const options = { latencyMs, tickets: size(work.tickets ?? 0) };
		const target: FarTarget = await (roundTripMs === undefined
			? sandboxTarget(options)
			: startFarTarget(options, roundTripMs));
		const { sandbox, access, certFile = '' } = target;
		const { n8n, userFolder, files, credential, stop } = await startDesk(target, console.error, {
			env: {
				EXTERNAL_HOOK_FILES: join(import.meta.dirname, 'meter.cjs'),
				N8N_CUSTOM_EXTENSIONS: join(import.meta.dirname, 'nodes'),
				NODE_EXTRA_CA_CERTS: certFile,
				NODE_OPTIONS: '--max-old-space-size=8192',
			},
		});
		const createContender = async (task: Task): Promise<Contender> => {
			const file = join(files, `${task.name}.json`);
			await writeFile(file, JSON.stringify(task.rows));
			const workflow = createWorkflow(file, task.nodes);
			const run = async () => {
				// A new workflow, so this node has called no one before.
				const id = await n8n.rest.importWorkflow(workflow, { conversationDeskApi: credential });
				return addFigures(task, await readRecord(userFolder, await n8n.rest.startWorkflow(id)));
			};
			return { name: task.name, run };
		};
		const rows = (await work.listRows?.(size, sandbox)) ?? [{}];
		const items = work.listRows ? rows.length : options.tickets;
		const parameters = { options: {}, ...work.desk };
		const nodes = [createNode('n8n-nodes-conversation-desk.conversationDesk', 1, parameters)];
		const desk = await createContender({ name: NAMES.desk, rows, nodes, items });
		const contenders = [desk];
		if (helper) {
			const { total } = sandbox.control.counts();
			await desk.run();
			const requests = sandbox.control.received().filter(({ n }) => n > total);
			const node = createNode('CUSTOM.helperAlone', 1, helper);
			const task = { name: NAMES.helper, rows: requests, nodes: [node], items };
			contenders.push(await createContender(task));
		}
		if (http) {
			const { createNodes, sample = items, isScaled = false } = http;
			const task = {
				name: NAMES.http,
				rows: rows.slice(0, sample),
				nodes: createNodes(String(access['baseUrl'])),
				items: Math.min(items, sample),
				scale: isScaled ? items / sample : 1,
			};
			contenders.push(await createContender(task));
		}
		return { contenders, stop };
	};

/** The line that meter.cjs writes for an execution. */
interface Metered {
	readonly error?: string;
	readonly nodes: Readonly<Record<string, Required<Figures> & { readonly items: number }>>;
}

/** Waits until the figures of an execution are written. */
async function readRecord(folder: string, executionId: string): Promise<Metered> {
	const record = join(folder, 'bench.jsonl');
	for (;;) {
		await sleep(100);
		const text = existsSync(record) ? await readFile(record, 'utf8') : '';
		const line = text.split('\n').find((each) => each.includes(`"executionId":"${executionId}"`));
		if (line !== undefined) return JSON.parse(line) as Metered;
	}
}

/** Adds up the figures of the measured nodes. */
function addFigures({ name, nodes, items, scale = 1 }: Task, metered: Metered): Figures {
	const measured = nodes.flatMap((node) => metered.nodes[node.name] ?? []);
	const returned = measured.at(-1)?.items ?? 0;
	if (metered.error !== undefined || returned < items)
		throw new Error(`${name}: ${metered.error ?? `${returned} items instead of ${items}`}`);
	const list = (figure: keyof Figures) => measured.map((each) => Math.round(each[figure]));
	return {
		ms: sum(list('ms')) * scale,
		cpu: sum(list('cpu')) * scale,
		stretch: Math.max(...list('stretch')),
		mb: Math.max(...list('mb')),
	};
}
