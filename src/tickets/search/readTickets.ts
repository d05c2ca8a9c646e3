import { map, range, uniq } from 'lodash';
import type { CallError } from '../../core/client';
import { mapConcurrent } from '../../core/concurrency';
import { columns, type Column } from '../columns';
import type { PageReader } from '../service/fetchPage';
import { NEWEST_FIRST, type Query, type SortRule, type TicketSearch } from '../service/query';
import { parseTime, ticketKey, toComparable, type Ticket } from '../ticket';
import { readInOrder, type ReadResult } from './readInOrder';
import { readRange } from './readRange';

/** Reads the tickets of a search after `offset`, each once. Without offset and limit, reads by number, then sorts them. */
export async function readTickets(
	{ query, limit }: TicketSearch,
	offset: number,
	reader: PageReader,
): Promise<ReadResult> {
	const { sort, select } = query;
	// Only pages in the requested order can skip tickets, or contain the first ones of a sort.
	if (offset > 0 || (limit !== undefined && sort.length > 0))
		return await readInOrder(query, { offset, limit }, reader);
	// New tickets do not move other ones in a range by number.
	if (limit !== undefined) return await readRange(query, { ...NEWEST_FIRST, limit }, reader);
	// An empty selection has all columns.
	const needed = select.length > 0 ? uniq([...select, ...map(sort, 'column')]) : select;
	const read = await readByNumber({ ...query, select: needed }, reader); // The oldest first.
	const rows = sort.length > 0 ? sortTickets(read.rows, sort) : read.rows.toReversed();
	return { ...read, rows };
}

const OLDEST_FIRST = { column: 'ticketNumber', direction: 'asc' } as const;

/** Max spans of numbers: more than readers, so no reader waits long for the last span. */
const MAX_SPANS = 200;

/** Reads every matching ticket in ascending order of number: the lowest page, the highest, then spans between them in parallel. */
async function readByNumber(query: Query, reader: PageReader): Promise<ReadResult> {
	const { pageSize, concurrency } = reader;
	const lowest = await readRange(query, { ...OLDEST_FIRST, limit: pageSize }, reader);
	if (lowest.failure || lowest.isPartial !== true) return lowest;
	const start = ticketNumberOf(lowest.rows.at(-1));
	const highest = await readRange(query, { ...NEWEST_FIRST, min: start, limit: pageSize }, reader);
	if (highest.failure) return { ...highest, rows: lowest.rows };
	const end = ticketNumberOf(highest.rows.at(-1));
	const pageWidth = estimatePageWidth(lowest, highest, pageSize);
	const pagesPerSpan = Math.max(1, Math.ceil((end - start + 1) / pageWidth / MAX_SPANS));
	const size = pageWidth * pagesPerSpan;
	// A highest page that is not partial reaches down to the lowest one, so no spans are between them.
	const starts = highest.isPartial === true ? range(start, end + 1, size) : [];
	let failure: CallError | undefined;
	const parts = await mapConcurrent(starts, concurrency, async (min) => {
		if (failure) return [];
		const max = Math.min(end, min + size - 1);
		const part = await readRange(query, { ...OLDEST_FIRST, min, max }, reader);
		failure ??= part.failure;
		return part.rows;
	});
	// Spans and pages share their ends, so a ticket may occur twice.
	const tickets = new Map<unknown, Ticket>();
	for (const rows of [lowest.rows, ...parts, highest.rows.toReversed()])
		for (const row of rows) tickets.set(ticketKey(row), row);
	return { rows: [...tickets.values()], ...(failure && { failure }) };
}

/** Returns the number of a ticket; 0 without a ticket. */
const ticketNumberOf = (ticket?: Ticket): number => Number(ticket?.['ticketNumber'] ?? 0);

/** Estimates how many numbers one page covers, from the lowest and the highest page. */
function estimatePageWidth(lowest: ReadResult, highest: ReadResult, pageSize: number): number {
	const measure = ({ rows }: ReadResult): number =>
		Math.max(1, Math.abs(ticketNumberOf(rows.at(-1)) - ticketNumberOf(rows[0])));
	// The geometric mean, because gaps differ by factors.
	const width = Math.sqrt(measure(lowest) * measure(highest));
	// A page without gaps measures `pageSize` - 1. Gaps vary, so a width with gaps is 10% less: most spans then fit one page.
	return Math.max(1, Math.floor(width < pageSize ? width : width * 0.9));
}

/** Sorts tickets by the first rule, ties by the next. Those without a value come last in both directions. */
function sortTickets(tickets: readonly Ticket[], rules: readonly SortRule[]): Ticket[] {
	const keyed = tickets.map((ticket) => ({
		ticket,
		keys: rules.map(({ column }) => toSortKey(ticket[column], column)),
	}));
	keyed.sort((a, b) => {
		const orders = rules.map((rule, i) => compareKeys(a.keys[i], b.keys[i], rule));
		return orders.find((order) => order !== 0) ?? 0;
	});
	return map(keyed, 'ticket');
}

type SortKey = number | string | undefined;

/** The sort key of a value; undefined if the value is missing or not readable. */
function toSortKey(value: unknown, column: Column): SortKey {
	const { kind } = columns[column];
	if (value === '') return undefined;
	if (kind === 'text') return typeof value === 'string' ? value : undefined;
	return kind === 'timestamp' ? toSortableTime(value) : toComparable(value, column);
}

/** Converts a time to a UTC text that sorts, digits after the ms last: "2026-01-01T00:00:00.123Z456"; undefined if unreadable. */
function toSortableTime(value: unknown): string | undefined {
	const ms = parseTime(value);
	if (ms === undefined) return undefined;
	// Without trailing zeros, so equal times give equal texts.
	const digits = /\.\d{3}(\d*[1-9])/.exec(String(value))?.[1] ?? '';
	return `${new Date(ms).toISOString()}${digits}`;
}

/** Sorts texts in English order, because the language of the host may change. */
const collator = new Intl.Collator('en');

/** Compares two keys of one column in the direction of the rule. A missing key is last in both directions. */
function compareKeys(a: SortKey, b: SortKey, { column, direction }: SortRule): number {
	if (a === b) return 0;
	if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
	const isText = columns[column].kind === 'text';
	const order = isText ? collator.compare(String(a), String(b)) : a < b ? -1 : 1;
	return direction === 'asc' ? order : -order;
}
