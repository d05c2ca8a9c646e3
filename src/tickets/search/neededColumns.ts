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

/** Takes away the columns that were selected for the reader only. */
export function withoutExtraColumns(
	rows: readonly Ticket[],
	select: readonly Column[],
): readonly Ticket[] {
	if (select.length === 0) return rows;
	const wanted = new Set<string>(select);
	return rows.map((row) => {
		const extra = Object.keys(row).filter((name) => !wanted.has(name));
		return extra.length === 0 ? row : without(row, extra);
	});
}

function without(row: Ticket, names: readonly string[]): Ticket {
	const rest = { ...row };
	for (const name of names) delete rest[name];
	return rest;
}
