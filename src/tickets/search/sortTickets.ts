import orderBy from 'lodash/orderBy';
import type { Column } from '../columns';
import { columns } from '../columns';
import { hasFraction, numberOf, orderKey } from '../service/values';
import type { Ticket } from '../ticket';
import type { Query, SortRule } from './query';
import { searchContractError } from './query';
import type { OffsetRange, ReadResult } from './readByOffset';

/** Columns that every ticket has a value of, so it is worth a try to sort by them here. Only the service knows the order of text, IDs and choices, and where what is empty belongs. */
export const FILLED: readonly Column[] = ['createdAt', 'isShared', 'ticketNumber', 'updatedAt'];

/** Rows in an order, newest first without one; ties by number. Undefined where only the service knows it. */
export function sortTickets(
	tickets: readonly Ticket[],
	sort: readonly SortRule[],
): readonly Ticket[] | undefined {
	if (sort.length === 0) return orderBy(tickets, numberOf, 'desc');
	const readers = sort.map(
		({ column }) =>
			(ticket: Ticket) =>
				orderKey(ticket[column], columns[column].kind),
	);
	const isKnown = sort.every(({ column }, i) => {
		const keys = tickets.map(readers[i] ?? (() => undefined));
		if (keys.includes(undefined)) return false;
		// The service may know a fraction of the second that it does not show.
		const isTime = columns[column].kind === 'timestamp';
		const isRounded = isTime && !tickets.some((ticket) => hasFraction(ticket[column]));
		return !isRounded || new Set(keys).size === keys.length;
	});
	const directions = sort.map(({ direction }) => direction);
	return isKnown ? orderBy(tickets, [...readers, numberOf], directions) : undefined;
}

/** What came from a service that ignores the sort: right only where all of it can be sorted here. */
export function sortUnsorted(result: ReadResult, query: Query, range: OffsetRange): ReadResult {
	// Of a limit other tickets would be right; all that match are, in whatever order they come.
	if (result.failure && query.sort.length > 0 && range.limit !== undefined)
		return { rows: [], failure: result.failure, position: { offset: range.offset } };
	if (result.failure) return result;
	const isWhole = range.offset === 0 && result.isPartial !== true;
	// Without a sort, any tickets are better than none.
	const isOpen = query.sort.length === 0;
	const last: readonly SortRule[] = isOpen ? [] : [{ column: 'ticketNumber', direction: 'asc' }];
	const rows = isWhole ? sortTickets(result.rows, [...query.sort, ...last]) : undefined;
	if (rows) return { ...result, rows };
	return isOpen ? result : { rows: [], failure: IGNORED_SORT, position: { offset: range.offset } };
}

const IGNORED_SORT = searchContractError(
	'The service ignores the sort, and the node cannot sort this way itself',
	'Remove the sort, or use Return All and sort by numbers, times or true and false',
);
