import { bare } from '../contenders.mts';
import { medianOf } from '../rounds.mts';
import type { Scenario } from '../scenario.mts';
import { startService } from '../service.mts';

const TICKETS = 1_000_000;
const PAGES = 20;
const at = (share: number) => `page at ${share * 100} % of the depth`;

/** S2 deep: what one page by offset costs the service, by how deep it lies; this is why Return All does not page by offset. */
export const depth: Scenario = {
	id: 'S2-deep',
	title: 'Pages by offset out of a million tickets, no latency',
	method: `The bare client reads ${PAGES} pages of 100 one after another at each depth; the cost is that of the database of the sandbox (SQLite with an index on the order).`,
	bounds: [
		{
			text: 'page at 90 % of the depth / first page',
			figure: (rounds) => medianOf(rounds, at(0.9)) / medianOf(rounds, at(0)),
			unit: 'x',
		},
	],
	prepare: async ({ size }) => {
		const service = await startService();
		const count = size(TICKETS);
		await service.seed(count);
		const client = service.client(1);
		const sort = [{ field: 'ticketNumber', direction: 'asc' }];
		const contenders = [0, 0.1, 0.5, 0.9].map((share) =>
			bare(at(share), { service, latency: 0 }, async () => {
				for (let page = 0; page < PAGES; page += 1) {
					const offset = Math.floor(count * share) + page * 100;
					const body = { sort, pagination: { limit: 100, offset } };
					await client.call('POST', '/api/v2/tickets/search', body);
				}
				return PAGES;
			}),
		);
		return {
			contenders,
			stop: async () => {
				await client.close();
				await service.stop();
			},
		};
	},
};
