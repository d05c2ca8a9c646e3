import type { CallError, Client } from '../../core/client';
import { issueText } from '../../core/describeFailure';
import type { ApiError } from '../../core/failures';
import { createAdaptiveConcurrency } from '../../core/adaptiveConcurrency';
import { pickFields } from '../../core/output';
import { isBlank, plural } from '../../core/text';
import type { Column } from '../columns';
import { columnNames, columns } from '../columns';
import type { Ticket } from '../ticket';
import { unmatchedColumn } from './checkRows';
import type { Dialect, KnownService, PageReader, ReadResult } from './fetchPage';
import { fetchPage, formal, narrative, unknownService } from './fetchPage';
import type { Query, SortRule } from './query';
import { MAX_PAGE_SIZE, searchContractError } from './query';
import { readByNumber } from './readByNumber';
import type { OffsetRange } from './readByOffset';
import { readByOffset } from './readByOffset';
import { areSortable, canSortLocally, rulesWithGaps, sortTickets } from './sortTickets';

/** How many tickets to read (all without a limit), from which offset, and how to request them. */
export interface ReadSettings {
	readonly limit?: number;
	readonly offset: number;
	readonly pageSize: number;
	readonly parallelRequests: number;
	readonly spelling: 'auto' | 'formal' | 'narrative';
	readonly timeoutMs: number;
}

const INITIAL_PARALLEL = 8;

/** What the service showed of itself earlier in the run. */
export interface DialectCache {
	dialect?: Dialect;
	known?: KnownService;
}

/** Reads the tickets of a query, all of them by number where that is exact, and says which way was taken. */
export async function readTickets(
	query: Query,
	settings: ReadSettings,
	{ client, dialectCache = {} }: { client: Client; dialectCache?: DialectCache },
): Promise<ReadResult & { readonly note: string }> {
	const reader: PageReader = {
		client,
		concurrency: createAdaptiveConcurrency({
			start: INITIAL_PARALLEL,
			max: settings.parallelRequests,
		}),
		// A page of one ticket shows no order.
		pageSize: Math.max(2, settings.pageSize),
		timeoutMs: settings.timeoutMs,
		findDialect: settings.spelling === 'auto',
		dialect:
			settings.spelling === 'narrative'
				? narrative
				: settings.spelling === 'auto'
					? (dialectCache.dialect ?? formal)
					: formal,
		requests: 0,
		known: (dialectCache.known ??= unknownService()),
	};
	let reading = await readTheBestWay(query, settings, reader);
	// What was found out late holds for the pages before as well; there are two spellings.
	for (let again = 0; reader.isMixed === true && again < 2; again++) {
		reader.isMixed = false;
		reading = await readTheBestWay(query, settings, reader);
	}
	const { result, way } = reading;
	dialectCache.dialect = reader.dialect;
	const unmatched = unmatchedColumn(query.filters, result.rows);
	if (unmatched !== undefined) return { rows: [], note: '', ...ignoredFilter(unmatched) };
	const { rows, shifts = 0, repeated = 0 } = result;
	const repaired = shifts > 0 ? `, ${plural(shifts, 'shifted page')} read again` : '';
	const dropped = repeated > 0 ? `, ${plural(repeated, 'repeated ticket')} dropped` : '';
	const note = `${plural(rows.length, 'ticket')}, ${plural(reader.requests, 'request')}${way}${repaired}${dropped}`;
	return { ...result, rows: selectColumns(rows, query.select), note };
}

interface Reading {
	readonly result: ReadResult;
	readonly way: string;
}

async function readTheBestWay(
	query: Query,
	settings: ReadSettings,
	reader: PageReader,
): Promise<Reading> {
	const isOnePage = settings.limit !== undefined && settings.limit <= settings.pageSize;
	const isWholeResult = settings.limit === undefined && settings.offset === 0;
	const one = isOnePage ? await readOnePage(query, settings, reader) : undefined;
	if (one) return { result: one, way: '' };
	if (!isWholeResult) {
		const result = await readInTotalOrder(query, settings, reader);
		return { result, way: ', read by offset' };
	}
	if (!canSortLocally(query.sort)) return await readByOffsetBecause(ORDER_UNKNOWN, query, reader);
	const result = await readByNumber(withNeededColumns(query), reader);
	if ('unfit' in result)
		return await readByOffsetBecause(`by ticket number: ${result.unfit}`, query, reader);
	const sorted = await sortHere(result.rows, query, reader);
	if (sorted === undefined) return await readByOffsetBecause(ORDER_UNKNOWN, query, reader);
	return { result: { ...result, rows: sorted }, way: ', read by ticket number' };
}

/** The tickets of a limit that one page may hold, or undefined where it does not, or takes no sort. */
async function readOnePage(
	query: Query,
	{ limit = MAX_PAGE_SIZE, offset }: ReadSettings,
	reader: PageReader,
): Promise<ReadResult | undefined> {
	const sort = query.sort.length > 0 ? query.sort : IN_ORDER;
	const page = await fetchPage({ ...query, sort }, { limit, offset }, reader);
	if (!page.ok) {
		const mayHelp = query.sort.length === 0 && isRejection(page.failure);
		return mayHelp ? undefined : { rows: [], failure: page.failure, position: { offset } };
	}
	const { data, metadata } = page.value;
	if (data.length < limit && metadata.hasNextPage) return undefined;
	const result = { rows: data.slice(0, limit) };
	const isSorted = !reader.known?.ignored.has('sort');
	return isSorted ? result : sortUnsorted(result, query, { limit, offset });
}

/** Without a sort, the same tickets come whatever the size of pages is. */
const IN_ORDER: readonly SortRule[] = [
	{ column: 'ticketNumber', direction: 'asc' },
	{ column: 'id', direction: 'asc' },
];

const isRejection = (failure: CallError | undefined): boolean =>
	failure?.kind === 'api' && [400, 422].includes(failure.status) && !isAboutFilters(failure);

const isAboutFilters = (failure: ApiError): boolean =>
	/\bfilters?\b/i.test([...failure.issues.map(issueText), failure.message].join(' '));

const ORDER_UNKNOWN = 'the order of this sort is known to the service only';

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

/** Rows in the order of a sort, or undefined where only the service knows it, or does not say where empty values belong. */
async function sortHere(
	rows: readonly Ticket[],
	query: Query,
	reader: PageReader,
): Promise<readonly Ticket[] | undefined> {
	if (!areSortable(rows, query.sort)) return undefined;
	const nullsFirst = (reader.known ??= unknownService()).nullsFirst;
	for (const rule of rulesWithGaps(rows, query.sort)) {
		if (nullsFirst[rule.direction] !== undefined) continue;
		const asked = withNeededColumns({ ...query, sort: [rule] });
		const page = await fetchPage(asked, { limit: 1, offset: 0 }, reader);
		const [row] = page.ok ? page.value.data : [];
		if (row === undefined) return undefined;
		nullsFirst[rule.direction] = isBlank(row[rule.column]);
	}
	return sortTickets(rows, query.sort, nullsFirst);
}

/** Reads by offset in an order in which no two tickets tie; a service that takes few rules gets fewer. */
async function readInTotalOrder(
	query: Query,
	range: OffsetRange,
	reader: PageReader,
): Promise<ReadResult> {
	const known = (reader.known ??= unknownService());
	const named = query.sort.map(({ column }) => column);
	const all = [...query.sort, ...IN_ORDER.filter(({ column }) => !named.includes(column))];
	const min = query.sort.length;
	for (let rules = Math.max(min, Math.min(all.length, known.maxRules ?? all.length)); ; rules--) {
		const sorted = withNeededColumns({ ...query, sort: all.slice(0, rules) });
		const result = await readByOffset(sorted, range, reader);
		if (isRejection(result.failure) && result.rows.length === 0 && rules > min) continue;
		if (rules < all.length && result.failure === undefined) known.maxRules = rules;
		return known.ignored.has('sort') ? sortUnsorted(result, query, range) : result;
	}
}

/** What came from a service that ignores the sort: right only where all of it can be sorted here. */
function sortUnsorted(result: ReadResult, query: Query, range: OffsetRange): ReadResult {
	if (result.failure) return result;
	const isWhole = range.offset === 0 && result.rows.length < (range.limit ?? Infinity);
	const byNumber: SortRule[] = [{ column: 'ticketNumber', direction: 'asc' }];
	const sort = [...query.sort, ...byNumber];
	if (!isWhole && query.sort.length === 0) return result;
	const isKnown = areSortable(result.rows, sort) && rulesWithGaps(result.rows, sort).length === 0;
	if (isWhole && isKnown) return { ...result, rows: sortTickets(result.rows, sort) };
	if (query.sort.length === 0) return result;
	return { rows: [], failure: IGNORED_SORT, position: { offset: range.offset } };
}

const IGNORED_SORT = searchContractError(
	'The service ignores the sort, and this order cannot be made here. Remove the sort, or use Return All and sort by numbers, times or yes and no',
);

const ignoredFilter = (column: Column): { failure: CallError; position: { offset: number } } => ({
	failure: searchContractError(
		`The service ignores the filter on ${columns[column].label}: a ticket came that does not match it. Remove the filter, and use a Filter node instead`,
	),
	position: { offset: 0 },
});

/** What a reader needs to see: ID and number to tell tickets apart, and what they are sorted by. */
const neededColumns = ({ sort, filters }: Query): Column[] => [
	'id',
	'ticketNumber',
	...sort.map(({ column }) => column),
	...filteredColumns(filters),
];

/** The columns by which it shows whether the service heeds the filters. */
export const filteredColumns = (filters: Query['filters']): Column[] =>
	columnNames.filter((name) => filters[name] !== undefined);

const withNeededColumns = (query: Query): Query =>
	query.select.length === 0
		? query
		: { ...query, select: [...new Set([...query.select, ...neededColumns(query)])] };

/** The selected columns in their order, without those that only the reader needs. */
export const selectColumns = (
	rows: readonly Ticket[],
	select: readonly Column[],
): readonly Ticket[] => (select.length === 0 ? rows : rows.map((row) => pickFields(row, select)));
