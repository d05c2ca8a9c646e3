import orderBy from 'lodash/orderBy';
import { createPicker } from '../../core/output';
import type { Column } from '../columns';
import type { PageReader } from '../service/fetchPage';
import { sortValue } from '../service/values';
import type { Ticket } from '../ticket';
import type { Query, SortRule } from './query';
import { withNeededColumns } from './query';
import { readByNumber } from './readByNumber';
import type { OffsetRange } from './readByOffset';
import { readByOffset } from './readByOffset';
import type { ReadResult, Stretch } from './readStretch';
import { readStretch, totalOrder } from './readStretch';

/** What came for a search, and in which way it was read. */
export interface SearchResult extends ReadResult {
	readonly way?: 'by ticket number' | 'by offset';
}

/** What to read of a search: from an offset on, all, a limit, or until the rows are enough. */
export type Wanted = OffsetRange & Pick<Stretch, 'isEnough'>;

/** Reads the tickets of a query, by number if that is exact, each once. */
export async function readTickets(
	query: Query,
	wanted: Wanted,
	reader: PageReader,
): Promise<SearchResult> {
	const result = await readBestWay(withNeededColumns(query), wanted, reader);
	return { ...result, rows: selectColumns(result.rows, query.select) };
}

/** The selected columns in their order, without those that only the reader needs. */
export const selectColumns = (
	rows: readonly Ticket[],
	select: readonly Column[],
): readonly Ticket[] => (select.length === 0 ? rows : rows.map(createPicker(select)));

async function readBestWay(
	query: Query,
	wanted: Wanted,
	reader: PageReader,
): Promise<SearchResult> {
	const { limit, offset, isEnough } = wanted;
	const { sort } = query;
	const isAll = limit === undefined && !isEnough;
	const isSortable = sort.every(({ column }) => ALWAYS_SET.includes(column));
	if (offset === 0 && isAll && isSortable) {
		const read = await readByNumber(query, reader);
		const rows = sortTickets(read.rows, sort);
		if (rows) return { ...read, rows, way: 'by ticket number' };
	}
	if (offset === 0 && !isAll && sort.length === 0) {
		const newest = { column: 'ticketNumber', direction: 'desc', ...wanted } as const;
		const read = await readStretch(query, newest, reader);
		const position = read.failure && { position: { offset: read.rows.length } };
		return { ...read, ...position, way: 'by ticket number' };
	}
	// Within one page it does not matter which of two tickets that tie comes first.
	const isOnePage = limit !== undefined && limit <= reader.pageSize && sort.length > 0;
	const ordered = isOnePage ? query : { ...query, sort: totalOrder(sort) };
	return { ...(await readByOffset(ordered, wanted, reader)), way: 'by offset' };
}

/** Columns with a number, time or boolean in every ticket. Only the service knows the order of text, IDs, enums and null. */
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
