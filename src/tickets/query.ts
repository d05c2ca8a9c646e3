import { z } from 'zod/v4';
import type { Request } from '../core/request';
import type { Column } from './columns';
import { columnNames } from './columns';
import type { Filters } from './filters';
import type { Spelling } from './spelling';
import { formal } from './spelling';

/** The most rows of one page (interface: Limits). */
export const LARGEST_PAGE = 100;

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

/** The request for one page (interface: POST /tickets/search). */
export function searchRequest(
	query: Query,
	page: { limit: number; offset: number },
	spelling: Spelling = formal,
): Request {
	return {
		method: 'POST',
		path: '/tickets/search',
		body: {
			...(Object.keys(query.filters).length > 0 && { filters: query.filters }),
			pagination: page,
			...(query.sort.length > 0 && {
				sort: query.sort.map(({ column, direction }) => ({ [spelling.sort]: column, direction })),
			}),
			...(query.select.length > 0 && {
				select:
					spelling.select === 'list'
						? query.select
						: Object.fromEntries(query.select.map((column) => [column, true])),
			}),
		},
		repeatable: true, // A search changes nothing.
	};
}
