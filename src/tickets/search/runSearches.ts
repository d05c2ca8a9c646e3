import { chunk, groupBy, isEqual, maxBy, memoize, omit, uniq, uniqBy } from 'lodash';
import type { Client } from '../../core/client';
import { mapConcurrent } from '../../core/concurrency';
import { createPicker } from '../../core/output';
import { createRefusalCounter, MAX_EQUAL_REFUSALS } from '../../core/refusals';
import { listColumns, type Column } from '../columns';
import { createPageReader, type PageReader, type PageSettings } from '../service/fetchPage';
import { MAX_PAGE_SIZE, type TicketSearch } from '../service/query';
import { toComparable, type Ticket } from '../ticket';
import type { ReadResult } from './readInOrder';
import { readTickets } from './readTickets';

/** The settings of reads without options in the panel. */
export const FAST = { offset: 0, pageSize: MAX_PAGE_SIZE, parallelRequests: 20 } as const;

/** Runs searches, and returns their results in the same order. Each one skips `offset` tickets. Similar searches share requests. */
export async function runSearches(
	searches: readonly TicketSearch[],
	{ offset, ...settings }: PageSettings & { readonly offset: number },
	client: Client,
): Promise<{ readonly results: readonly ReadResult[]; readonly requests: number }> {
	const reader = createPageReader(client, settings);
	const distinct = uniqBy(searches, toSearchKey);
	// A shared request cannot skip tickets of each search.
	const lookups = offset > 0 ? distinct.map((one) => ({ searches: [one] })) : planLookups(distinct);
	const results = await readLookups(lookups, offset, reader);
	/** Returns the result of a search, without columns that only `checkRows` needs. */
	const toSelected = (search: TicketSearch): ReadResult => {
		const result = results.get(toSearchKey(search));
		if (!result) throw new Error('A search has no result');
		const { select } = search.query;
		// Searches may share a ticket, and a later node may change its item, so each gets a copy.
		const toCopy = select.length > 0 ? createPicker(select) : (row: Ticket) => ({ ...row });
		return { ...result, rows: result.rows.map(toCopy) };
	};
	return { results: searches.map(toSelected), requests: reader.progress.requests };
}

const toSearchKey = (search: TicketSearch): string => JSON.stringify(search);

/** Reads lookups, and returns the result of each search by its key. Halves rejected lookups. Equal refusals stop all reads. */
async function readLookups(
	lookups: readonly Lookup[],
	offset: number,
	reader: PageReader,
): Promise<ReadonlyMap<string, ReadResult>> {
	const { progress, concurrency } = reader;
	const refusals = createRefusalCounter();
	const results = new Map<string, ReadResult>();
	/** Records the results of a lookup. If the service rejects its list of values, returns its halves to read instead. */
	const readOrHalve = async (lookup: Lookup): Promise<readonly Lookup[]> => {
		const answers = refusals.stop
			? fillLookup(lookup, { rows: [], failure: refusals.stop })
			: await readLookup(lookup, offset, reader);
		if (!answers) return halveLookup(lookup); // A single search always has an answer.
		// An accepted page shows that not all searches are refused. All searches of a failed lookup have one failure.
		if (!progress.acceptedFormat) refusals.count(answers[0]?.[1].failure);
		for (const [search, result] of answers) results.set(toSearchKey(search), result);
		return [];
	};
	const pending = [...lookups];
	while (pending.length > 0) {
		// Before a page is accepted, the service may refuse all searches, so few lookups are read at once. Halving soon
		// leaves that many single searches with equal refusals, which stop all reads.
		const count = progress.acceptedFormat ? pending.length : MAX_EQUAL_REFUSALS;
		const halves = await mapConcurrent(pending.splice(0, count), concurrency, readOrHalve);
		pending.unshift(...halves.flat());
	}
	return results;
}

/** Searches that differ in one value of `column`, so one search with `in` finds all; or one search. */
interface Lookup {
	readonly column?: Column | undefined;
	readonly searches: readonly TicketSearch[];
}

const MAX_SEARCHES = 100;

/** Columns whose returned value shows exactly which searches a ticket answers. */
const EXACT_COLUMNS = listColumns('identifier', 'number', 'priority', 'source', 'boolean');

/** Groups searches that differ only in the value of one column, preferably the column with most values. */
function planLookups(searches: readonly TicketSearch[]): readonly Lookup[] {
	const countDifferentValues = memoize(
		(column: Column) => uniqBy(searches, (search) => valueFor(search, column)).length,
	);
	/** Chooses the column with most values in all searches, because one `in` then combines most; undefined to stay alone. */
	const chooseColumn = (search: TicketSearch): Column | undefined => {
		// With a sort, a combined search may order ties differently, so its limit would keep other tickets. Ticket numbers, the default, have no ties.
		if (search.limit !== undefined && search.query.sort.length > 0) return undefined;
		return maxBy(
			EXACT_COLUMNS.filter((column) => valueFor(search, column) !== undefined),
			countDifferentValues,
		);
	};
	const groups = groupBy(searches, (search) => {
		const column = chooseColumn(search);
		const filters = omit(search.query.filters, column ?? []);
		return JSON.stringify([column, { ...search.query, filters }, search.limit]);
	});
	return Object.values(groups).flatMap((group) => {
		const column = group[0] && chooseColumn(group[0]);
		return chunk(group, MAX_SEARCHES).map((part) => ({ column, searches: part }));
	});
}

/** Returns the value that a search requires of a column by `eq` alone; undefined otherwise. */
function valueFor({ query }: TicketSearch, column: Column): unknown {
	const operands = query.filters[column] ?? {};
	return isEqual(Object.keys(operands), ['eq']) ? operands.eq : undefined;
}

/** Splits a lookup of several searches into two, because the service rejected the list of their values. */
const halveLookup = ({ searches, ...lookup }: Lookup): Lookup[] =>
	chunk(searches, Math.ceil(searches.length / 2)).map((half) => ({ ...lookup, searches: half }));

type Answers = ReadonlyArray<readonly [TicketSearch, ReadResult]>;

/** Gives one result to all searches of a lookup. */
const fillLookup = ({ searches }: Lookup, result: ReadResult): Answers =>
	searches.map((search) => [search, result]);

/** The statuses of a search whose list may be too long, or may contain a bad value. */
const MAYBE_BAD_LIST = [400, 413, 414, 422];

/** Reads a lookup by one search, then unanswered searches separately. Undefined if its list of values may be bad. */
async function readLookup(
	lookup: Lookup,
	offset: number,
	reader: PageReader,
): Promise<Answers | undefined> {
	const { column, searches } = lookup;
	const [first] = searches;
	if (!first) return [];
	// Only a column combines searches, so a lookup without one has a single search.
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

/** Combines the searches of a lookup, which differ only in `column`, into one search with the sum of their limits. */
function combineSearches(first: TicketSearch, { searches }: Lookup, column: Column): TicketSearch {
	const { query, limit } = first;
	// Equal values occur if searches list the same filters in another order.
	const values = uniq(searches.map((search) => valueFor(search, column)));
	const filters = { ...query.filters, [column]: { in: values } };
	return {
		query: { ...query, filters },
		...(limit !== undefined && { limit: limit * searches.length }),
	};
}

/** Makes a function that picks one search's tickets by its value in a column; undefined if some may be missing. */
function divideTickets({ rows, isPartial = false }: ReadResult, column: Column) {
	const byValue = groupBy(rows, (row) => toComparable(row[column], column));
	const hasUnreadableValue = byValue['undefined'] !== undefined;
	return (search: TicketSearch): ReadResult | undefined => {
		const tickets = byValue[String(toComparable(valueFor(search, column), column))] ?? [];
		const { limit = Infinity } = search;
		// A partial read is enough up to the limit, because the combined search has the order of this one.
		const isMissing = isPartial && tickets.length < limit;
		// A ticket without a readable value may belong to any search, at any position.
		if (isMissing || hasUnreadableValue) return undefined;
		return { rows: tickets.slice(0, limit), isPartial: isPartial || tickets.length > limit };
	};
}
