import orderBy from 'lodash/orderBy';
import type { Column } from '../columns';
import { sortValue } from '../service/values';
import type { Ticket } from '../ticket';
import type { SortRule } from './query';

/** Columns with a number, time or boolean in every ticket. Only the service knows the order of text, IDs, enums and null. */
const ALWAYS_SET: readonly Column[] = ['createdAt', 'isShared', 'ticketNumber', 'updatedAt'];

/** Whether tickets in this order can probably be sorted here. */
export const isSortable = (sort: readonly SortRule[]): boolean =>
	sort.every(({ column }) => ALWAYS_SET.includes(column));

/** Tickets in an order, newest first without one, ties by number; undefined if a ticket lacks a value. */
export function sortTickets(
	tickets: readonly Ticket[],
	sort: readonly SortRule[],
): readonly Ticket[] | undefined {
	const rules: readonly SortRule[] =
		sort.length > 0
			? [...sort, { column: 'ticketNumber', direction: 'asc' }]
			: [{ column: 'ticketNumber', direction: 'desc' }];
	const readers = rules.map(
		({ column }) =>
			(ticket: Ticket) =>
				sortValue(ticket, column),
	);
	const isComplete = tickets.every((ticket) => readers.every((read) => read(ticket) !== undefined));
	return isComplete
		? orderBy(
				tickets,
				readers,
				rules.map(({ direction }) => direction),
			)
		: undefined;
}
