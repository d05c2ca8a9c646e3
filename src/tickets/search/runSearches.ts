import { chunk, groupBy, isEqual, maxBy, memoize, omit, uniq, uniqBy } from 'lodash';
import type { Client } from '../../core/client';
import { mapConcurrent } from '../../core/concurrency';
import { createPicker } from '../../core/output';
import { createRefusedReads, MAX_EQUAL_REFUSALS } from '../../core/refusals';
import { listColumns, type Column } from '../columns';
import { createPageReader, type PageReader, type PageSettings } from '../service/fetchPage';
import { MAX_PAGE_SIZE, type TicketSearch } from '../service/query';
import { toComparable } from '../ticket';
import type { ReadResult } from './readInOrder';
import { readTickets } from './readTickets';

/** The settings of reads without options in the panel. */
export const FAST = { offset: 0, pageSize: MAX_PAGE_SIZE, parallelRequests: 20 } as const;

/** Reads the tickets of all searches, in their order. Similar searches share requests. `offset` skips tickets. */
export async function runSearches(
	searches: readonly TicketSearch[],
	{ offset, ...settings }: PageSettings & { readonly offset: number },
	client: Client,
): Promise<{ readonly results: readonly ReadResult[]; readonly requests: number }> {
	const reader = createPageReader(client, settings);
	const { progress, concurrency } = reader;
	const refused = createRefusedReads();
	const results = new Map<string, ReadResult>();
	const distinct = uniqBy(searches, (search) => JSON.stringify(search));
	// An offset counts the tickets of one search only.
	const lookups = offset > 0 ? distinct.map((one) => ({ searches: [one] })) : planLookups(distinct);
	/** Reads a lookup, or returns its halves if the service rejects its list. */
	const readOrHalve = async (lookup: Lookup): Promise<readonly Lookup[]> => {
		const answers = refused.stop
			? fillLookup(lookup, { rows: [], failure: refused.stop })
			: await readLookup(lookup, offset, reader);
		if (!answers) return halveLookup(lookup);
		if (!progress.spelling) refused.count(answers[0]?.[1].failure);
		for (const [search, result] of answers) results.set(JSON.stringify(search), result);
		return [];
	};
	const pending = [...lookups];
	while (pending.length > 0) {
		// Until a page is accepted, few lists are halved at once, because the service may reject every row.
		const group = pending.splice(0, progress.spelling ? pending.length : MAX_EQUAL_REFUSALS);
		const halves = await mapConcurrent(group, concurrency, readOrHalve);
		pending.unshift(...halves.flat());
	}
	const pickColumns = (search: TicketSearch): ReadResult => {
		const result = results.get(JSON.stringify(search)) ?? { rows: [] };
		const { select } = search.query;
		// Pages also contain columns for checks, which are left out here.
		if (select.length > 0) return { ...result, rows: result.rows.map(createPicker(select)) };
		if (searches.length === 1) return result;
		// A copy, because a later node may change the item of a ticket that belongs to several rows.
		return { ...result, rows: result.rows.map((row) => ({ ...row })) };
	};
	return { results: searches.map(pickColumns), requests: progress.requests };
}

/** Searches that differ in one value of `column`, so one request with `in` can answer all; or one search. */
interface Lookup {
	readonly column?: Column | undefined;
	readonly searches: readonly TicketSearch[];
}

const MAX_SEARCHES = 100;

/** Columns whose returned value shows exactly which searches a ticket answers. */
const EXACT = listColumns('identifier', 'number', 'priority', 'source', 'boolean');

/** Groups distinct searches that can share requests: by the column in which they have the most different values. */
function planLookups(searches: readonly TicketSearch[]): readonly Lookup[] {
	const countValues = memoize(
		(column: Column) => uniqBy(searches, (search) => valueFor(search, column)).length,
	);
	const findColumn = (search: TicketSearch): Column | undefined => {
		// A combined search may order equal tickets in another way, so a limit would keep other ones.
		if (search.limit !== undefined && search.query.sort.length > 0) return undefined;
		return maxBy(
			EXACT.filter((column) => valueFor(search, column) !== undefined),
			countValues,
		);
	};
	const groups = groupBy(searches, (search) => {
		const column = findColumn(search);
		const filters = omit(search.query.filters, column ?? []);
		return JSON.stringify([column, { ...search.query, filters }, search.limit]);
	});
	return Object.values(groups).flatMap((group) => {
		const column = group[0] && findColumn(group[0]);
		return chunk(group, MAX_SEARCHES).map((part) => ({ column, searches: part }));
	});
}

/** The operand of `eq` on a column; undefined if the search has another operator there, or none. */
function valueFor({ query }: TicketSearch, column: Column): unknown {
	const operands = query.filters[column] ?? {};
	return isEqual(Object.keys(operands), ['eq']) ? operands.eq : undefined;
}

const halveLookup = ({ searches, ...lookup }: Lookup): Lookup[] =>
	chunk(searches, Math.ceil(searches.length / 2)).map((half) => ({ ...lookup, searches: half }));

type Answers = ReadonlyArray<readonly [TicketSearch, ReadResult]>;

const fillLookup = ({ searches }: Lookup, result: ReadResult): Answers =>
	searches.map((search) => [search, result]);

/** The statuses that a list of values gets if it is too long, or has a bad value. */
const MAYBE_BAD_LIST = [400, 413, 414, 422];

/** Reads the tickets of a lookup by one search, and missing ones separately. Undefined if the list must be halved. */
async function readLookup(
	lookup: Lookup,
	offset: number,
	reader: PageReader,
): Promise<Answers | undefined> {
	const { column, searches } = lookup;
	const [first] = searches;
	if (!first) return [];
	if (column === undefined || searches.length === 1)
		return [[first, await readTickets(first, offset, reader)]];
	const read = await readTickets(combineSearches(first, lookup, column), offset, reader);
	const { failure } = read;
	if (failure?.kind === 'api' && MAYBE_BAD_LIST.includes(failure.status)) return undefined;
	if (failure) return fillLookup(lookup, { rows: [], failure });
	const answer = divideTickets(read, column);
	return await mapConcurrent(searches, reader.concurrency, async (search) => [
		search,
		answer(search) ?? (await readTickets(search, offset, reader)),
	]);
}

/** Makes one search with all values of a lookup. It reads only as many tickets as separate searches would. */
function combineSearches(
	{ query, limit }: TicketSearch,
	{ searches }: Lookup,
	column: Column,
): TicketSearch {
	const values = uniq(searches.map((search) => valueFor(search, column)));
	const filters = { ...query.filters, [column]: { in: values } };
	const combinedLimit = limit !== undefined && { limit: limit * searches.length };
	return { query: { ...query, filters }, ...combinedLimit };
}

/** Makes a function that picks the tickets of one search from combined ones; undefined if some may be missing. */
function divideTickets({ rows, isPartial }: ReadResult, column: Column) {
	const byValue = groupBy(rows, (row) => toComparable(row[column], column));
	// A ticket without a readable value may answer any search.
	const isComplete = isPartial !== true && byValue['undefined'] === undefined;
	return (search: TicketSearch): ReadResult | undefined => {
		const tickets = byValue[String(toComparable(valueFor(search, column), column))] ?? [];
		const { limit = Infinity } = search;
		// Tickets up to the limit are enough, because both searches have one order.
		if (!isComplete && tickets.length < limit) return undefined;
		return { rows: tickets.slice(0, limit), isPartial: !isComplete || tickets.length > limit };
	};
}
