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
	title: 'Customer, Create or Update Batch, 100,000 customers, 20 ms',
	method:
		'Columns mapped automatically, upsert, 500 in a request, 4 requests at once. The HTTP Request node sends one request for each row, all of them at once, which is its default; 2,000 rows are sent, and the time scaled to all is 50 times as long.',
	chart: [who.bare, who.ours],
	bounds: [
		{
			text: 'this node / bare client with the same requests',
			figure: (rounds) => ratioOf(rounds, [who.ours, who.bare]),
			most: 1.6,
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
			operation: 'upsertBatch',
			dryRun: false,
			inputMode: 'fields',
			customer: { mappingMode: 'autoMapInputData', value: null },
			doNotDisturb: 'none',
			options: { batching: { batch: { batchSize: BATCH, parallelRequests: PARALLEL } } },
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
				inN8n(stage, {
					name: who.ours,
					nodes: [...rowsOfFile(file), create],
					timed: [names.ours],
					items: rows.length,
					latency: LATENCY,
				}),
				inN8n(stage, {
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

const mapped = {
	automatically: 'columns mapped automatically',
	fields: 'each field a column, as dragging makes it',
	expressions: 'each field another expression',
};

const ROWS = 2_500;
const FIELDS = ['identifier', 'name', 'phoneNumber', 'email', 'priority'];

const mapper = (expression: (name: string) => string) => ({
	mappingMode: 'defineBelow',
	value: Object.fromEntries(FIELDS.map((name) => [name, expression(name)])),
});

/** M1: what it costs to map the fields of a row, which n8n does before anything is sent. */
export const mapping: Scenario = {
	id: 'M1',
	title:
		'Customer, Create or Update Batch, 2,500 customers of five fields, mapped in three ways, 20 ms',
	method:
		'The time is mostly that of reading parameters. A field that is a column of the row and nothing else, as ={{ $json.email }}, is read without the expression engine of n8n; for any other, here ={{ $json.email ?? "" }}, n8n evaluates one for each row.',
	bounds: [
		{
			text: 'other expressions / columns as fields',
			figure: (rounds) => ratioOf(rounds, [mapped.expressions, mapped.fields]),
			unit: 'x',
		},
	],
	prepare: async (setting) => {
		const stage = await startStage(setting);
		const rows = customersOf(setting.size(ROWS));
		const file = await stage.host.writeRows('customers', rows);
		const task = async (name: string, customer: object) =>
			inN8n(stage, {
				name,
				nodes: [
					...rowsOfFile(file),
					ours({
						resource: 'customer',
						operation: 'upsertBatch',
						dryRun: false,
						inputMode: 'fields',
						customer,
						doNotDisturb: 'none',
						options: { batching: { batch: { batchSize: BATCH, parallelRequests: PARALLEL } } },
					}),
				],
				timed: [names.ours],
				items: rows.length,
				latency: LATENCY,
			});
		return {
			contenders: [
				await task(mapped.automatically, { mappingMode: 'autoMapInputData', value: null }),
				await task(
					mapped.fields,
					mapper((name) => `={{ $json.${name} }}`),
				),
				await task(
					mapped.expressions,
					mapper((name) => `={{ $json.${name} ?? "" }}`),
				),
			],
			stop: stage.stop,
		};
	},
};
