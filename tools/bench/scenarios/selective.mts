import { names, ours } from '../nodes.mts';
import { medianOf } from '../rounds.mts';
import type { Scenario } from '../scenario.mts';
import { startStage } from '../stage.mts';

const TICKETS = 1_000_000;
const NAME = 'this node';

type Ticket = Record<string, unknown>;

/** S3: few rows out of many. */
export const selective: Scenario = {
	id: 'S3',
	title: 'Search, Return All, about 50 rows out of 1,000,000 by a filter, 20 ms',
	method:
		'Agent, flow and priority have one value each and Snoozed Until is set; such tickets are spread over all numbers.',
	bounds: [
		{ text: 'requests', figure: (rounds) => medianOf(rounds, NAME, 'requests'), most: 3 },
		{ text: 'rows', figure: (rounds) => medianOf(rounds, NAME, 'rows') },
	],
	prepare: async (setting) => {
		const stage = await startStage(setting);
		const { service, host } = stage;
		await service.seed(setting.size(TICKETS));
		const client = service.client(1);
		const set = { isNotNull: true };
		const reply = (await client.call('POST', '/api/v2/tickets/search', {
			filters: { agentId: set, flowId: set, snoozedUntil: set },
			pagination: { limit: 1, offset: 0 },
		})) as { data: Ticket[] };
		await client.close();
		const { agentId, flowId, priority } = reply.data[0] ?? {};
		const filters = {
			agentId: { eq: agentId },
			flowId: { eq: flowId },
			priority: { eq: priority },
			snoozedUntil: set,
		};
		const parameters = {
			resource: 'ticket',
			operation: 'search',
			output: 'raw',
			returnAll: true,
			filterMode: 'json',
			filtersJson: JSON.stringify(filters),
			options: {},
		};
		const id = await host.store(NAME, [ours(parameters)]);
		const run = async () => {
			await service.prepare(20);
			const { nodes } = await host.run(id);
			const { ms = NaN, items = NaN } = nodes[names.ours] ?? {};
			return { ms, rows: items, requests: (await service.counts()).total };
		};
		return { contenders: [{ name: NAME, run }], stop: stage.stop };
	},
};
