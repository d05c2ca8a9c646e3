import { z } from 'zod/v4';
import { callName } from '../../core/client';
import type { ContractError } from '../../core/failures';
import type { Request } from '../../core/http';
import type { Column } from '../columns';
import { columnNames } from '../columns';
import type { Filters } from '../filters/schema';
import type { Dialect } from './fetchPage';
import { formal } from './fetchPage';
import type { Operands } from '../filters/combine';
import { combineOperands } from '../filters/combine';

/** The most rows of one page (interface: Limits). */
export const MAX_PAGE_SIZE = 100;

/** One rule of a sort. */
export const sortRuleSchema = z.looseObject({
	column: z.enum(columnNames as [Column, ...Column[]], {
		error: 'is not a ticket column. Choose one from the list',
	}),
	direction: z.enum(['asc', 'desc'], { error: "must be 'asc' or 'desc'" }).default('asc'),
});

/** Refuses a second rule for a column: an expression in place of the rules gives one default rule many times. */
export function noColumnTwice(
	rules: ReadonlyArray<{ column: string }>,
	context: z.RefinementCtx,
): void {
	for (const [index, { column }] of rules.entries()) {
		if (rules.findIndex((rule) => rule.column === column) === index) continue;
		const message = `sorts by ${column} a second time. Remove it`;
		context.addIssue({ code: 'custom', path: [index], message });
	}
}

/** One rule of a sort: tickets are ordered by the first rule, ties by the next. */
export type SortRule = Pick<z.infer<typeof sortRuleSchema>, 'column' | 'direction'>;

/** A search: which tickets, in what order, with which columns (all where none are named). */
export interface Query {
	readonly filters: Filters;
	readonly sort: readonly SortRule[];
	readonly select: readonly Column[];
}

const SEARCH_ENDPOINT = { method: 'POST', path: '/tickets/search' } as const;

/** The error of pages that cannot be right, though each of them is valid. */
export const searchContractError = (message: string): ContractError => ({
	kind: 'contract',
	call: callName(SEARCH_ENDPOINT),
	status: 200,
	message,
});

/** Consecutive pages without a new row; fewer tickets than these hold are created between two requests. */
export const MAX_PAGES_WITHOUT_NEW = 50;

/** The error of pages that lead to no end. */
export const ENDLESS = searchContractError(
	'The pages repeat or keep shifting, and the end cannot be reached. Set Page Size to 100 if it is smaller',
);

/** The request for one page (interface: POST /tickets/search). */
export function searchRequest(
	query: Query,
	page: { limit: number; offset: number },
	dialect: Dialect = formal,
): Request {
	return {
		...SEARCH_ENDPOINT,
		body: {
			...(Object.keys(query.filters).length > 0 && { filters: query.filters }),
			pagination: page,
			...(query.sort.length > 0 && {
				sort: query.sort.map(({ column, direction }) => ({ [dialect.sort]: column, direction })),
			}),
			...(query.select.length > 0 && {
				select:
					dialect.select === 'list'
						? query.select
						: Object.fromEntries(query.select.map((column) => [column, true])),
			}),
		},
		idempotent: true, // A search changes nothing.
		help: { readOnly: true },
	};
}

/** A part of the matching tickets: the bounds of their numbers, the IDs to leave out, and the direction. */
export interface Keyset {
	readonly gte?: number;
	readonly lte?: number;
	readonly excludedIds?: readonly string[];
	readonly direction?: 'asc' | 'desc';
}

/** The query for a slice, on top of the filters of the user, sorted by ticket number. */
export function keysetQuery(
	query: Query,
	{ gte, lte, excludedIds = [], direction = 'asc' }: Keyset,
): Query {
	const { ticketNumber, id, ...others } = query.filters;
	const numbers = withOperand(withOperand(ticketNumber, 'gte', gte), 'lte', lte);
	const ids = withOperand(id, 'notIn', excludedIds.length > 0 ? excludedIds : undefined);
	return {
		filters: { ...others, ...(numbers && { ticketNumber: numbers }), ...(ids && { id: ids }) },
		sort: [{ column: 'ticketNumber', direction }],
		select: query.select,
	};
}

/** Bounds and exclusions combine with whatever is there. */
function withOperand(
	operands: Operands | undefined,
	operator: 'gte' | 'lte' | 'notIn',
	operand: unknown,
): Operands | undefined {
	if (operand === undefined) return operands;
	const combined = combineOperands(operands ?? {}, operator, operand);
	return combined.ok ? combined.value : operands;
}
