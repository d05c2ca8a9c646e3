import { createRequire } from 'node:module';
import { join } from 'node:path';
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

function contextOf({ parameters, rows, reply }: Setup) {
	const items = rows.map((json) => ({ json }));
	const memory: Json = {};
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
		getTimezone: () => 'UTC',
		getExecutionCancelSignal: () => undefined,
		continueOnFail: () => false,
		addExecutionHints: () => undefined,
		getCredentials: async () => ({ baseUrl: 'http://127.0.0.1:1/api/v2', ...credentials }),
		helpers: {
			httpRequestWithAuthentication: async (_type: string, { body }: { body: Json }) => ({
				statusCode: 200,
				headers,
				body: reply(body),
			}),
			...storeOf(new Set<string>()),
		},
	};
}

/** n8n's store. */
const storeOf = (entries: Set<string>) => ({
	// The lock is always free.
	getProcessedDataCount: async (scope: string) => (scope === 'node' ? entries.size : 0),
	clearAllProcessedItems: async () => undefined,
	checkProcessedAndRecord: async (items: string[], scope: string) => {
		if (scope !== 'node') return { new: items, processed: [] };
		const [processed = [], fresh = []] = partition(items, (item) => entries.has(item));
		for (const item of items) entries.add(item);
		return { new: fresh, processed };
	},
	removeProcessed: async (items: string[]) => {
		for (const item of items) entries.delete(item);
	},
});
