import { isEmpty, omitBy } from 'lodash';
import { columns, type Column } from '../columns';
import { combineOperands, type Operands } from '../filters/combine';
import { fetchPage, type PageReader } from '../service/fetchPage';
import { searchContractError, type Query, type SortRule } from '../service/query';
import { ticketKey, toComparable, type Ticket } from '../ticket';
import { readInOrder, type ReadLimits, type ReadResult } from './readInOrder';

/** A range of numbers, or of times in ms, in one direction. Both ends belong to it. */
export interface TicketRange extends SortRule, ReadLimits {
	readonly min?: number | undefined;
	readonly max?: number | undefined;
}

/** Reads a range, each ticket version once. Pages begin where the previous one ended, so moved tickets cause no gaps. */
export async function readRange(
	query: Query,
	range: TicketRange,
	reader: PageReader,
): Promise<ReadResult> {
	const { column, limit = Infinity, isEnough } = range;
	const isAscending = range.direction === 'asc';
	// A page repeats the last ticket of the previous page, so it needs two to advance. A limit of 1 has no second page.
	const size = Math.min(Math.max(2, reader.pageSize), limit);
	const tickets = new Map<unknown, Ticket>();
	const toResult = (ending: Omit<ReadResult, 'rows'>): ReadResult => ({
		rows: [...tickets.values()].slice(0, limit),
		...ending,
	});
	/** The value at which the next page begins. */
	let start = isAscending ? range.min : range.max;
	for (;;) {
		const unread = isAscending ? { ...range, min: start } : { ...range, max: start };
		const page = await fetchPage(boundQuery(query, unread), { limit: size, offset: 0 }, reader);
		if (!page.ok) return toResult({ failure: page.failure });
		const { data, metadata } = page.value;
		const values = data.map((row) => toStep(row, column));
		if (values.includes(NaN))
			return toResult({
				failure: searchContractError(`A ticket came without a readable ${columns[column].label}`),
			});
		const countBefore = tickets.size;
		for (const row of data) tickets.set(toVersion(row, column), row);
		// A page without a new ticket is the end, even if hasNextPage is true.
		const hasMore = metadata.hasNextPage && tickets.size > countBefore;
		if (!hasMore || tickets.size >= limit || isEnough?.(data))
			return toResult({ isPartial: hasMore || tickets.size > limit });
		start = values.at(-1) ?? 0; // A page before others has tickets.
		// If a page has only one value, the next page would repeat it, so the value is read by offset.
		if (values.length === 1 || values[0] !== start) continue; // Each page repeats one ticket anyway.
		const ofValue = isAscending ? { ...unread, max: start } : { ...unread, min: start };
		const limits = { limit, isEnough };
		const { rows, ...read } = await readInOrder(boundQuery(query, ofValue), limits, reader);
		for (const row of rows) tickets.set(toVersion(row, column), row);
		if (read.failure || read.isPartial) return toResult(read);
		start += isAscending ? stepOf(column) : -stepOf(column);
	}
}

/** Identifies a ticket with its value in a column, because a changed ticket is a new version. Numbers never change. */
const toVersion = (ticket: Ticket, column: Column): unknown =>
	column === 'ticketNumber'
		? ticketKey(ticket)
		: `${String(ticketKey(ticket))}@${String(toComparable(ticket[column], column))}`;

/** The least step between two values: 1 for numbers, 1 s for times, which a service may show without fraction. */
const stepOf = (column: Column): number => (columns[column].kind === 'timestamp' ? 1_000 : 1);

/** Returns the number of a ticket, or its time in ms rounded down to a second; NaN if unreadable. */
const toStep = (ticket: Ticket, column: Column): number =>
	Math.floor(Number(toComparable(ticket[column], column)) / stepOf(column)) * stepOf(column);

const toIso = (ms: number): string => new Date(ms).toISOString();

/** Adds the bounds and the order of a range to a query. */
function boundQuery(query: Query, { column, direction, min, max }: TicketRange): Query {
	const isTime = columns[column].kind === 'timestamp';
	const bounds: Operands = {};
	if (min !== undefined) bounds.gte = isTime ? toIso(min) : min;
	if (max !== undefined && !isTime) bounds.lte = max;
	// The service may show a time without its fraction, so the last second belongs to the range as a whole.
	if (max !== undefined && isTime) bounds.lt = toIso(Math.floor(max / 1_000) * 1_000 + 1_000);
	// Two bounds always combine to the stricter one, so a failure exists for the type only.
	const combined = combineOperands(query.filters[column] ?? {}, bounds);
	const operands = combined.ok ? combined.value : bounds;
	// A range without bounds adds no operators to its column.
	const filters = omitBy({ ...query.filters, [column]: operands }, isEmpty);
	return { ...query, filters, sort: [{ column, direction }] };
}
