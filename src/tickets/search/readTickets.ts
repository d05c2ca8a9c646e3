import { map, partition, range, uniq } from 'lodash';
import type { CallError } from '../../core/client';
import { mapConcurrent } from '../../core/concurrency';
import { columns, type Column } from '../columns';
import type { PageReader } from '../service/fetchPage';
import { NEWEST_FIRST, type Query, type SortRule, type TicketSearch } from '../service/query';
import { parseTime, ticketKey, toComparable, type Ticket } from '../ticket';
import { readInOrder, type ReadResult } from './readInOrder';
import { readRange } from './readRange';

/** Reads the tickets of a search, each once, after `offset` tickets. Return All sorts them here. */
export async function readTickets(
	{ query, limit }: TicketSearch,
	offset: number,
	reader: PageReader,
): Promise<ReadResult> {
	const { sort, select } = query;
	if (offset > 0 || (limit !== undefined && sort.length > 0))
		return await readInOrder(query, { offset, limit }, reader);
	// New tickets do not move other ones in a range by number.
	if (limit !== undefined) return await readRange(query, { ...NEWEST_FIRST, limit }, reader);
	// An empty selection has all columns.
	const needed = select.length > 0 ? uniq([...select, ...map(sort, 'column')]) : select;
	const read = await readByNumber({ ...query, select: needed }, reader);
	const rows = sort.length > 0 ? sortTickets(read.rows, sort) : read.rows.toReversed();
	return { ...read, rows };
}

const OLDEST_FIRST = { column: 'ticketNumber', direction: 'asc' } as const;

/** More spans than readers, so no reader waits long for the last one. */
const MAX_SPANS = 200;

/** Reads every matching ticket in ascending order of number: the lowest page, the highest, then spans between them in parallel. */
async function readByNumber(query: Query, reader: PageReader): Promise<ReadResult> {
	const { pageSize, concurrency } = reader;
	const lowest = await readRange(query, { ...OLDEST_FIRST, limit: pageSize }, reader);
	if (lowest.failure || lowest.isPartial !== true) return lowest;
	const start = numberOf(lowest.rows.at(-1));
	const above = { ...NEWEST_FIRST, min: start, limit: pageSize };
	const highest = await readRange(query, above, reader);
	if (highest.failure) return { ...highest, rows: lowest.rows };
	const end = numberOf(highest.rows.at(-1));
	const lowestWidth = Math.max(1, start - numberOf(lowest.rows[0]));
	const highestWidth = Math.max(1, numberOf(highest.rows[0]) - end);
	// The numbers that a page covers: the geometric mean of the two pages, because gaps differ by factors.
	const width = Math.sqrt(lowestWidth * highestWidth);
	// With gaps between numbers, spans are 10% narrower, so most fit one page.
	const pageWidth = Math.max(1, Math.floor(width < pageSize ? width : width * 0.9));
	const pageCount = (end - start + 1) / pageWidth;
	const size = pageWidth * Math.max(1, Math.ceil(pageCount / MAX_SPANS));
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

const numberOf = (ticket: Ticket | undefined): number => Number(ticket?.['ticketNumber'] ?? 0);

/** Sorts tickets by the first rule, ties by the next. Tickets with equal values keep their order. */
const sortTickets = (tickets: readonly Ticket[], rules: readonly SortRule[]): Ticket[] =>
	// Each sort keeps the order of equal values, so the first rule comes last.
	rules.reduceRight(sortByColumn, [...tickets]);

/** Sorts tickets by one column. Those without a value come last in both directions. */
function sortByColumn(tickets: Ticket[], { column, direction }: SortRule): Ticket[] {
	const sign = direction === 'asc' ? 1 : -1;
	const keyed = tickets.map((ticket) => ({ ticket, key: toSortKey(ticket[column], column) }));
	const [filled, blank] = partition(keyed, ({ key }) => key !== undefined);
	filled.sort((a, b) => sign * compareKeys(a.key, b.key, column));
	return map([...filled, ...blank], 'ticket');
}

type SortKey = bigint | number | string | undefined;

/** The sort key of a value; undefined if the value is missing or not readable. */
function toSortKey(value: unknown, column: Column): SortKey {
	const { kind } = columns[column];
	if (value === '') return undefined;
	if (kind === 'text') return typeof value === 'string' ? value : undefined;
	return kind === 'timestamp' ? toNanoseconds(value) : toComparable(value, column);
}

/** The nanoseconds of an ISO 8601 time, e.g. 1_767_225_600_123_456_000n for 2026-01-01T00:00:00.123456Z. */
function toNanoseconds(value: unknown): bigint | undefined {
	const ms = parseTime(value);
	if (ms === undefined) return undefined;
	// A time in ms has three digits of the fraction.
	const digits = /\.\d{3}(\d+)/.exec(String(value))?.[1] ?? '';
	return BigInt(ms) * 1_000_000n + BigInt(digits.padEnd(6, '0'));
}

/** Sorts texts in English order, because the language of the host may change. */
const collator = new Intl.Collator('en');

/** Compares two keys of one column, which have the same type. */
function compareKeys(a: SortKey, b: SortKey, column: Column): number {
	if (columns[column].kind === 'text') return collator.compare(String(a), String(b));
	return a === b ? 0 : (a as number) < (b as number) ? -1 : 1;
}
