import { bare, inN8n } from '../contenders.mts';
import { names, ours } from '../nodes.mts';
import { medianOf, ratioOf } from '../rounds.mts';
import type { Scenario } from '../scenario.mts';
import { startStage } from '../stage.mts';

const TICKETS = 100_000;
const LATENCY = 20;

const who = { ours: 'this node', bare: 'bare client, page by page' };

const ROWS = 5_000;

/** S4: the first of a sort that only the service knows, which has to be read by offset. */
export const sortByOffset: Scenario = {
	id: 'S4',
	title: `Search, the first ${ROWS.toLocaleString('en')} of 100,000 tickets by title, 20 ms`,
	method: 'Pages of 100 by offset, which the bare client reads one after another.',
	chart: [who.ours, who.bare],
	bounds: [
		{
			text: 'requests',
			figure: (rounds) => medianOf(rounds, who.ours, 'requests'),
			most: ROWS / 100 + 3,
		},
		{
			text: 'bare client, page by page / this node',
			figure: (rounds) => ratioOf(rounds, [who.bare, who.ours]),
			least: 6,
			unit: 'x',
		},
	],
	prepare: async (setting) => {
		const stage = await startStage(setting);
		const { service } = stage;
		await service.seed(setting.size(TICKETS));
		const items = setting.size(ROWS);
		const client = service.client(1);
		const node = ours({
			resource: 'ticket',
			operation: 'search',
			limit: items,
			sort: { rules: [{ column: 'title', direction: 'asc' }] },
			options: {},
		});
		const fields = ['title', 'ticketNumber', 'id'];
		const sort = fields.map((field) => ({ field, direction: 'asc' }));
		return {
			contenders: [
				inN8n(stage, {
					name: who.ours,
					nodes: [node],
					timed: [names.ours],
					items,
					latency: LATENCY,
				}),
				bare(who.bare, { service, latency: LATENCY }, async () => {
					for (let offset = 0; offset < items; offset += 100)
						await client.call('POST', '/api/v2/tickets/search', {
							sort,
							pagination: { limit: 100, offset },
						});
				}),
			],
			stop: async () => {
				await client.close();
				await stage.stop();
			},
		};
	},
};
