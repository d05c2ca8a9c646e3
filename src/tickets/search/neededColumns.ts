import { pickFields } from '../../core/output';
import type { Column } from '../columns';
import { columnNames } from '../columns';
import type { Ticket } from '../ticket';
import type { Query } from './query';

/** A query that also selects what a reader needs to see: ID and number to tell tickets apart, and what they are sorted and filtered by. */
export const withNeededColumns = (query: Query): Query =>
	query.select.length === 0
		? query
		: { ...query, select: [...new Set([...query.select, ...neededColumns(query)])] };

const neededColumns = ({ sort, filters }: Query): Column[] => [
	'id',
	'ticketNumber',
	...sort.map(({ column }) => column),
	...columnNames.filter((name) => filters[name] !== undefined),
];

/** The selected columns in their order, without those that only the reader needs. */
export const selectColumns = (
	rows: readonly Ticket[],
	select: readonly Column[],
): readonly Ticket[] => (select.length === 0 ? rows : rows.map((row) => pickFields(row, select)));
