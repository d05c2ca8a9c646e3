import sortBy from 'lodash/sortBy';
import { plural } from '../../core/text';
import { createPicker } from '../../core/output';
import type { Column } from '../columns';
import type { PageReader } from '../service/fetchPage';
import { ignoredFilter } from '../service/fetchPage';
import { numberOf } from '../service/values';
import type { Ticket } from '../ticket';
import type { Query } from './query';
import { withNeededColumns } from './query';
import { readByNumber } from './readByNumber';
import type { OffsetRange, ReadResult } from './readByOffset';
import { readByOffset, readInTotalOrder } from './readByOffset';
import { FILLED, sortTickets, sortUnsorted } from './sortTickets';

/** What came for a search, how, and the column of a filter that the service ignores. */
export interface SearchResult extends ReadResult {
	readonly note?: string;
	readonly unmatched?: Column;
}

/** Reads the tickets of a query, all of them by number where that is exact, each once. */
export async function readTickets(
	query: Query,
	wanted: OffsetRange,
	reader: PageReader,
): Promise<SearchResult> {
	let reading = await readTheBestWay(query, wanted, reader);
	// Where it was found out late how the service sorts; there are two spellings.
	for (let again = 0; reader.isMixed === true && again < 2; again++) {
		reader.isMixed = false;
		reading = await readTheBestWay(query, wanted, reader);
	}
	const { unmatched, known } = reader;
	const { way, ...read } = reading;
	const result = known.ignored.has('sort') ? sortUnsorted(read, query, wanted) : read;
	// What came cannot be used: the search goes on where it began.
	if (unmatched) {
		const failure = ignoredFilter(unmatched, query.filters);
		return { rows: [], failure, position: { offset: wanted.offset }, unmatched, note: '' };
	}
	const { rows } = result;
	const taken = reader.requests > 1 ? way : '';
	const more = result.isPartial === true ? `. More match: raise 'Limit' or use 'Return All'` : '';
	const order = more !== '' && known.ignored.has('sort') ? UNSORTED : '';
	const note = `${plural(rows.length, 'ticket')}, ${plural(reader.requests, 'request')}${taken}${more}${order}`;
	return { ...result, rows: selectColumns(rows, query.select), note };
}

const UNSORTED = '. The service does not sort, so these need not be the newest';

/** The selected columns in their order, without those that only the reader needs. */
export const selectColumns = (
	rows: readonly Ticket[],
	select: readonly Column[],
): readonly Ticket[] => (select.length === 0 ? rows : rows.map(createPicker(select)));

/** Reads all tickets of a query, each once: by number, or else by offset. */
export async function readWhole(query: Query, reader: PageReader): Promise<ReadResult> {
	const read = await readByNumber(withNeededColumns(query), reader);
	if ('unfit' in read) return await readInTotalOrder(query, { offset: 0 }, reader);
	return { ...read, rows: sortBy(read.rows, numberOf) };
}

/** All tickets by number, where they can be sorted here; else by offset. */
async function readTheBestWay(
	query: Query,
	wanted: OffsetRange,
	reader: PageReader,
): Promise<ReadResult & { readonly way: string }> {
	const { limit, offset, isEnough } = wanted;
	const size = Math.min(reader.pageSize, reader.known.pageSize ?? Infinity);
	if (query.sort.length > 0 && limit !== undefined && limit <= size) {
		// Only from one page to the next does it matter which of two that tie comes first.
		const span = { limit, offset, isEnough: () => true };
		const page = await readByOffset(withNeededColumns(query), span, reader);
		if (page.rows.length >= limit || page.isPartial !== true) return { ...page, way: '' };
	}
	const isWhole = limit === undefined && offset === 0 && !isEnough;
	let why = isWhole ? ' (only the service knows this sort order)' : '';
	if (isWhole && query.sort.every(({ column }) => FILLED.includes(column))) {
		const read = await readByNumber(withNeededColumns(query), reader);
		const rows = 'unfit' in read ? undefined : sortTickets(read.rows, query.sort);
		if ('unfit' in read) why = ` (by ticket number: ${read.unfit})`;
		else if (rows) return { ...read, rows, way: ', read by ticket number' };
	}
	return { ...(await readInTotalOrder(query, wanted, reader)), way: `, read by offset${why}` };
}
