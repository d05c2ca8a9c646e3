import { range, sortedUniqBy } from 'lodash';
import type { CallError } from '../../core/client';
import { mapConcurrent } from '../../core/concurrency';
import type { PageReader } from '../service/fetchPage';
import { ticketKey } from '../ticket';
import type { Query } from './query';
import { readPages, type ReadResult } from './readPages';

const ASCENDING = { column: 'ticketNumber', direction: 'asc' } as const;
const DESCENDING = { column: 'ticketNumber', direction: 'desc' } as const;

/** More spans than readers, so no reader waits long for the last one. */
const MAX_SPANS = 200;

/**
 * Reads every matching ticket by its number, in ascending order. A number never changes, so no ticket moves between requests.
 * It reads the lowest page, the highest page, and then equal spans of numbers between them with parallel requests.
 */
export async function readByNumber(query: Query, reader: PageReader): Promise<ReadResult> {
	const { pageSize, concurrency } = reader;
	const lowest = await readPages(query, { range: ASCENDING, limit: pageSize }, reader);
	if (lowest.failure || lowest.isPartial !== true) return lowest;
	const highest = await readPages(query, { range: DESCENDING, limit: pageSize }, reader);
	if (highest.failure) return { ...highest, rows: lowest.rows };
	const ends = [lowest, highest].flatMap(({ rows }) => [rows[0], rows.at(-1)]);
	const numbers = ends.map((row) => Number(row?.['ticketNumber']));
	const [min = 0, spansStart = 0, max = 0, spansEnd = 0] = numbers;
	// The numbers that a page covers: the geometric mean of the two pages, because gaps differ by factors.
	const width = Math.sqrt(Math.max(1, spansStart - min) * Math.max(1, max - spansEnd));
	// With gaps between numbers, spans are 10% narrower, so most fit one page.
	const pageWidth = Math.max(1, Math.floor(width < pageSize ? width : width * 0.9));
	const pageCount = (spansEnd - spansStart + 1) / pageWidth;
	const size = pageWidth * Math.max(1, Math.ceil(pageCount / MAX_SPANS));
	const starts = range(spansStart, spansEnd + 1, size);
	let failure: CallError | undefined;
	const parts = await mapConcurrent(starts, concurrency, async (from) => {
		if (failure) return [];
		const to = Math.min(spansEnd, from + size - 1);
		const part = await readPages(query, { range: { ...ASCENDING, from, to } }, reader);
		failure ??= part.failure;
		return part.rows;
	});
	// Spans and pages share their ends, so a ticket may occur twice.
	const rows = [lowest.rows, ...parts, highest.rows].flat();
	rows.sort(
		(a, b) =>
			Number(a['ticketNumber']) - Number(b['ticketNumber']) ||
			String(ticketKey(a)).localeCompare(String(ticketKey(b))),
	);
	return { rows: sortedUniqBy(rows, ticketKey), ...(failure && { failure }) };
}
