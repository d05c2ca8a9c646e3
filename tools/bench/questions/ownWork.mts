import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import get from 'lodash/get.js';
import { credentials } from '../../../sandbox/credentials.mts';
import { runtimeOptions } from '../../../sandbox/options.mts';
import { searchTickets } from '../../../sandbox/searchTickets.mts';
import { createWorld } from '../../../sandbox/world.mts';
import { root } from '../../checks/check.mts';
import type { Contender, Question, Trial } from '../question.mts';
import { listCustomers, upsertParameters } from './customers.mts';
import { searchParameters } from './tickets.mts';

/** A run of the node whose responses cost nothing, and the parsing that no one can avoid. */
interface OwnRun {
	readonly parameters: object;
	readonly rows: readonly object[];
	readonly respond: (body: object) => string;
	readonly parse: () => readonly unknown[];
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Makes a contender whose figure is the processor time of this thread. */
const measureThread = (name: string, work: () => unknown): Contender => ({
	name,
	run: async () => {
		collectGarbage();
		const start = process.threadCpuUsage();
		const kept = await work();
		const { user, system } = process.threadCpuUsage(start);
		return Array.isArray(kept) ? { cpu: (user + system) / 1_000 } : {};
	},
});

/** Runs the built node without n8n and returns its items. */
async function runAlone({ parameters, rows, respond }: OwnRun): Promise<unknown> {
	const file = join(root, 'dist', 'nodes', 'ConversationDesk', 'ConversationDesk.node.js');
	const { ConversationDesk } = createRequire(file)(file) as {
		ConversationDesk: new () => { execute: (this: object) => Promise<unknown[][]> };
	};
	const items = rows.map((json) => ({ json }));
	const memory = {};
	const context = {
		getInputData: () => items,
		// Without expressions, a parameter has the value of the workflow.
		getNodeParameter: (name: string, _item: number, fallback: unknown): unknown =>
			get(parameters, name, fallback),
		getNode: () => ({ id: 'desk', name: 'Desk', type: 'desk', typeVersion: 1, parameters }),
		getWorkflow: () => ({ id: 'bench' }),
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		getContext: () => memory,
		getTimezone: () => 'UTC',
		continueOnFail: () => false,
		addExecutionHints: () => undefined,
		getCredentials: async () => ({ baseUrl: 'http://127.0.0.1:1/api/v2', ...credentials }),
		helpers: {
			httpRequestWithAuthentication: async (_type: string, { body }: { body: object }) => ({
				statusCode: 200,
				headers: { 'content-type': 'application/json' },
				body: respond(body),
			}),
		},
	};
	const [returned] = await new ConversationDesk().execute.call(context);
	return returned;
}

const createOwnTrial = (
	title: string,
	atMost: number,
	prepareRun: (count: number) => OwnRun,
): Trial => ({
	title,
	ratios: [{ above: 'own work', below: 'parsing', figure: 'cpu', atMost }],
	prepare: async (size) => {
		const run = prepareRun(size(100_000));
		const node = measureThread('own work', async () => await runAlone(run));
		return { contenders: [node, measureThread('parsing', run.parse)] };
	},
});

function prepareTickets(count: number): OwnRun {
	const world = createWorld(runtimeOptions.parse({}), Date.now, 1);
	world.tickets.seed(count);
	const texts = new Map<string, string>();
	// The round that is not counted fills the cache.
	const respond = (body: object) => {
		const key = JSON.stringify(body);
		const text = texts.get(key) ?? String(searchTickets(world, body).body);
		texts.set(key, text);
		return text;
	};
	const parse = () => Array.from(texts.values(), (text): unknown => JSON.parse(text));
	return { parameters: searchParameters, rows: [{}], respond, parse };
}

function prepareCustomers(count: number): OwnRun {
	const rows = listCustomers(count);
	const parse = () =>
		rows.map((customer) => [
			JSON.parse(JSON.stringify(customer)) as unknown,
			parsePhoneNumberFromString(customer.phoneNumber),
		]);
	return { parameters: upsertParameters, rows, respond: () => '{"jobId":"job-1"}', parse };
}

export const ownWorkQuestion: Question = {
	letter: 'R',
	meaning:
		"**Own work per row,** without n8n's engine and without a network, in one process. All that this node does with a row, compared with the parsing that no one can avoid: JSON.parse of the ticket, or JSON.stringify and JSON.parse of the customer and its number parsed by libphonenumber-js.",
	trials: [
		createOwnTrial('own work for 100,000 tickets', 2, prepareTickets),
		createOwnTrial('own work for 100,000 customers', 2.2, prepareCustomers),
	],
};
