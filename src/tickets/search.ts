import { z } from 'zod/v4';
import { choice, listOf, timeout, trueOrFalse, wholeNumber } from '../core/fields';
import type { Desk, Operation, RowResult } from '../core/operation';
import { eachRow } from '../core/operation';
import { rowsOf } from '../core/rows';
import type { Column } from './columns';
import { columnNames } from './columns';
import { LARGEST_PAGE, noColumnTwice, sortRuleSchema } from './query';
import { filterParameters, readFilters } from './readFilters';
import type { Found } from './readTickets';
import { readTickets } from './readTickets';
import { ticketSchema } from './ticket';

/** What an agent gets without choosing columns: enough to answer with, few enough to read. */
const columnsForAgents: Column[] = [
	'id',
	'ticketNumber',
	'title',
	'priority',
	'statusId',
	'source',
	'summary',
	'createdAt',
];

const input = z.looseObject({
	asTool: trueOrFalse.default(false),
	returnAll: trueOrFalse.default(false),
	limit: wholeNumber(1).default(50),
	...filterParameters,
	sort: z
		.looseObject({ rules: rowsOf(sortRuleSchema).superRefine(noColumnTwice) })
		.default({ rules: [] }),
	options: z
		.looseObject({
			columns: listOf(columnNames, 'ticket column').default([]),
			offset: wholeNumber(0).default(0),
			pageSize: wholeNumber(1, LARGEST_PAGE).default(LARGEST_PAGE),
			parallelRequests: wholeNumber(1, 20).default(20),
			emptyValue: choice(['stop', 'skip', 'matchEmpty']).default('stop'),
			outputAs: choice(['items', 'oneItem']).default('items'),
			spelling: choice(['auto', 'formal', 'narrative']).default('auto'),
			timeout: timeout.prefault(120),
		})
		.prefault({}),
});

type Input = z.infer<typeof input>;

/** Searches tickets with filters, sort and column selection (interface: POST /tickets/search). */
export const search: Operation = {
	output: ticketSchema,
	run: eachRow<Input, object>(input, 1, () => searchRows({})),
};

/** What one row found out about the service holds for the next ones. */
const searchRows =
	(found: Found) =>
	async (row: Input, desk: Desk): Promise<RowResult> => {
		const { zone } = desk;
		const { emptyValue } = row.options;
		const compiled = readFilters(row, { zone, now: desk.now(), emptyValue });
		if (!compiled.ok) return { items: [], failure: compiled.failure };
		const { filters, skipped } = compiled.value;
		const { columns, outputAs, ...options } = row.options;
		const select = columns.length === 0 && row.asTool ? columnsForAgents : columns;
		const sort = row.sort.rules.map(({ column, direction }) => ({ column, direction }));
		const wanted = { ...options, ...(!row.returnAll && { limit: row.limit }) };
		const reading = await readTickets({ filters, sort, select }, wanted, {
			client: desk.client,
			found,
		});
		const { rows, failure, position } = reading;
		const items = outputAs === 'items' ? rows : [{ count: rows.length, tickets: rows }];
		const { note } = reading;
		const skips = `${skipped} empty ${skipped === 1 ? 'condition' : 'conditions'} skipped`;
		if (!failure) return { items, note, ...(skipped > 0 && { warning: skips }) };
		return {
			items,
			failure,
			details: { ticketsRead: rows.length, ...(position && { continueAt: position }) },
		};
	};
