import type { BareClient } from './bareClient.mts';

const PAGE = 100;

/** Reads all of `count` tickets whose numbers run from 1 on: the fewest pages, known in advance, by the same bounded requests as our node's. */
export async function readBare(
	client: BareClient,
	count: number,
	select?: readonly string[],
): Promise<unknown[]> {
	const first = Array.from({ length: Math.ceil(count / PAGE) }, (_, page) => page * PAGE + 1);
	const pages = await client.all(first, async (gte) => {
		const body = {
			filters: { ticketNumber: { gte, lte: gte + PAGE - 1 } },
			sort: [
				{ field: 'ticketNumber', direction: 'asc' },
				{ field: 'id', direction: 'asc' },
			],
			pagination: { limit: PAGE, offset: 0 },
			...(select && { select: Object.fromEntries(select.map((column) => [column, true])) }),
		};
		const reply = await client.call('POST', '/api/v2/tickets/search', body);
		return (reply as { data: unknown[] }).data;
	});
	return pages.flat();
}
