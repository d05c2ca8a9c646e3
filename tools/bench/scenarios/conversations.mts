import { bare, inN8n } from '../contenders.mts';
import { httpRequest, names, ours, rowsOfFile } from '../nodes.mts';
import { medianOf, ratioOf } from '../rounds.mts';
import type { Scenario } from '../scenario.mts';
import type { BenchService } from '../service.mts';
import { startStage } from '../stage.mts';

const LATENCY = 20;
const AGENT = '5f0c6a3e-9d1b-4e7a-8c25-2b7d9e4f1a60';

const campaign = (count: number) =>
	Array.from({ length: count }, (_, n) => ({
		phone: `+1415${String(5_000_000 + n)}`,
		firstName: `Person ${n}`,
	}));

const conversationOf = ({ phone, firstName }: ReturnType<typeof campaign>[number]) => ({
	agentId: AGENT,
	conversationType: 'telephony',
	toPhoneNumber: phone,
	dynamicVariables: { firstName },
});

const caller = (people: number) =>
	ours({
		resource: 'conversation',
		operation: 'create',
		dryRun: false,
		inputMode: 'fields',
		agentId: AGENT,
		conversationType: 'telephony',
		toPhoneNumber: '={{ $json.phone }}',
		whoMayBeCalled: 'everyone',
		dynamicVariables: { variables: [{ name: 'firstName', value: '={{ $json.firstName }}' }] },
		safeguards: { maximumConversations: people },
		options: {},
	});

const create = {
	ours: 'this node',
	http: 'HTTP Request, one per row',
	bare: 'bare client, one request at a time',
};

/** B2: a campaign, at the latency of a near service and at that of a telephone service. */
export const starting: readonly Scenario[] = [
	campaignOf({ id: 'B2', people: 5_000, latency: 20, most: 1.8 }),
	campaignOf({ id: 'B2-200', people: 2_000, latency: 200, most: 1.15 }),
];

interface Campaign {
	readonly id: string;
	readonly people: number;
	/** Of each request, in ms. */
	readonly latency: number;
	/** The bound of this node against the bare client. */
	readonly most: number;
}

function campaignOf({ id, people, latency, most }: Campaign): Scenario {
	return {
		id,
		title: `Conversation, Create, ${people.toLocaleString('en-US')} conversations, ${latency} ms`,
		method:
			'50 in a request, one request at a time (the defaults of this node); number and variable are expressions. The HTTP Request node sends one request for each row, all of them at once.',
		chart: [create.bare, create.ours, create.http],
		bounds: [
			{
				text: 'this node / bare client with the same requests',
				figure: (rounds) => ratioOf(rounds, [create.ours, create.bare]),
				most,
				unit: 'x',
			},
			{
				text: 'HTTP Request node / this node',
				figure: (rounds) => ratioOf(rounds, [create.http, create.ours]),
				unit: 'x',
			},
		],
		prepare: async (setting) => {
			const stage = await startStage(setting);
			const { service, host } = stage;
			const rows = campaign(setting.size(people));
			const file = await host.writeRows('campaign', rows);
			const client = service.client(1);
			const task = { items: rows.length, latency };
			const onePerRow = httpRequest({
				method: 'POST',
				url: `${service.url}/conversations`,
				sendBody: true,
				specifyBody: 'json',
				jsonBody: `={{ JSON.stringify({ conversations: [{ agentId: "${AGENT}", conversationType: "telephony", toPhoneNumber: $json.phone, dynamicVariables: { firstName: $json.firstName } }] }) }}`,
			});
			return {
				contenders: [
					inN8n(stage, {
						...task,
						name: create.ours,
						nodes: [...rowsOfFile(file), caller(rows.length)],
						timed: [names.ours],
					}),
					inN8n(stage, {
						...task,
						name: create.http,
						nodes: [...rowsOfFile(file), onePerRow],
						timed: [names.http],
					}),
					bare(create.bare, { service, latency }, async () => {
						for (let from = 0; from < rows.length; from += 50) {
							const conversations = rows.slice(from, from + 50).map(conversationOf);
							await client.call('POST', '/api/v2/conversations', { conversations });
						}
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
}

const ENTRIES = 60_000;
const lists = {
	empty: 'an empty list',
	long: `a list of ${ENTRIES.toLocaleString('en-US')} entries`,
};

/** B3: a large campaign of a node that has called many people before. */
export const longList: Scenario = {
	id: 'B3',
	title: 'Conversation, Create, 20,000 people, 20 ms, with a long list of people called before',
	method:
		"As B2, but with 20,000 people. n8n reads and writes the list of people as a whole, on its main thread: `blocked` says for how many ms that was busy at a stretch during the whole execution, n8n's own work included.",
	bounds: [
		{
			text: 'time per person, long list / empty list',
			figure: (rounds) => ratioOf(rounds, [lists.long, lists.empty]),
			most: 1.8,
			unit: 'x',
		},
		{
			text: 'main thread busy at a stretch, long list',
			figure: (rounds) => medianOf(rounds, lists.long, 'blocked'),
			most: 500,
			unit: 'ms',
		},
	],
	prepare: async (setting) => {
		const stage = await startStage(setting);
		const rows = campaign(setting.size(20_000));
		const nodes = [
			...rowsOfFile(await stage.host.writeRows('campaign', rows)),
			caller(rows.length),
		];
		const task = { nodes, timed: [names.ours], items: rows.length, latency: LATENCY };
		return {
			contenders: [
				inN8n(stage, { ...task, name: lists.empty }),
				inN8n(stage, { ...task, name: lists.long, entries: ENTRIES }),
			],
			stop: stage.stop,
		};
	},
};

const PARALLEL = 20;

const FEW = 5;

const read = {
	ours: 'this node',
	ours5: 'this node, 5 requests at once',
	bare5: 'bare client, 5 requests at once',
	http: 'HTTP Request, one per row',
	bare: 'bare client, 20 requests at once',
};

/** Conversations outlive no reset, so each round starts its own and reads them from a file. */
async function startConversations(service: BenchService, count: number): Promise<string[]> {
	await service.prepare(0);
	const client = service.client(1);
	const conversations = campaign(count).map(conversationOf);
	const reply = await client.call('POST', '/api/v2/conversations', { conversations });
	await client.close();
	const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
	const list = Object.values(reply as object).find(Array.isArray) as Array<{ id: string }>;
	return list.map(({ id }) => uuid.exec(id)?.[0] ?? '');
}

/** G1: conversations are read one by one. */
export const reading: Scenario = {
	id: 'G1',
	title: 'Conversation, Get, 1,000 conversations, 20 ms',
	method:
		'Up to 20 requests at once (the default of this node), simplified output. The HTTP Request node sends all requests at once.',
	chart: [read.bare, read.ours, read.http],
	bounds: [
		{
			text: 'HTTP Request node / this node',
			figure: (rounds) => ratioOf(rounds, [read.http, read.ours]),
			least: 2.5,
			unit: 'x',
		},
		{
			text: 'this node at 5 / bare client at 5',
			figure: (rounds) => ratioOf(rounds, [read.ours5, read.bare5]),
			most: 1.15,
			unit: 'x',
		},
		{
			text: 'this node / bare client at 20',
			figure: (rounds) => ratioOf(rounds, [read.ours, read.bare]),
			unit: 'x',
		},
	],
	prepare: async (setting) => {
		const stage = await startStage(setting);
		const { service, host } = stage;
		const count = setting.size(1_000);
		let ids = await startConversations(service, count);
		const write = async () =>
			await host.writeRows(
				'ids',
				ids.map((id) => ({ id })),
			);
		const file = await write();
		const renewed = {
			...service,
			prepare: async (latencyMs: number) => {
				ids = await startConversations(service, count);
				await write();
				await service.setLatency(latencyMs);
			},
		};
		const onStage = { host, service: renewed };
		const client = service.client(PARALLEL);
		const task = { items: count, latency: LATENCY };
		const few = service.client(FEW);
		const ownNode = (options: object) =>
			ours({
				resource: 'conversation',
				operation: 'get',
				conversationId: '={{ $json.id }}',
				output: 'simplified',
				options,
			});
		const own = async (name: string, options: object) =>
			inN8n(onStage, {
				...task,
				name,
				nodes: [...rowsOfFile(file), ownNode(options)],
				timed: [names.ours],
			});
		const getAll = (name: string, using: typeof client) =>
			bare(name, { service: renewed, latency: LATENCY }, async () => {
				await using.all(ids, async (id) => await using.call('GET', `/api/v2/conversations/${id}`));
				return ids.length;
			});
		const onePerRow = httpRequest({
			method: 'GET',
			url: `=${service.url}/conversations/{{ $json.id }}`,
		});
		return {
			contenders: [
				await own(read.ours, {}),
				await own(read.ours5, { parallelRequests: FEW }),
				inN8n(onStage, {
					...task,
					name: read.http,
					nodes: [...rowsOfFile(file), onePerRow],
					timed: [names.http],
				}),
				getAll(read.bare, client),
				getAll(read.bare5, few),
			],
			stop: async () => {
				await client.close();
				await few.close();
				await stage.stop();
			},
		};
	},
};
