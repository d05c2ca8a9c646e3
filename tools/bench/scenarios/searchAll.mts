import { bare, inN8n } from '../contenders.mts';
import { names, ours, searchByHttp } from '../nodes.mts';
import { ratioOf } from '../rounds.mts';
import type { Bound, Scenario } from '../scenario.mts';
import { startStage } from '../stage.mts';
import { readBare } from '../ticketReading.mts';

const TICKETS = 100_000;

/** The names of the contenders of this scenario. */
const who = {
	ours: 'this node',
	simplified: 'this node, simplified output',
	ours8: 'this node, 8 requests at once',
	http: 'HTTP Request + Split Out',
	bare8: 'bare client, 8 requests at once',
};

const search = (options: object, output: string) =>
	ours({ resource: 'ticket', operation: 'search', output, returnAll: true, options });

function searchAll(
	id: string,
	{ latency, bounds }: { latency: number; bounds: readonly Bound[] },
): Scenario {
	return {
		id,
		title: `Search, Return All, 100,000 tickets, ${latency} ms`,
		method:
			'All columns but with simplified output, which asks for eleven; pages of 100. The HTTP Request node pages by offset on its own; its time is that of both nodes. The bare client knows the bounds of all pages in advance.',
		chart: [who.bare8, who.ours8, who.ours, who.simplified, who.http],
		bounds,
		prepare: async (setting) => {
			const stage = await startStage(setting);
			const { service } = stage;
			const items = setting.size(TICKETS);
			await service.seed(items);
			const client = service.client(8);
			const task = (name: string, options: object, output = 'raw') => {
				const nodes = [search(options, output)];
				return inN8n(stage, { name, nodes, timed: [names.ours], items, latency });
			};
			return {
				contenders: [
					await task(who.ours, {}),
					await task(who.simplified, {}, 'simplified'),
					await task(who.ours8, { parallelRequests: 8 }),
					inN8n(stage, {
						name: who.http,
						nodes: searchByHttp(service.url),
						timed: [names.http, names.split],
						items,
						latency,
					}),
					bare(who.bare8, { service, latency }, async () => (await readBare(client, items)).length),
				],
				stop: async () => {
					await client.close();
					await stage.stop();
				},
			};
		},
	};
}

const fasterThanHttp = (least: number): Bound => ({
	text: 'HTTP Request node / this node',
	figure: (rounds) => ratioOf(rounds, [who.http, who.ours]),
	least,
	unit: 'x',
});

const simplifiedFasterThanHttp = (least: number): Bound => ({
	text: 'HTTP Request node (all columns) / this node, simplified output',
	figure: (rounds) => ratioOf(rounds, [who.http, who.simplified]),
	least,
	unit: 'x',
});

const nearBare = (most: number): Bound => ({
	text: 'this node at 8 / bare client at 8',
	figure: (rounds) => ratioOf(rounds, [who.ours8, who.bare8]),
	most,
	unit: 'x',
});

/** S1: everything is read, at two latencies. */
export const searches: Scenario[] = [
	searchAll('S1-20', {
		latency: 20,
		bounds: [fasterThanHttp(10), simplifiedFasterThanHttp(15), nearBare(1.25)],
	}),
	searchAll('S1-100', {
		latency: 100,
		bounds: [fasterThanHttp(15), simplifiedFasterThanHttp(19), nearBare(1.1)],
	}),
];
