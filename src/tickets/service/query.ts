import { map } from 'lodash';
import { z } from 'zod/v4';
import { callName } from '../../core/client';
import { CONTACT_SERVICE } from '../../core/describeFailure';
import type { ContractError } from '../../core/failures';
import { choice, rowsOf } from '../../core/schemas';
import { columnNames, type Column } from '../columns';
import type { Filters } from '../filters/schema';

/** The most rows of one page (interface: Limits). */
export const MAX_PAGE_SIZE = 100;

const sortRuleSchema = z.object({
	column: choice(columnNames),
	direction: z.enum(['asc', 'desc'], { error: "must be 'asc' or 'desc'" }).default('asc'),
});

/** The rules of a sort, one per column. */
export const sortRulesSchema = rowsOf(sortRuleSchema).superRefine((rules, context) => {
	// An expression in place of the list becomes repeated default rules.
	const names = map(rules, 'column');
	const index = names.findIndex((name, i) => names.indexOf(name) < i);
	if (index < 0) return;
	const message = `sorts by ${names[index]} a second time. Remove it. If an expression replaces the whole list, use expressions in the fields of its rules`;
	context.addIssue({ code: 'custom', path: [index], message });
});

/** One rule of a sort: tickets are ordered by the first rule, ties by the next. */
export type SortRule = Readonly<z.infer<typeof sortRuleSchema>>;

/** The order of a search without a sort. */
export const NEWEST_FIRST = { column: 'ticketNumber', direction: 'desc' } as const;

/** A search: filters, order and columns; an empty list of columns means all. */
export interface Query {
	readonly filters: Filters;
	readonly sort: readonly SortRule[];
	readonly select: readonly Column[];
}

/** One search of a run: what is requested, and how many tickets are wanted (all without a limit). */
export interface TicketSearch {
	readonly query: Query;
	readonly limit?: number;
}

/** The endpoint of all searches (interface: POST /tickets/search). */
export const SEARCH_ENDPOINT = { method: 'POST', path: '/tickets/search' } as const;

/** The error of a response that contradicts the search. */
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
