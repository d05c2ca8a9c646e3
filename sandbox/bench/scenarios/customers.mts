import { bare, inN8n } from '../contenders.mts';
import { httpRequest, names, ours, rowsOfFile } from '../nodes.mts';
import { customersOf } from '../people.mts';
import { medianOf, ratioOf } from '../rounds.mts';
import type { Scenario } from '../scenario.mts';
import { startStage } from '../stage.mts';

const CUSTOMERS = 100_000;
const SAMPLE = 2_000;
const LATENCY = 20;
const BATCH = 500;
const PARALLEL = 4;

const who = {
	ours: 'this node',
	http: 'HTTP Request, one per row (a sample of 2,000)',
	bare: 'bare client, 4 requests at once',
};

/** S1's counterpart for writing: all customers of a sheet. */
export const customers: Scenario = {
	id: 'B1',
	title: 'Customer, Create Batch, 100,000 customers, 20 ms',
	method:
		'Columns mapped automatically, upsert, 500 in a request, 4 requests at once. The HTTP Request node sends one request for each row, all of them at once, which is its default; 2,000 rows are sent, and the time scaled to all is 50 times as long.',
	chart: [who.bare, who.ours],
	bounds: [
		{
			text: 'this node / bare client with the same requests',
			figure: (rounds) => ratioOf(rounds, [who.ours, who.bare]),
			most: 1.3,
			unit: 'x',
		},
		{
			text: 'HTTP Request node (scaled from the sample) / this node',
			figure: (rounds) =>
				(medianOf(rounds, who.http) * (CUSTOMERS / SAMPLE)) / medianOf(rounds, who.ours),
			unit: 'x',
		},
	],
	prepare: async (setting) => {
		const stage = await startStage(setting);
		const { service, host } = stage;
		const rows = customersOf(setting.size(CUSTOMERS));
		const sample = rows.slice(0, setting.size(SAMPLE));
		const file = await host.writeRows('customers', rows);
		const sampleFile = await host.writeRows('sample', sample);
		const client = service.client(PARALLEL);
		const bodies = Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, batch) =>
			rows.slice(batch * BATCH, (batch + 1) * BATCH),
		);
		const create = ours({
			resource: 'customer',
			operation: 'createBatch',
			inputMode: 'fields',
			customer: { mappingMode: 'autoMapInputData', value: null },
			strategy: 'upsert',
			options: { batchSize: BATCH, parallelRequests: PARALLEL },
		});
		const onePerRow = httpRequest({
			method: 'POST',
			url: `${service.url}/customers/batch`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ JSON.stringify({ customers: [$json], strategy: "upsert" }) }}',
		});
		return {
			contenders: [
				await inN8n(stage, {
					name: who.ours,
					nodes: [...rowsOfFile(file), create],
					timed: [names.ours],
					items: rows.length,
					latency: LATENCY,
				}),
				await inN8n(stage, {
					name: who.http,
					nodes: [...rowsOfFile(sampleFile), onePerRow],
					timed: [names.http],
					items: sample.length,
					latency: LATENCY,
				}),
				bare(who.bare, { service, latency: LATENCY }, async () => {
					await client.all(bodies, async (batch) => {
						const sent = batch.map((customer) => ({ source: { method: 'api' }, ...customer }));
						const body = { customers: sent, strategy: 'upsert' };
						return await client.call('POST', '/api/v2/customers/batch', body);
					});
					return rows.length;
				}),
			],
			stop: async () => {
				await client.close();
				await stage.stop();
			},
		};
	},
};
