import { loadOnce } from '../loadTime.mts';
import { medianOf } from '../rounds.mts';
import { customerWork, ticketWork } from '../rowWork.mts';
import type { Scenario } from '../scenario.mts';

const nothing = async () => undefined;

/** O1: what the node itself does with a row. */
export const rowOverhead: Scenario = {
	id: 'O1',
	title: "This node's own work for each row, without network and without n8n's engine",
	method:
		'Replies and parameters cost nothing here, so checking, mapping, ledger and pairing are left; 100,000 rows. What it takes to read the same replies as JSON, which any client has to do, is taken off. Processor time of the thread that runs the node.',
	bounds: [
		{
			text: 'customer, Create or Update Batch',
			figure: (rounds) => medianOf(rounds, 'customers', 'own'),
			most: 8,
			unit: 'µs a row',
		},
		{
			text: 'ticket, Search',
			figure: (rounds) => medianOf(rounds, 'tickets', 'own'),
			most: 4,
			unit: 'µs a row',
		},
	],
	prepare: async ({ size }) => ({
		contenders: [
			{ name: 'customers', run: async () => await customerWork(size(100_000)) },
			{ name: 'tickets', run: async () => await ticketWork(size(100_000)) },
		],
		stop: nothing,
	}),
};

const LOAD = 'the package';

/** O2: what the package costs n8n at its start. */
export const loading: Scenario = {
	id: 'O2',
	title: 'Loading of the package, and its size',
	method:
		'Both nodes and the credential are loaded and made in a new process, in which n8n-workflow and zod are loaded already, as they are in n8n. Sizes are of the descriptions as JSON.',
	bounds: [
		{ text: 'load time', figure: (rounds) => medianOf(rounds, LOAD), most: 25, unit: 'ms' },
		{
			text: 'descriptions of both nodes',
			figure: (rounds) => medianOf(rounds, LOAD, 'actionKB') + medianOf(rounds, LOAD, 'triggerKB'),
			most: 250,
			unit: 'kB',
		},
		{
			text: 'packed package',
			figure: (rounds) => medianOf(rounds, LOAD, 'packedKB'),
			most: 260,
			unit: 'kB',
		},
	],
	prepare: async ({ tarball }) => ({
		contenders: [
			{ name: LOAD, run: async () => ({ ...loadOnce(), packedKB: tarball.bytes / 1000 }) },
		],
		stop: nothing,
	}),
};
