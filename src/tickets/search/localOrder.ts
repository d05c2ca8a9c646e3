import { isBlank } from '../../core/text';
import type { Ticket } from '../ticket';
import type { PageReader, ReadResult } from './fetchPage';
import { fetchPage, unknownService } from './fetchPage';
import { withNeededColumns } from './neededColumns';
import type { Query, SortRule } from './query';
import { searchContractError } from './query';
import type { OffsetRange } from './readByOffset';
import { areSortable, rulesWithGaps, sortTickets } from './sortTickets';

/** Rows in the order of a sort, or undefined where only the service knows it, or does not say where empty values belong. */
export async function sortHere(
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

/** What came from a service that ignores the sort: right only where all of it can be sorted here. */
export function sortUnsorted(result: ReadResult, query: Query, range: OffsetRange): ReadResult {
	if (result.failure) return result;
	const isWhole = range.offset === 0 && result.rows.length < (range.limit ?? Infinity);
	const byNumber: SortRule[] = [{ column: 'ticketNumber', direction: 'asc' }];
	const sort = [...query.sort, ...byNumber];
	const isKnown = areSortable(result.rows, sort) && rulesWithGaps(result.rows, sort).length === 0;
	if (isWhole && isKnown) return { ...result, rows: sortTickets(result.rows, sort) };
	if (query.sort.length === 0) return result;
	return { rows: [], failure: IGNORED_SORT, position: { offset: range.offset } };
}

const IGNORED_SORT = searchContractError(
	'The service ignores the sort, and the node cannot sort this way itself. Remove the sort, or use Return All and sort by numbers, times or true and false',
);
