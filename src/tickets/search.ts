import { z } from 'zod/v4';
import { listOf, wholeNumber } from '../core/fields';
import { jsonParameter } from '../core/json';
import type { Desk, Operation, RowResult } from '../core/operation';
import { eachRow, problemsOf } from '../core/operation';
import type { InputError } from '../core/failures';
import type { Result } from '../core/result';
import { fail, ok } from '../core/result';
import { rowsOf } from '../core/rows';
import { columnNames } from './columns';
import { compileConditions, conditionSchema } from './conditions';
import type { Filters } from './filters';
import { filtersSchema } from './filters';
import { LARGEST_PAGE, noColumnTwice, sortRuleSchema } from './query';
import { readTickets } from './readTickets';
import type { Ticket } from './ticket';
import { ticketSchema } from './ticket';

const input = z.looseObject({
	returnAll: z.boolean().default(false),
	limit: wholeNumber(1).default(50),
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
			parallelRequests: wholeNumber(1, 20).default(10),
			spelling: z.enum(['auto', 'formal', 'narrative']).default('auto'),
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
	const { columns, ...options } = row.options;
	const sort = row.sort.rules.map(({ column, direction }) => ({ column, direction }));
	const wanted = {
		...options,
		...(!row.returnAll && { limit: row.limit }),
	};
	const reading = await readTickets(
		{ filters: filters.value, sort, select: columns },
		wanted,
		desk.client,
	);
	if (!reading.failure) return { items: reading.rows, note: reading.note };
	return {
		items: reading.rows,
		failure: reading.failure,
		details: {
			ticketsRead: reading.rows.length,
			...(reading.position && { continueAt: reading.position }),
		},
	};
}

function readFilters(row: Input, zone: string): Result<Filters, InputError> {
	if (row.filterMode === 'builder') return compileConditions(row.filters.conditions, zone);
	const parsed = filtersSchema(zone).safeParse(row.filtersJson);
	return parsed.success
		? ok(parsed.data)
		: fail({ kind: 'input', problems: problemsOf(parsed.error, ['filtersJson']) });
}
