import range from 'lodash/range';
import type { CallError } from '../../core/client';
import { mapConcurrent } from '../../core/concurrency';
import type { PageReader } from '../service/fetchPage';
import { ticketKey } from '../ticket';
import type { Query } from './query';
import type { ReadResult } from './readPages';
import { readPages } from './readPages';

const ASCENDING = { column: 'ticketNumber', direction: 'asc' } as const;
const DESCENDING = { column: 'ticketNumber', direction: 'desc' } as const;

/** More spans than readers, so no reader waits long for the last one. */
const MAX_SPANS = 200;

/**
 * Reads every matching ticket by its number, in no order. A number never changes, so no ticket shifts another one.
 *
 * It reads the lowest page, the highest page, and then equal spans of whole pages between them with parallel readers.
 */
export async function readByNumber(query: Query, reader: PageReader): Promise<ReadResult> {
	const { pageSize, concurrency } = reader;
	const lowest = await readPages(query, { stretch: ASCENDING, limit: pageSize }, reader);
	if (lowest.failure || lowest.isPartial !== true) return lowest;
	const highest = await readPages(query, { stretch: DESCENDING, limit: pageSize }, reader);
	if (highest.failure) return { ...highest, rows: lowest.rows };
	const ends = [lowest, highest].flatMap(({ rows }) => [rows[0], rows.at(-1)]);
	const [low = 0, from = 0, high = 0, to = 0] = ends.map((row) => Number(row?.['ticketNumber']));
	// The numbers that a page takes up: the mean of the two pages, by factors rather than by sums.
	const width = Math.sqrt(Math.max(1, from - low) * Math.max(1, high - to));
	// Where numbers have gaps, pages of average width would often overflow.
	const pageWidth = Math.max(1, Math.floor(width < pageSize ? width : width * 0.9));
	const size = pageWidth * Math.max(1, Math.ceil((to - from + 1) / pageWidth / MAX_SPANS));
	let failure: CallError | undefined;
	const parts = await mapConcurrent(range(from, to + 1, size), concurrency, async (start) => {
		if (failure) return [];
		const end = Math.min(to, start + size - 1);
		const part = await readPages(
			query,
			{ stretch: { ...ASCENDING, from: start, to: end } },
			reader,
		);
		failure ??= part.failure;
		return part.rows;
	});
	const all = [lowest.rows, ...parts, highest.rows].flat();
	const rows = new Map(all.map((row) => [ticketKey(row), row])).values();
	return { rows: [...rows], ...(failure && { failure }) };
}
