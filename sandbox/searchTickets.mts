import { bentQuery, bentRow } from './personality.mts';
import type { Personality } from './personality.mts';
import { json, refusal } from './reply.mts';
import type { Issue, Reply } from './reply.mts';
import { readTicketQuery } from './searchSchema.mts';
import type { World } from './world.mts';

const TOO_MUCH: Issue[] = [{ path: [], message: 'Too many rules or values', code: 'too_big' }];

const refused = ({ refusal: status, givesDetails }: Personality, issues: Issue[]): Reply =>
	givesDetails ? refusal(status, issues) : { status, body: '' };

/** POST /tickets/search: one page of tickets, and whether there are more. */
export function searchTickets(world: World, body: unknown): Reply {
	const { spelling, personality } = world.options;
	const query = readTicketQuery(body, spelling, personality.otherSpelling);
	if (Array.isArray(query)) return refused(personality, query as Issue[]);
	const bent = bentQuery(query, personality);
	if (!bent) return refused(personality, TOO_MUCH);
	const { rows, isFull, follows } = world.tickets.search(bent, personality);
	const data = rows.map((row) => bentRow(row, personality));
	world.ticketsReturned += data.length;
	const hasNextPage = {
		exact: follows,
		late: isFull,
		early: follows && data.length === query.limit,
	}[personality.hasNextPage];
	return json(200, { data, metadata: { hasNextPage } });
}
