import { z } from 'zod/v4';
import { listOf, wholeNumber } from '../core/fields';
import { jsonParameter } from '../core/json';
import { rowsOf } from '../core/rows';
import type { Desk, Operation, RowResult } from '../core/operation';
import { eachRow, problemsOf } from '../core/operation';
import type { InputError } from '../core/failures';
import type { Result } from '../core/result';
import { fail, ok } from '../core/result';
import { columnNames } from './columns';
import { compileConditions, conditionSchema } from './conditions';
import type { Filters } from './filters';
import { filtersSchema } from './filters';
import type { Query } from './query';
import { LARGEST_PAGE, sortRuleSchema } from './query';
import { readByOffset } from './readers/byOffset';
import type { Ticket } from './ticket';
import { ticketSchema } from './ticket';

/** An expression in place of the rules gives the same default rule many times. */
function noColumnTwice(rules: ReadonlyArray<{ column: string }>, context: z.RefinementCtx): void {
	for (const [index, { column }] of rules.entries()) {
		if (rules.findIndex((rule) => rule.column === column) === index) continue;
		const message = `sorts by ${column} a second time. Remove it`;
		context.addIssue({ code: 'custom', path: [index], message });
	}
}

const input = z.looseObject({
	returnAll: z.boolean().default(false),
	limit: wholeNumber(1).optional(),
	filterMode: z.enum(['builder', 'json']).default('builder'),
	filters: z.looseObject({ conditions: rowsOf(conditionSchema) }).default({ conditions: [] }),
	filtersJson: jsonParameter.optional(),
	sort: z
		.looseObject({ rules: rowsOf(sortRuleSchema).superRefine(noColumnTwice) })
		.default({ rules: [] }),
	options: z
		.looseObject({
			columns: listOf(columnNames, 'ticket column').default([]),
			offset: wholeNumber(0).default(0),
			pageSize: wholeNumber(1, LARGEST_PAGE).default(LARGEST_PAGE),
		})
		.prefault({}),
});

type Input = z.infer<typeof input>;

/** Searches tickets with filters, sort and column selection (interface: POST /tickets/search). */
export const search: Operation<Ticket> = {
	output: ticketSchema,
	run: eachRow<Input, Ticket>(input, 1, searchRow),
};

async function searchRow(row: Input, desk: Desk): Promise<RowResult<Ticket>> {
	const filters = readFilters(row, desk.zone);
	if (!filters.ok) return { items: [], failure: filters.failure };
	const { offset, pageSize, columns } = row.options;
	const limit = row.returnAll ? undefined : row.limit;
	const query: Query = { filters: filters.value, sort: sortFor(row, limit), select: columns };
	const reading = await readByOffset(
		query,
		{ offset, pageSize, ...(limit !== undefined && { limit }) },
		desk.client,
	);
	if (!reading.failure) return { items: reading.rows };
	return {
		items: reading.rows,
		failure: reading.failure,
		details: { ticketsRead: reading.rows.length, nextOffset: reading.position },
	};
}

/** Pages need a total order, so a search of several pages ends its sort with the ticket number. */
function sortFor(row: Input, limit: number | undefined): Query['sort'] {
	const rules = row.sort.rules.map(({ column, direction }) => ({ column, direction }));
	const onePage = limit !== undefined && limit <= row.options.pageSize;
	const total = rules.some(({ column }) => column === 'ticketNumber' || column === 'id');
	return onePage || total ? rules : [...rules, { column: 'ticketNumber', direction: 'asc' }];
}

function readFilters(row: Input, zone: string): Result<Filters, InputError> {
	if (row.filterMode === 'builder') return compileConditions(row.filters.conditions, zone);
	const parsed = filtersSchema(zone).safeParse(row.filtersJson ?? {});
	return parsed.success
		? ok(parsed.data)
		: fail({ kind: 'input', problems: problemsOf(parsed.error, ['filtersJson']) });
}
