import uniq from 'lodash/uniq';
import { z } from 'zod/v4';
import { callName } from '../../core/client';
import { CONTACT_SERVICE } from '../../core/describeFailure';
import type { ContractError } from '../../core/failures';
import type { Request } from '../../core/http';
import { nameOf, rowsOf } from '../../core/schemas';
import type { Column } from '../columns';
import { columnNames } from '../columns';
import { addBounds } from '../filters/combine';
import type { Filters } from '../filters/schema';

/** The most rows of one page (interface: Limits). */
export const MAX_PAGE_SIZE = 100;

/** One rule of a sort. */
export const sortRuleSchema = z.looseObject({
	column: nameOf(columnNames, 'a ticket column'),
	direction: z.enum(['asc', 'desc'], { error: "must be 'asc' or 'desc'" }).default('asc'),
});

/** The rules of a sort, one for a column: an expression in place of the rules gives one default rule many times. */
export const sortRulesSchema = rowsOf(sortRuleSchema).superRefine((rules, context) => {
	const index = rules.findIndex(({ column }, i) =>
		rules.some((rule, j) => j < i && rule.column === column),
	);
	if (index < 0) return;
	const message = `sorts by ${rules[index]?.column} a second time. Remove it. If an expression replaces the whole list, use expressions in the fields of its rules`;
	context.addIssue({ code: 'custom', path: [index], message });
});

/** One rule of a sort: tickets are ordered by the first rule, ties by the next. */
export type SortRule = Pick<z.infer<typeof sortRuleSchema>, 'column' | 'direction'>;

/** A search: which tickets, in what order, with which columns (all where none are named). */
export interface Query {
	readonly filters: Filters;
	readonly sort: readonly SortRule[];
	readonly select: readonly Column[];
}

/** How sort and select are written; the interface shows two ways and leaves open which one the service accepts. */
export interface Dialect {
	readonly sort: 'field' | 'column';
	readonly select: 'object' | 'list';
}

/** As the formal schema writes them. */
export const formal: Dialect = { sort: 'field', select: 'object' };

const SEARCH_ENDPOINT = { method: 'POST', path: '/tickets/search' } as const;

/** The error of pages that cannot be right, though each of them is valid. */
export const searchContractError = (
	message: string,
	advice: string = CONTACT_SERVICE,
): ContractError => ({
	kind: 'contract',
	call: callName(SEARCH_ENDPOINT),
	status: 200,
	message,
	advice,
});

/** Requests in a row that bring no new ticket, after which a search ends. */
export const MAX_WITHOUT_NEW = 20;

/** The error of pages that lead to no end. */
export const ENDLESS = searchContractError(
	'The service says that more tickets follow, but sends no new ones, so the end cannot be reached',
	'Narrow the conditions, or use Limit',
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

/** A part of the matching tickets: the bounds of their numbers or those without one, and the direction. */
export interface Keyset {
	readonly gte?: number;
	readonly lte?: number;
	readonly isNull?: true;
	readonly direction?: 'asc' | 'desc';
}

/** The query for a part, on top of the filters of the user, sorted by ticket number. */
export function keysetQuery(
	{ filters, select }: Query,
	{ direction = 'asc', ...bounds }: Keyset,
): Query {
	const isBound = Object.keys(bounds).length > 0;
	const numbers = isBound ? { ticketNumber: addBounds(filters.ticketNumber, bounds) } : {};
	return {
		filters: { ...filters, ...numbers },
		sort: [{ column: 'ticketNumber', direction }],
		select,
	};
}

/** A query that also selects what a reader needs to see: ID and number to tell tickets apart, and what shows that a sort or a filter is ignored. */
export function withNeededColumns(query: Query): Query {
	const { select, sort, filters } = query;
	if (select.length === 0) return query;
	const sorted = sort.map(({ column }) => column);
	const filtered = columnNames.filter((name) => filters[name] !== undefined);
	return { ...query, select: uniq([...select, 'id', 'ticketNumber', ...sorted, ...filtered]) };
}
