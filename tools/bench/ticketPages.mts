import { inventTickets } from '../../sandbox/seedTickets.mts';
import { seededRandom } from '../../sandbox/random.mts';

interface SearchBody {
	filters?: { ticketNumber?: { gte?: number; lte?: number } };
	pagination?: { limit?: number };
	sort?: Array<{ direction: 'asc' | 'desc' }>;
}

/** A ticket service without a database: pages by ticket number out of invented tickets, each of which is text already. */
export function ticketService(count: number): (body: SearchBody) => string {
	const plan = { count, firstNumber: 1, now: Date.now(), random: seededRandom(1) };
	const rows = [...inventTickets(plan)].map((ticket) => JSON.stringify(ticket));
	return ({ filters, pagination, sort }) => {
		const { gte = 1, lte = count } = filters?.ticketNumber ?? {};
		const size = pagination?.limit ?? 25;
		const down = sort?.[0]?.direction === 'desc';
		const from = down ? Math.max(gte, lte - size + 1) : gte;
		const to = down ? lte : Math.min(lte, gte + size - 1);
		const page = rows.slice(from - 1, to);
		if (down) page.reverse();
		const hasNextPage = down ? from > gte : to < lte;
		return `{"data":[${page.join(',')}],"metadata":{"hasNextPage":${hasNextPage}}}`;
	};
}
