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

const ROWS = 100_000;
const OWN = 'own work of this node';

/** The parameters and rows of the node, and the text of the response to a request. */
interface NodeRun {
	readonly parameters: object;
	readonly rows: readonly object[];
	readonly respond: (body: object) => string;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Makes a contender whose figure is the processor time of this thread. */
const measureThread = (
	name: string,
	work: () => readonly unknown[] | Promise<readonly unknown[]>,
): Contender => ({
	name,
	run: async () => {
		collectGarbage();
		const start = process.threadCpuUsage();
		const { length } = await work();
		const { user, system } = process.threadCpuUsage(start);
		return length > 0 ? { cpu: (user + system) / 1_000 } : {};
	},
});

/** Runs the built node where parameters and responses cost nothing, and returns its items. */
async function runAlone({ parameters, rows, respond }: NodeRun): Promise<unknown[]> {
	const file = join(root, 'dist', 'nodes', 'ConversationDesk', 'ConversationDesk.node.js');
	const { ConversationDesk } = createRequire(file)(file) as {
		ConversationDesk: new () => { execute: (this: object) => Promise<unknown[][]> };
	};
	const items = rows.map((json) => ({ json }));
	const memory = {};
	const request = async (_type: string, { body }: { body: object }) => ({
		statusCode: 200,
		headers: { 'content-type': 'application/json' },
		body: respond(body),
	});
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
		getExecutionCancelSignal: () => undefined,
		continueOnFail: () => false,
		addExecutionHints: () => undefined,
		getCredentials: async () => ({ baseUrl: 'http://127.0.0.1:1/api/v2', ...credentials }),
		helpers: { httpRequestWithAuthentication: request },
	};
	const [returned = []] = await new ConversationDesk().execute.call(context);
	return returned;
}

const ticketTrial: Trial = {
	title: '100,000 tickets, own work',
	ratios: [{ above: OWN, below: 'JSON.parse', figure: 'cpu', atMost: 2 }],
	prepare: async (size) => {
		const world = createWorld(runtimeOptions.parse({}), Date.now, 1);
		world.tickets.seed(size(ROWS));
		const texts = new Map<string, string>();
		// The round that is not counted fills the cache.
		const respond = (body: object) => {
			const key = JSON.stringify(body);
			const text = texts.get(key) ?? String(searchTickets(world, body).body);
			texts.set(key, text);
			return text;
		};
		const search = { resource: 'ticket', operation: 'search', output: 'raw', returnAll: true };
		const run = { parameters: { ...search, options: {} }, rows: [{}], respond };
		return {
			contenders: [
				measureThread(OWN, async () => await runAlone(run)),
				measureThread('JSON.parse', () => Array.from(texts.values(), (text) => JSON.parse(text))),
			],
			stop: async () => world.tickets.close(),
		};
	},
};

const PARSING = 'JSON both ways and the number parsed';

const customerTrial: Trial = {
	title: '100,000 customers, own work',
	ratios: [{ above: OWN, below: PARSING, figure: 'cpu', atMost: 2.2 }],
	prepare: async (size) => {
		const rows = listCustomers(size(ROWS));
		const run = { parameters: upsertParameters, rows, respond: () => '{"jobId":"job-1"}' };
		const parse = (customer: (typeof rows)[number]) => [
			JSON.parse(JSON.stringify(customer)) as unknown,
			parsePhoneNumberFromString(customer.phoneNumber),
		];
		return {
			contenders: [
				measureThread(OWN, async () => await runAlone(run)),
				measureThread(PARSING, () => rows.map(parse)),
			],
			stop: async () => undefined,
		};
	},
};

export const ownWorkQuestion: Question = {
	letter: 'R',
	meaning:
		"**Own work per row,** without n8n's engine and without a network, in one process. All that this node does with a row, compared with the least that anyone does: parse the ticket, or write and parse the customer as JSON and parse its number with libphonenumber-js.",
	trials: [ticketTrial, customerTrial],
};
