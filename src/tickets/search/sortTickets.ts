import isNil from 'lodash/isNil';
import orderBy from 'lodash/orderBy';
import { isBlank } from '../../core/text';
import type { Kind } from '../columns';
import { columns } from '../columns';
import type { PageReader } from '../service/fetchPage';
import { fetchPage } from '../service/fetchPage';
import { hasFraction, orderKey } from '../service/values';
import type { Ticket } from '../ticket';
import type { Query, SortRule } from './query';
import { searchContractError, withNeededColumns } from './query';
import type { ReadResult } from './readByOffset';

/** The kinds whose order does not depend on the database: text and IDs follow its collation, enums its declaration. */
const KINDS_SORTED_ALIKE: readonly Kind[] = ['number', 'timestamp', 'boolean'];

/** Whether rows can be brought into this order here, as far as the columns say. */
export const canSortLocally = (sort: readonly SortRule[]): boolean =>
	sort.every(({ column }) => KINDS_SORTED_ALIKE.includes(columns[column].kind));

/** Whether these rows can be brought into this order exactly as the service would, by their values. */
export const areSortable = (tickets: readonly Ticket[], sort: readonly SortRule[]): boolean =>
	canSortLocally(sort) &&
	sort.every(({ column }) => {
		const values = tickets.map((ticket) => ticket[column]).filter((value) => !isNil(value));
		const keys = values.map((value) => orderKey(value, columns[column].kind));
		if (keys.includes(undefined)) return false;
		// The service may know a fraction of the second that it does not show.
		const isRounded = columns[column].kind === 'timestamp' && !values.some(hasFraction);
		return !isRounded || new Set(keys).size === keys.length;
	});

/** The rules of a sort by whose columns some tickets have a value and others none. */
export const rulesWithGaps = (
	tickets: readonly Ticket[],
	sort: readonly SortRule[],
): readonly SortRule[] =>
	sort.filter(({ column }) => {
		const filled = tickets.filter((ticket) => !isNil(ticket[column])).length;
		return filled > 0 && filled < tickets.length;
	});

/** Rows by number in the order of a sort, newest first without one; undefined where only the service knows it, or does not say where empty values belong. */
export async function sortHere(
	rows: readonly Ticket[],
	query: Query,
	reader: PageReader,
): Promise<readonly Ticket[] | undefined> {
	if (query.sort.length === 0) return [...rows].reverse();
	if (!areSortable(rows, query.sort)) return undefined;
	const { nullsFirst } = reader.known;
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

/** What came from a service that ignores the sort: right only where all of it can be sorted here. */
export function sortUnsorted(
	result: ReadResult,
	query: Query,
	range: { readonly offset: number; readonly limit?: number },
): ReadResult {
	if (result.failure) return result;
	const isWhole =
		range.offset === 0 &&
		result.isPartial !== true &&
		result.rows.length < (range.limit ?? Infinity);
	// Without a sort, the newest come first, and any tickets are better than none.
	const isOpen = query.sort.length === 0;
	const byNumber: SortRule[] = [{ column: 'ticketNumber', direction: isOpen ? 'desc' : 'asc' }];
	const sort = [...query.sort, ...byNumber];
	const isKnown = areSortable(result.rows, sort) && rulesWithGaps(result.rows, sort).length === 0;
	if (isWhole && isKnown) return { ...result, rows: sortTickets(result.rows, sort) };
	if (isOpen) return result;
	return { rows: [], failure: IGNORED_SORT, position: { offset: range.offset } };
}

const IGNORED_SORT = searchContractError(
	'The service ignores the sort, and the node cannot sort this way itself',
	'Remove the sort, or use Return All and sort by numbers, times or true and false',
);

/** Orders tickets by the rules; ties keep their order, and empty values are greater than all others unless it is known otherwise. */
export function sortTickets(
	tickets: readonly Ticket[],
	sort: readonly SortRule[],
	nullsFirst: Partial<Record<SortRule['direction'], boolean>> = {},
): readonly Ticket[] {
	const keys = sort.flatMap(({ column, direction }) => {
		const { kind } = columns[column];
		const isFirst = nullsFirst[direction] ?? direction === 'desc';
		return [
			(ticket: Ticket) => Number(isNil(ticket[column]) !== isFirst),
			(ticket: Ticket) => orderKey(ticket[column], kind),
		];
	});
	return orderBy(
		tickets,
		keys,
		sort.flatMap(({ direction }) => ['asc', direction] as const),
	);
}
