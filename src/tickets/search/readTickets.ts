import orderBy from 'lodash/orderBy';
import type { Column } from '../columns';
import type { PageReader } from '../service/fetchPage';
import type { Ticket } from '../ticket';
import { sortValue } from '../ticket';
import type { Question, SortRule } from './query';
import { withNeededColumns } from './query';
import { readByNumber } from './readByNumber';
import type { ReadResult } from './readPages';
import { readPages, totalOrder } from './readPages';

/** The tickets of a search with all columns that were read, and the way they were read. */
export interface SearchResult extends ReadResult {
	readonly way?: 'by ticket number' | 'by offset';
}

/** Reads the tickets of a query, by number if that is exact, each once. */
export async function readTickets(
	{ query, limit }: Question,
	offset: number,
	reader: PageReader,
): Promise<SearchResult> {
	const needed = withNeededColumns(query);
	const { sort } = query;
	const isAll = limit === undefined && offset === 0;
	if (isAll && sort.every(({ column }) => ALWAYS_SET.includes(column))) {
		const read = await readByNumber(needed, reader);
		const rows = sortTickets(read.rows, sort);
		if (rows) return { ...read, rows, way: 'by ticket number' };
	}
	if (limit !== undefined && offset === 0 && sort.length === 0) {
		const stretch = { column: 'ticketNumber', direction: 'desc' } as const;
		return { ...(await readPages(needed, { stretch, limit }, reader)), way: 'by ticket number' };
	}
	// Within one page, the order of tied tickets does not matter.
	const isOnePage = limit !== undefined && limit <= reader.pageSize && sort.length > 0;
	const ordered = isOnePage ? needed : { ...needed, sort: totalOrder(sort) };
	return { ...(await readPages(ordered, { offset, limit }, reader)), way: 'by offset' };
}

/** Columns with a number, time or boolean in every ticket. The order of other values depends on the service. */
const ALWAYS_SET: readonly Column[] = ['createdAt', 'isShared', 'ticketNumber', 'updatedAt'];

/** Tickets in an order, newest first without one, ties by number; undefined if a ticket lacks a value. */
export function sortTickets(
	tickets: readonly Ticket[],
	sort: readonly SortRule[],
): readonly Ticket[] | undefined {
	const direction = sort.length > 0 ? 'asc' : 'desc';
	const rules: readonly SortRule[] = [...sort, { column: 'ticketNumber', direction }];
	const readers = rules.map(
		({ column }) =>
			(ticket: Ticket) =>
				sortValue(ticket, column),
	);
	const isComplete = tickets.every((ticket) => readers.every((read) => read(ticket) !== undefined));
	const directions = rules.map((rule) => rule.direction);
	return isComplete ? orderBy(tickets, readers, directions) : undefined;
}
