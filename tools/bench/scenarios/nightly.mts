import { medianOf, ratioOf } from '../rounds.mts';
import { nightlyWork } from '../rowWork.mts';
import type { Scenario } from '../scenario.mts';

const CUSTOMERS = 100_000;
const LATENCY = 200;
const who = { changes: 'only what changed', all: 'all again' };

/** N1: a nightly run with a whole export, of whose customers one of a thousand changed. */
export const nightly: Scenario = {
	id: 'N1',
	title:
		'Customer, Create or Update Batch, a nightly export of 100,000 customers, 100 of them changed, 200 ms',
	method:
		'The node runs without the engine of n8n, as in O1, with a service that takes 200 ms for a request of 500 customers, 4 at once. The time a row is processor time.',
	bounds: [
		{
			text: 'all again / only what changed',
			figure: (rounds) => ratioOf(rounds, [who.all, who.changes]),
			least: 8,
			unit: 'x',
		},
		{
			text: 'only what changed',
			figure: (rounds) => medianOf(rounds, who.changes, 'own'),
			most: 10,
			unit: 'µs a row',
		},
	],
	prepare: async ({ size }) => {
		const run = (options: Record<string, unknown>) => async () =>
			await nightlyWork(size(CUSTOMERS), { options, latency: LATENCY });
		return {
			contenders: [
				{ name: who.changes, run: run({ skipUnchanged: true }) },
				{ name: who.all, run: run({}) },
			],
			stop: async () => undefined,
		};
	},
};
