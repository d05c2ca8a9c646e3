import { requiredColumns } from './columns.mts';
import type { TicketQuery } from './searchSchema.mts';

/**
 * Turns sort rules into an ORDER BY: nulls are last ascending and first descending, priority and
 * source sort as text, ties fall as the rows were stored. Without rules the newest come first:
 * the document does not show a default, and `createdAt` descending, then `id`, is ours.
 */
export function orderClause(sort: TicketQuery['sort']): string {
	const last = sort.at(-1);
	if (!last) return 'createdAt DESC, id';
	const rules = sort.map(({ column, direction }) => {
		const order = direction === 'asc' ? 'ASC' : 'DESC';
		if (requiredColumns.has(column)) return `"${column}" ${order}`;
		return `"${column}" ${order} NULLS ${direction === 'asc' ? 'LAST' : 'FIRST'}`;
	});
	return `${rules.join(', ')}, rowid ${last.direction}`;
}
