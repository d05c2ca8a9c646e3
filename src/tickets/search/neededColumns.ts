import { pickFields } from '../../core/output';
import type { Column } from '../columns';
import { columnNames } from '../columns';
import type { Ticket } from '../ticket';
import type { Query } from './query';

/** A query that also selects what a reader needs to see: ID and number to tell tickets apart, and what shows that a sort or a filter is ignored. */
export const withNeededColumns = (query: Query): Query =>
	withColumns(query, ['id', 'ticketNumber', ...checkedColumns(query)]);

/** A query of one page, that also selects what shows that a sort or a filter of the user is ignored. */
export const withCheckedColumns = (query: Query): Query =>
	withColumns(query, checkedColumns(query));

const withColumns = (query: Query, columns: readonly Column[]): Query =>
	query.select.length === 0
		? query
		: { ...query, select: [...new Set([...query.select, ...columns])] };

const checkedColumns = ({ sort, filters }: Query): Column[] => [
	...sort.map(({ column }) => column),
	...columnNames.filter((name) => filters[name] !== undefined),
];

/** The selected columns in their order, without those that only the reader needs. */
export const selectColumns = (
	rows: readonly Ticket[],
	select: readonly Column[],
): readonly Ticket[] => (select.length === 0 ? rows : rows.map((row) => pickFields(row, select)));
