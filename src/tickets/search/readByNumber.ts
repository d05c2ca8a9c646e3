import range from 'lodash/range';
import sortBy from 'lodash/sortBy';
import { mapConcurrent } from '../../core/concurrency';
import type { PageReader } from '../service/fetchPage';
import type { Ticket } from '../ticket';
import { sortValue, ticketKey } from '../ticket';
import type { Query } from './query';
import type { PageRange, ReadResult, TicketRange } from './readPages';
import { readPages } from './readPages';

const numberOf = (ticket: Ticket = {}): number => sortValue(ticket, 'ticketNumber') ?? 0;

/**
 * Reads every matching ticket by its number, ascending. A number never changes, so no ticket shifts another one.
 *
 * It reads the lowest page, the highest page, and then equal spans between them with parallel readers.
 */
export async function readByNumber(query: Query, reader: PageReader): Promise<ReadResult> {
	const { pageSize, concurrency } = reader;
	let hasFailed = false;
	const read = async (
		stretch: Omit<TicketRange, 'column'>,
		range: Omit<PageRange, 'stretch'>,
	): Promise<ReadResult> =>
		await readPages(query, { stretch: { column: 'ticketNumber', ...stretch }, ...range }, reader);
	const lowest = await read({ direction: 'asc' }, { limit: pageSize });
	if (lowest.failure || lowest.isPartial !== true) return lowest;
	const [low = 0, from = 0] = [lowest.rows[0], lowest.rows.at(-1)].map(numberOf);
	const highest = await read({ direction: 'desc' }, { limit: pageSize });
	if (highest.failure) return stoppedAt(from, lowest.rows, highest);
	const [high = 0, to = 0] = [highest.rows[0], highest.rows.at(-1)].map(numberOf);
	// The numbers that a page takes up: the mean of the two pages, by factors rather than by sums.
	const width = Math.sqrt(Math.max(1, from - low) * Math.max(1, high - to));
	// Where numbers have gaps, pages of average width would often overflow.
	const spanWidth = Math.max(1, Math.floor(width < pageSize ? width : width * 0.9));
	const spans = to >= from ? cutSpans(from, to, spanWidth) : [];
	const isEnough = (): boolean => hasFailed;
	const parts = await mapConcurrent(spans, concurrency.limit, async (span) => {
		if (hasFailed) return { rows: [], isPartial: true };
		const part = await read({ direction: 'asc', ...span }, { isEnough });
		hasFailed ||= part.failure !== undefined;
		return part;
	});
	const byKey = new Map<unknown, Ticket>();
	for (const { rows } of [lowest, ...parts, highest])
		for (const row of rows) byKey.set(ticketKey(row), row);
	const rows = sortBy([...byKey.values()], numberOf);
	const failed = parts.find(({ failure }) => failure);
	if (!failed) return { rows };
	const open = parts.findIndex(({ failure, isPartial }) => failure ?? isPartial);
	const last = parts[open]?.rows.at(-1);
	return stoppedAt(last ? numberOf(last) : (spans[open]?.from ?? from), rows, failed);
}

/** Keeps the tickets before the first gap, so a search from that number on returns no ticket twice. */
const stoppedAt = (
	ticketNumber: number,
	rows: readonly Ticket[],
	{ failure }: ReadResult,
): ReadResult => ({
	rows: rows.filter((row) => numberOf(row) < ticketNumber),
	...(failure && { failure }),
	position: { ticketNumber },
});

/** More spans than readers, so no reader waits long for the last one. */
const MAX_SPANS = 200;

/** Cuts a range of numbers into equal spans of whole pages. */
function cutSpans(from: number, to: number, width: number): Array<{ from: number; to: number }> {
	const pages = Math.ceil((to - from + 1) / width);
	const size = width * Math.ceil(pages / MAX_SPANS);
	return range(from, to + 1, size).map((start) => ({
		from: start,
		to: Math.min(to, start + size - 1),
	}));
}
