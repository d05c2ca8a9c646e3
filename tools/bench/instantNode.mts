import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import get from 'lodash/get.js';
import partition from 'lodash/partition.js';
import { root } from '../checks/check.mts';
import { credentials } from '../../sandbox/credentials.mts';

/** A JSON object. */
export type Json = Record<string, unknown>;

/** What the node is run with: its parameters, its input rows, and the text that the service would answer to a body. */
export interface Setup {
	parameters: Json;
	rows: readonly Json[];
	reply: (body: Json) => string;
	/** What n8n keeps of the node between executions. */
	kept?: Kept;
	/** Ms that the service takes for a request; nothing where it is not given. */
	latency?: number;
	/** Does what stands in for n8n's store, so that its time can be reported from that of the node. */
	inStore?: <T>(work: () => T) => T;
}

/** The static data of the node, and its entries in n8n's deduplication store. */
export interface Kept {
	staticData: Json;
	entries: Set<string>;
}

interface NodeClass {
	new (): { execute: (this: unknown) => Promise<unknown[][]> };
}

const compiled = join(root, 'dist', 'nodes', 'ConversationDesk', 'ConversationDesk.node.js');

/** Runs the compiled node where parameters and replies cost nothing, so only its own work is left; returns its items. */
export async function runInstantly(setup: Setup): Promise<unknown[]> {
	const { ConversationDesk } = createRequire(import.meta.url)(compiled) as {
		ConversationDesk: NodeClass;
	};
	const node = new ConversationDesk();
	const [items = []] = await node.execute.call(contextOf(setup));
	return items;
}

function contextOf({ parameters, rows, reply, kept, latency, inStore = run }: Setup) {
	const items = rows.map((json) => ({ json }));
	const memory: Json = {};
	const { staticData, entries } = kept ?? { staticData: {}, entries: new Set<string>() };
	const headers = { 'content-type': 'application/json' };
	return {
		getInputData: () => items,
		// Without expressions, a parameter is what it is in the workflow.
		getNodeParameter: (name: string, _item: number, otherwise: unknown) =>
			get(parameters, name, otherwise) as unknown,
		getNode: () => ({ id: 'desk', name: 'Desk', type: 'desk', typeVersion: 1, parameters }),
		getWorkflow: () => ({ id: 'bench' }),
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		getContext: () => memory,
		getWorkflowStaticData: () => staticData,
		getTimezone: () => 'UTC',
		getExecutionCancelSignal: () => undefined,
		continueOnFail: () => false,
		addExecutionHints: () => undefined,
		getCredentials: async () => ({ baseUrl: 'http://127.0.0.1:1/api/v2', ...credentials }),
		helpers: {
			httpRequestWithAuthentication: async (_type: string, { body }: { body: Json }) => {
				if (latency !== undefined) await sleep(latency);
				return { statusCode: 200, headers, body: reply(body) };
			},
			...storeOf(entries, inStore),
		},
	};
}

/** n8n's store, of which only the entries of the node are reported apart. */
const storeOf = (entries: Set<string>, inStore: <T>(work: () => T) => T) => ({
	// The lock is always free.
	getProcessedDataCount: async (scope: string) => (scope === 'node' ? entries.size : 0),
	clearAllProcessedItems: async () => undefined,
	checkProcessedAndRecord: async (items: string[], scope: string) =>
		inStore(() => {
			if (scope !== 'node') return { new: items, processed: [] };
			const [processed = [], fresh = []] = partition(items, (item) => entries.has(item));
			for (const item of items) entries.add(item);
			return { new: fresh, processed };
		}),
	removeProcessed: async (items: string[]) => {
		inStore(() => {
			for (const item of items) entries.delete(item);
		});
	},
});

const run = <T,>(work: () => T): T => work();
