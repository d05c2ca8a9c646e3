import uniqBy from 'lodash/uniqBy';
import type { CallError } from '../../core/client';
import { plural } from '../../core/text';
import { pickFields } from '../../core/output';
import type { Column } from '../columns';
import { isRejection } from '../service/dialect';
import { escapedColumns, matchesEscapes, withoutEscapes } from '../service/escapes';
import type { PageReader } from '../service/fetchPage';
import { fetchPage, ignoredFilter } from '../service/fetchPage';
import { identityOf } from '../service/values';
import type { Ticket } from '../ticket';
import type { Query } from './query';
import { MAX_PAGE_SIZE, withNeededColumns } from './query';
import type { ReadResult } from './readByNumber';
import { readByNumber } from './readByNumber';
import { NEWEST_FIRST, readInTotalOrder } from './readByOffset';
import { canSortLocally, sortHere, sortUnsorted } from './sortTickets';

/** How many tickets of a search are wanted (all without a limit), and from which offset. */
export interface Wanted {
	readonly limit?: number;
	readonly offset: number;
}

/** What came for a search, how, and the column of a filter that the service ignores. */
export interface SearchResult extends ReadResult {
	readonly note: string;
	readonly unmatched?: Column;
}

/** Reads the tickets of a query, all of them by number where that is exact, each once. */
export async function readTickets(
	query: Query,
	wanted: Wanted,
	reader: PageReader,
): Promise<SearchResult> {
	let reading = await readTheBestWay(query, wanted, reader);
	// Where it was found out late how the service sorts; there are two spellings.
	for (let again = 0; reader.isMixed === true && again < 2; again++) {
		reader.isMixed = false;
		reading = await readTheBestWay(query, wanted, reader);
	}
	const { result, way } = reading;
	const { unmatched } = reader;
	const failure =
		unmatched === undefined
			? (result.failure ?? (await failureOfEscape(query, { ...wanted, result }, reader)))
			: ignoredFilter(unmatched, query.filters);
	// What came cannot be used: the search goes on where it began.
	if (failure !== undefined && failure !== result.failure) {
		const position = { offset: wanted.offset };
		return { rows: [], failure, position, ...(unmatched && { unmatched }), note: '' };
	}
	const rows = uniqBy([...result.rows], identityOf).slice(0, wanted.limit);
	const taken = reader.requests > 1 ? way : '';
	const more = result.isPartial === true ? `. More match: raise 'Limit' or use 'Return All'` : '';
	const isOpen = query.sort.length === 0 && wanted.limit !== undefined && more !== '';
	const order = isOpen && reader.known.ignored.has('sort') ? UNSORTED : '';
	const note = `${plural(rows.length, 'ticket')}, ${plural(reader.requests, 'request')}${taken}${more}${order}`;
	return { ...result, rows: selectColumns(rows, query.select), note };
}

const UNSORTED = '. The service does not sort, so these need not be the newest';

/** The selected columns in their order, without those that only the reader needs. */
export const selectColumns = (
	rows: readonly Ticket[],
	select: readonly Column[],
): readonly Ticket[] => (select.length === 0 ? rows : rows.map((row) => pickFields(row, select)));

/** Once per run, looks whether the service knows escapes, where what came cannot show it. */
async function failureOfEscape(
	query: Query,
	{ offset, result }: Wanted & { readonly result: ReadResult },
	reader: PageReader,
): Promise<CallError | undefined> {
	const [column] = escapedColumns(query.filters);
	const { known } = reader;
	if (column === undefined || (result.rows.length > 0 && offset === 0)) return undefined;
	if (known.escapes === undefined) {
		const filters = withoutEscapes(query.filters);
		const asked = withNeededColumns({ ...query, filters, sort: [] });
		const looking: PageReader = { ...reader, filters: {} };
		const page = await fetchPage(asked, { limit: MAX_PAGE_SIZE, offset: 0 }, looking);
		reader.requests = looking.requests;
		if (!page.ok) return page.failure;
		if (page.value.data.some((row) => matchesEscapes(query.filters, row)))
			known.escapes = await isFound(query, reader);
	}
	return known.escapes === false ? ignoredFilter(column, query.filters) : undefined;
}

/** Whether a search finds any ticket now that there certainly is one. */
async function isFound(query: Query, reader: PageReader): Promise<boolean> {
	const span = { limit: reader.pageSize, offset: 0 };
	const page = await fetchPage(withNeededColumns(query), span, reader);
	return page.ok && page.value.data.length > 0 && reader.unmatched === undefined;
}

/** Reads all tickets of a query, each once, in any order: by number, or else by offset. */
export async function readWhole(query: Query, reader: PageReader): Promise<ReadResult> {
	const read = await readByNumber(withNeededColumns(query), reader);
	const result = 'unfit' in read ? await readInTotalOrder(query, { offset: 0 }, reader) : read;
	return { ...result, rows: uniqBy([...result.rows], identityOf) };
}

interface Reading {
	readonly result: ReadResult;
	readonly way: string;
}

async function readTheBestWay(query: Query, wanted: Wanted, reader: PageReader): Promise<Reading> {
	const { limit, offset } = wanted;
	if (limit !== undefined && limit <= reader.pageSize) {
		const one = await readOnePage(query, { limit, offset }, reader);
		if (one) return { result: one, way: '' };
	}
	if (limit !== undefined || offset > 0)
		return { result: await readInTotalOrder(query, wanted, reader), way: ', read by offset' };
	if (!canSortLocally(query.sort)) return await readByOffsetBecause(ORDER_UNKNOWN, query, reader);
	const result = await readByNumber(withNeededColumns(query), reader);
	if ('unfit' in result)
		return await readByOffsetBecause(`by ticket number: ${result.unfit}`, query, reader);
	const rows = uniqBy([...result.rows], identityOf);
	const sorted = query.sort.length > 0 ? await sortHere(rows, query, reader) : rows.reverse();
	if (sorted === undefined) return await readByOffsetBecause(ORDER_UNKNOWN, query, reader);
	return { result: { ...result, rows: sorted }, way: ', read by ticket number' };
}

/** The tickets of a limit that one page may hold, or undefined where it does not, or takes no sort. */
async function readOnePage(
	query: Query,
	{ limit, offset }: { readonly limit: number; readonly offset: number },
	reader: PageReader,
): Promise<ReadResult | undefined> {
	const sort = query.sort.length > 0 ? query.sort : NEWEST_FIRST;
	const page = await fetchPage(withNeededColumns({ ...query, sort }), { limit, offset }, reader);
	if (!page.ok) {
		const { down, rulesTaken } = reader.known;
		const mayHelp =
			query.sort.length === 0 && isRejection(page.failure) && !down && rulesTaken < sort.length;
		return mayHelp ? undefined : { rows: [], failure: page.failure, position: { offset } };
	}
	const { data, metadata } = page.value;
	const rows = uniqBy([...data], identityOf);
	if (rows.length < limit && metadata.hasNextPage) return undefined;
	const isPartial = rows.length >= limit && (metadata.hasNextPage || rows.length > limit);
	const result = { rows: rows.slice(0, limit), isPartial };
	const isSorted = !reader.known.ignored.has('sort');
	return isSorted ? result : sortUnsorted(result, query, { limit, offset });
}

const ORDER_UNKNOWN = 'only the service knows this sort order';

async function readByOffsetBecause(
	why: string,
	query: Query,
	reader: PageReader,
): Promise<Reading> {
	return {
		result: await readInTotalOrder(query, { offset: 0 }, reader),
		way: `, read by offset (${why})`,
	};
}
