import { requiredColumns } from './columns.mts';
import type { TicketQuery } from './searchSchema.mts';

/**
 * Turns sort rules into an ORDER BY. What the document does not show is as in PostgreSQL: empty values come last ascending and
 * first descending, priorities and sources sort as text. Ties fall as the rows were stored; without a rule the newest comes first.
 */
export function orderClause(sort: TicketQuery['sort']): string {
	const last = sort.at(-1);
	if (!last) return 'createdAt DESC, id';
	const rules = sort.map(({ column, direction }) => {
		const key = `"${column}" ${direction}`;
		return requiredColumns.has(column)
			? key
			: `${key} NULLS ${direction === 'asc' ? 'LAST' : 'FIRST'}`;
	});
	return `${rules.join(', ')}, rowid ${last.direction}`;
}
