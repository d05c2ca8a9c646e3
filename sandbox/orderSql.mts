import { columnKinds, requiredColumns } from './columns.mts';
import type { Personality } from './personality.mts';
import type { TicketQuery } from './searchSchema.mts';

type Order = Pick<Personality, 'defaultOrder' | 'nullsFirst' | 'priorities' | 'ignoresCase'>;

const defaultOrders = {
	newest: 'createdAt DESC, id',
	number: 'ticketNumber',
	stored: 'rowid',
} as const satisfies Record<Personality['defaultOrder'], string>;

/**
 * Turns sort rules into an ORDER BY. Source sorts as text, ties fall as the rows were stored; the rest, which the
 * document does not show, is as the personality has it.
 */
export function orderClause(sort: TicketQuery['sort'], is: Order): string {
	const last = sort.at(-1);
	if (!last) return defaultOrders[is.defaultOrder];
	const rules = sort.map(({ column, direction }) => {
		const order = direction === 'asc' ? 'ASC' : 'DESC';
		if (column === 'priority' && is.priorities)
			return `instr('${is.priorities.join()}', priority) ${order}`;
		const isFolded = is.ignoresCase && columnKinds[column] === 'text';
		const key = isFolded ? `"${column}" COLLATE NOCASE` : `"${column}"`;
		if (requiredColumns.has(column)) return `${key} ${order}`;
		const isFirst =
			is.nullsFirst === 'always' ||
			is.nullsFirst === (direction === 'asc' ? 'ascending' : 'descending');
		return `${key} ${order} NULLS ${isFirst ? 'FIRST' : 'LAST'}`;
	});
	return `${rules.join(', ')}, rowid ${last.direction}`;
}
