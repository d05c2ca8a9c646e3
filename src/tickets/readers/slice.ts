import type { Operands } from '../combine';
import { combine } from '../combine';
import type { Query } from '../query';

/** A part of the matching tickets: the bounds of their numbers, the IDs to leave out, and the direction. */
export interface Slice {
	readonly gte?: number;
	readonly lte?: number;
	readonly without?: readonly string[];
	readonly direction?: 'asc' | 'desc';
}

/** The query for a slice, on top of the filters of the user, sorted by ticket number. */
export function sliceOf(query: Query, { gte, lte, without = [], direction = 'asc' }: Slice): Query {
	const { ticketNumber, id, ...others } = query.filters;
	const numbers = add(add(ticketNumber, 'gte', gte), 'lte', lte);
	const ids = add(id, 'notIn', without.length > 0 ? without : undefined);
	return {
		filters: { ...others, ...(numbers && { ticketNumber: numbers }), ...(ids && { id: ids }) },
		sort: [{ column: 'ticketNumber', direction }],
		select: query.select,
	};
}

/** Bounds and exclusions combine with whatever is there. */
function add(
	operands: Operands | undefined,
	operator: 'gte' | 'lte' | 'notIn',
	operand: unknown,
): Operands | undefined {
	if (operand === undefined) return operands;
	const combined = combine(operands ?? {}, operator, operand);
	return combined.ok ? combined.value : operands;
}
