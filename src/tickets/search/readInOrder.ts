import type { CallError } from '../../core/client';
import { fetchPage, type PageReader } from '../service/fetchPage';
import { searchContractError, type Query } from '../service/query';
import { ticketKey, type Ticket } from '../ticket';

/** The tickets that were read, and why reading stopped before the end. */
export interface ReadResult {
	readonly rows: readonly Ticket[];
	readonly failure?: CallError;
	/** Whether reading stopped though more may follow. */
	readonly isPartial?: boolean;
}

/** Where to stop. Without limits, everything is read. */
export interface ReadLimits {
	/** Max tickets. */
	readonly limit?: number | undefined;
	/** Whether to stop after this page. */
	readonly isEnough?: ((page: readonly Ticket[]) => boolean) | undefined;
}

/** Max times that all pages are read again because tickets moved between two. */
const MAX_SHIFTS = 3;

/** The error of a search whose tickets keep moving. */
const SHIFTED = searchContractError(
	'The tickets moved between pages four times, so a page could not be joined to the one before',
	'Search again, or use Return All',
);

/** Reads each ticket once, by offset in the query's order. If tickets move between pages, reads all again. */
export async function readInOrder(
	query: Query,
	{ offset = 0, limit = Infinity, isEnough }: ReadLimits & { readonly offset?: number },
	reader: PageReader,
): Promise<ReadResult> {
	const tickets = new Map<unknown, Ticket>();
	const toResult = (ending: Omit<ReadResult, 'rows'>): ReadResult => ({
		rows: [...tickets.values()].slice(0, limit),
		...ending,
	});
	/** Identifies a ticket at its place in the order, which changes if the ticket moves. */
	const toAnchor = (ticket: Ticket = {}): string =>
		JSON.stringify([ticketKey(ticket), ...query.sort.map(({ column }) => ticket[column])]);
	let nextOffset = offset;
	/** The last ticket that was read, at its place: the next page repeats it as its first ticket. */
	let anchor: string | undefined;
	let shifts = 0;
	for (;;) {
		const overlap = anchor === undefined ? 0 : 1;
		// A page repeats the last ticket of the previous page, so it needs two to advance.
		const size = Math.min(Math.max(2, reader.pageSize), limit - tickets.size + overlap);
		const page = await fetchPage(query, { limit: size, offset: nextOffset }, reader);
		if (!page.ok) return toResult({ failure: page.failure });
		const { data, metadata } = page.value;
		const added = data.filter((row) => !tickets.has(ticketKey(row)));
		// Unless tickets moved, a page begins with the anchor, and a new ticket comes after it.
		const lacksAnchor = anchor !== undefined && toAnchor(data[0]) !== anchor;
		if (lacksAnchor || (data.length > 1 && added.length === 0)) {
			if (shifts === MAX_SHIFTS) return toResult({ failure: SHIFTED });
			shifts += 1;
			tickets.clear();
			nextOffset = offset;
			anchor = undefined;
			continue;
		}
		for (const row of added) tickets.set(ticketKey(row), row);
		// A page with only the anchor, or no ticket, is the end, even if hasNextPage is true.
		const hasMore = metadata.hasNextPage && added.length > 0;
		if (!hasMore || tickets.size >= limit || isEnough?.(data))
			return toResult({ isPartial: hasMore || tickets.size > limit }); // A service may return more than `size`.
		nextOffset += data.length - 1;
		anchor = toAnchor(data.at(-1));
	}
}
