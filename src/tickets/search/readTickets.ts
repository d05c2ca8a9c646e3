import type { AdaptiveConcurrency } from '../../core/adaptiveConcurrency';
import { createAdaptiveConcurrency } from '../../core/adaptiveConcurrency';
import type { CallError, Client } from '../../core/client';
import { plural } from '../../core/text';
import type { Filters } from '../filters/schema';
import type { Dialect, KnownService, PageReader, ReadResult } from './fetchPage';
import { fetchPage, formal, ignoredFilter, narrative, unknownService } from './fetchPage';
import { failureBeforeOffset, failureOfEscape } from './failureOfEscape';
import { sortHere, sortUnsorted } from './localOrder';
import { selectColumns, withCheckedColumns, withNeededColumns } from './neededColumns';
import type { Query } from './query';
import { MAX_PAGE_SIZE } from './query';
import { readByNumber } from './readByNumber';
import { canSortLocally } from './sortTickets';
import { IN_ORDER, isRejection, readInTotalOrder } from './totalOrder';

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

/** How many requests a run may have in progress at once. */
export const concurrencyOf = (max: number): AdaptiveConcurrency =>
	createAdaptiveConcurrency({ start: INITIAL_PARALLEL, max });

/** What the service showed of itself earlier in the run. */
export interface DialectCache {
	dialect?: Dialect;
	known?: KnownService;
}

/** What all searches of a run share. */
export interface SearchRun {
	readonly client: Client;
	readonly dialectCache?: DialectCache;
	readonly concurrency?: AdaptiveConcurrency;
}

/** Makes what reads the pages of one search. */
export function createPageReader(
	settings: Pick<ReadSettings, 'pageSize' | 'parallelRequests' | 'spelling' | 'timeoutMs'>,
	{ client, dialectCache = {}, concurrency }: SearchRun,
	filters: Filters,
): PageReader {
	const { spelling, timeoutMs, parallelRequests } = settings;
	const known = (dialectCache.known ??= unknownService());
	const fixed = { auto: undefined, formal, narrative }[spelling];
	return {
		client,
		concurrency: concurrency ?? concurrencyOf(parallelRequests),
		// A page of one ticket shows no order.
		pageSize: Math.max(2, settings.pageSize),
		timeoutMs,
		findDialect: fixed === undefined,
		dialect: fixed ?? known.dialect ?? dialectCache.dialect ?? formal,
		requests: 0,
		known,
		filters,
	};
}

/** Reads the tickets of a query, all of them by number where that is exact, and says which way was taken if it took several requests. */
export async function readTickets(
	query: Query,
	settings: ReadSettings,
	{ dialectCache = {}, ...run }: SearchRun,
): Promise<ReadResult & { readonly note: string }> {
	const reader = createPageReader(settings, { ...run, dialectCache }, query.filters);
	const { result, way } = await readInOneDialect(reader, () =>
		readTheBestWay(query, settings, reader),
	);
	dialectCache.dialect = reader.dialect;
	if (reader.unmatched !== undefined)
		return {
			...nothingRead(ignoredFilter(reader.unmatched, query.filters), settings),
			unmatched: reader.unmatched,
			note: '',
		};
	const failure = result.failure
		? undefined
		: await failureOfPatterns(query, { ...settings, result }, reader);
	if (failure) return { ...nothingRead(failure, settings), note: '' };
	const { rows, shifts = 0, repeated = 0 } = result;
	const repaired = shifts > 0 ? `, ${plural(shifts, 'shifted page')} read again` : '';
	const dropped = repeated > 0 ? `, ${plural(repeated, 'repeated ticket')} dropped` : '';
	const taken = reader.requests > 1 ? way : '';
	const note = `${plural(rows.length, 'ticket')}, ${plural(reader.requests, 'request')}${taken}${repaired}${dropped}`;
	return { ...result, rows: selectColumns(rows, query.select), note };
}

/** Why what came cannot be right, though each ticket matches: patterns mean something else to the service. */
async function failureOfPatterns(
	query: Query,
	{ offset, result }: { offset: number; result: ReadResult },
	reader: PageReader,
): Promise<CallError | undefined> {
	const asked = withNeededColumns(query);
	const found = result.rows.length === 0 ? await failureOfEscape(asked, reader) : undefined;
	return found ?? (offset > 0 ? await failureBeforeOffset(asked, reader) : undefined);
}

/** What came cannot be used: the search goes on where it began. */
const nothingRead = (failure: CallError, { offset }: { offset: number }): ReadResult => ({
	rows: [],
	failure,
	position: { offset },
});

/** Reads again where it was found out late how the service sorts; there are two spellings. */
export async function readInOneDialect<T>(reader: PageReader, read: () => Promise<T>): Promise<T> {
	let result = await read();
	for (let again = 0; reader.isMixed === true && again < 2; again++) {
		reader.isMixed = false;
		result = await read();
	}
	return result;
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
	const asked = { ...withCheckedColumns(query), sort };
	const page = await fetchPage(asked, { limit, offset }, reader);
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
