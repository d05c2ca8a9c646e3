import { runInstantly } from './instantNode.mts';
import type { Json, Setup } from './instantNode.mts';
import { customersOf } from './people.mts';
import type { Figures } from './rounds.mts';
import { ticketService } from './ticketPages.mts';

const parameters = {
	customers: {
		resource: 'customer',
		operation: 'upsertBatch',
		dryRun: false,
		inputMode: 'fields',
		customer: { mappingMode: 'autoMapInputData', value: null },
		doNotDisturb: 'none',
		options: {},
	},
	tickets: { resource: 'ticket', operation: 'search', output: 'raw', returnAll: true, options: {} },
};

/** Microseconds a row: of the node, and of reading the same replies as JSON and keeping them, which any client has to do. */
export type RowWork = Figures;

/** Ms of processor time of this thread: unlike the clock, it does not count what other processes take. */
function spent(): number {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000;
}

async function timed(work: () => unknown): Promise<number> {
	const start = spent();
	await work();
	return spent() - start;
}

async function measure(setup: Setup, count: number): Promise<RowWork> {
	const bodies: Json[] = [];
	let serving = 0;
	const reply = (body: Json) => {
		const start = spent();
		const text = setup.reply(body);
		bodies.push(body);
		serving += spent() - start;
		return text;
	};
	const ms = await timed(async () => {
		const items = await runInstantly({ ...setup, reply });
		if (items.length !== count) throw new Error(`${items.length} items came out of ${count}`);
	});
	const kept: unknown[] = [];
	let parsing = 0;
	for (const body of bodies) {
		const text = setup.reply(body);
		parsing += await timed(() => kept.push(JSON.parse(text)));
	}
	const perRow = (total: number) => (total * 1000) / count;
	return {
		parsing: perRow(parsing),
		own: perRow(ms - serving - parsing),
	};
}

/** Measures what the node itself does with each customer of a batch. */
export async function customerWork(count: number): Promise<RowWork> {
	const reply = () => '{"jobId":"job-1"}';
	const rows = customersOf(count);
	return await measure({ parameters: parameters.customers, rows, reply }, count);
}

/** Measures what the node itself does with each ticket of a search. */
export async function ticketWork(count: number): Promise<RowWork> {
	const reply = ticketService(count);
	return await measure({ parameters: parameters.tickets, rows: [{}], reply }, count);
}
