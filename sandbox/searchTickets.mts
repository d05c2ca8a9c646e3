import { json, refusal } from './reply.mts';
import type { Issue, Reply } from './reply.mts';
import { readTicketQuery } from './searchSchema.mts';
import type { World } from './world.mts';

/** POST /tickets/search: one page of tickets, and whether there are more. */
export function searchTickets(world: World, body: unknown): Reply {
	const query = readTicketQuery(body, world.options.spelling);
	if (Array.isArray(query)) return refusal(400, query as Issue[]);
	const { rows, hasNextPage } = world.tickets.search(query);
	world.ticketsReturned += rows.length;
	return json(200, { data: rows, metadata: { hasNextPage } });
}
