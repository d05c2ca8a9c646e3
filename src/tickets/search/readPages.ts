import { at, isEmpty, isNil, isUndefined, map, mapValues, omitBy, uniqBy } from 'lodash';
import type { CallError } from '../../core/client';
import { columns } from '../columns';
import { addBounds, type Operands } from '../filters/combine';
import { fetchPage, type PageReader } from '../service/fetchPage';
import { ticketKey, toComparable, type Ticket } from '../ticket';
import { searchContractError, type Query, type SortRule } from './query';

/** The tickets that were read, and why reading stopped before the end. */
export interface ReadResult {
	readonly rows: readonly Ticket[];
	readonly failure?: CallError;
	/** Whether reading stopped though more may follow. */
	readonly isPartial?: boolean;
}

/** The order of a number or a time (ms), between two bounds that belong to it. */
export interface TicketRange extends SortRule {
	readonly from?: number | undefined;
	readonly to?: number | undefined;
}

/** The part to read: of a range, or of the order of the query. Without a limit, everything. */
export interface PageRange {
	readonly range?: TicketRange;
	readonly offset?: number;
	readonly limit?: number | undefined;
	/** Whether reading may stop after these rows. */
	readonly isEnough?: (rows: readonly Ticket[]) => boolean;
}

const MAX_SHIFTS = 3;

/** The error of a search whose tickets keep moving. */
export const SHIFTED = searchContractError(
	'The tickets moved between pages four times, so a page could not be joined to the one before',
	'Search again, or use Return All without a sort',
);

/**
 * Reads pages until the end, the limit, or enough rows, each version of a ticket once. In a range, each page starts at the last value of the
 * previous page. So new or deleted tickets cause no gap. Other pages, which may have an offset, start with its last ticket.
 * If that ticket has moved, a range reads the value again, and an order is read again from its start.
 */
export async function readPages(
	query: Query,
	{ range, offset: start = 0, limit = Infinity, isEnough }: PageRange,
	reader: PageReader,
): Promise<ReadResult> {
	const rows: Ticket[] = [];
	const seen = new Set<string>();
	const column = range?.column ?? 'ticketNumber';
	let [from, offset, shifts] = [range?.from, start, 0];
	/** The last ticket of the previous page, which must come first again with the same values of the order. */
	let anchor: string | undefined;
	for (;;) {
		const overlap = rows.length > 0 ? 1 : 0;
		// A page repeats the last ticket of the previous page, so it needs two to advance.
		const size = Math.min(Math.max(2, reader.pageSize), limit - rows.length + overlap);
		const request = writePageQuery(query, range && { ...range, from });
		const page = await fetchPage(request, { limit: size, offset }, reader);
		if (!page.ok) return { rows, failure: page.failure };
		const { data, metadata } = page.value;
		const values = data.map((row) => toComparable(row[column], column));
		if (values.includes(undefined) || data.some((row) => isNil(ticketKey(row)))) {
			const message = `A ticket came without a readable ${columns[column].label}, or without an ID`;
			return { rows, failure: searchContractError(message) };
		}
		// With its value, because a ticket that changes between pages is a new version.
		const keys = data.map((row, i) => `${String(ticketKey(row))}@${values[i]}`);
		const order = range ? [column] : map(query.sort, 'column');
		const places = data.map((row) => [ticketKey(row), ...at(row, order)].join());
		if (anchor !== undefined && places[0] !== anchor) {
			if (++shifts > MAX_SHIFTS) return { rows, failure: SHIFTED };
			// Without a range, the whole order has moved, so all is read again.
			if (!range) seen.clear();
			if (!range) rows.length = 0;
			[offset, anchor] = [start, undefined];
			continue;
		}
		const fresh = data.filter((_, i) => !seen.has(keys[i] ?? ''));
		for (const key of keys) seen.add(key);
		rows.push(...fresh);
		const hasMore = metadata.hasNextPage && data.length > 0;
		if (rows.length >= limit)
			return { rows: rows.slice(0, limit), isPartial: hasMore || rows.length > limit };
		// Repeated tickets are the end, even if hasNextPage is true. After a shift, a range repeats full pages before new tickets.
		const isRepeated = fresh.length === 0 && (data.length < size || offset - start >= seen.size);
		if (!hasMore || isRepeated) return { rows };
		if (isEnough?.(rows)) return { rows, isPartial: true };
		const last = Number(values.at(-1));
		// In descending order, a page begins with the whole second of the value, so it may end before the value.
		const isSameValue =
			!range || (range.direction === 'asc' ? last === from : last >= (from ?? Infinity));
		offset = isSameValue ? offset + data.length - 1 : 0;
		anchor = isSameValue ? places.at(-1) : undefined;
		if (!isSameValue) from = last;
	}
}

/** The query of a page, in an order without ties, the newest first by default. The order and bounds of a range replace the sort. */
function writePageQuery({ filters, sort, select }: Query, range?: TicketRange): Query {
	const rules = range ? [{ column: range.column, direction: range.direction }] : sort;
	const direction = rules.length > 0 ? ('asc' as const) : ('desc' as const);
	const ties = (['ticketNumber', 'id'] as const).map((column) => ({ column, direction }));
	const ordered = { filters, sort: uniqBy([...rules, ...ties], 'column'), select };
	if (!range) return ordered;
	const { column, from, to } = range;
	const [gte, lte] = range.direction === 'asc' ? [from, to] : [to, from];
	const bounds: Operands = omitBy({ gte, lte }, isUndefined);
	// A service may show times without the fraction of the second, so the end includes its second.
	const times = mapValues(bounds, (ms, end) =>
		new Date(Number(ms) + (end === 'lte' ? 999 : 0)).toISOString(),
	);
	const isTime = columns[column].kind === 'timestamp';
	const operands = addBounds(filters[column], isTime ? times : bounds);
	// A range without bounds adds no operators to its column.
	return { ...ordered, filters: omitBy({ ...filters, [column]: operands }, isEmpty) };
}
