import { z } from 'zod/v4';
import { DEFAULT_TIMEOUT_SECONDS } from '../../core/http';
import {
	choice,
	listOf,
	rowsOf,
	timeout,
	trueOrFalse,
	wholeNumber,
	withoutGaps,
} from '../../core/schemas';
import type { OperationContext, Operation, RowResult } from '../../core/operation';
import { eachRow } from '../../core/operation';
import type { Column } from '../columns';
import { columnNames } from '../columns';
import { MAX_PAGE_SIZE, noColumnTwice, sortRuleSchema } from './query';
import type { CompiledFilters } from '../filters/conditions';
import { filterParameters, readFilters } from '../filters/readFilters';
import type { DialectCache } from './readTickets';
import { readTickets } from './readTickets';
import { ticketSchema } from '../ticket';

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

const rowSchema = z.looseObject({
	returnAll: trueOrFalse.default(false),
	limit: wholeNumber(1).default(50),
	...filterParameters,
	sort: z
		.looseObject({ rules: rowsOf(sortRuleSchema).superRefine(noColumnTwice) })
		.default({ rules: [] }),
});

/** What a row is, without what reads its own gaps: the values of conditions and JSON. */
const row = withoutGaps(rowSchema, ['filters', 'filtersJson', 'inputRow']);

const settingsSchema = z.looseObject({
	asTool: trueOrFalse.default(false),
	options: z
		.looseObject({
			columns: listOf(columnNames, 'ticket column').default([]),
			offset: wholeNumber(0).default(0),
			pageSize: wholeNumber(1, MAX_PAGE_SIZE).default(MAX_PAGE_SIZE),
			parallelRequests: wholeNumber(1, 20).default(20),
			emptyValue: choice(['stop', 'skip', 'matchEmpty']).default('stop'),
			outputAs: choice(['items', 'oneItem']).default('items'),
			spelling: choice(['auto', 'formal', 'narrative']).default('auto'),
			timeout: timeout.prefault(DEFAULT_TIMEOUT_SECONDS),
		})
		.prefault({}),
});

const settings = withoutGaps(settingsSchema);

type Row = z.infer<typeof row>;
type Settings = z.infer<typeof settings>;

/** Searches tickets with filters, sort and column selection (interface: POST /tickets/search). */
export const search: Operation = {
	output: ticketSchema,
	settings,
	rowParameters: ['filterMode', 'filters', 'filtersJson', 'limit', 'returnAll', 'sort'],
	run: eachRow({ settings, row, parallel: 1, start }),
};

/** What one row discovers about the service holds for the next ones. */
function start({ asTool, options: chosen }: Settings, { client, zone, now }: OperationContext) {
	const dialectCache: DialectCache = {};
	const { columns, outputAs, emptyValue, timeout: timeoutMs, ...options } = chosen;
	const select = columns.length === 0 && asTool ? columnsForAgents : columns;
	return async (input: Row): Promise<RowResult> => {
		const compiled = readFilters(input, { zone, nowMs: now(), emptyValue });
		if (!compiled.ok) return { items: [], failure: compiled.failure };
		const { filters } = compiled.value;
		const sort = input.sort.rules.map(({ column, direction }) => ({ column, direction }));
		const wanted = { ...options, timeoutMs, ...(!input.returnAll && { limit: input.limit }) };
		const result = await readTickets({ filters, sort, select }, wanted, { client, dialectCache });
		const { rows, failure, position, note } = result;
		const items = outputAs === 'items' ? rows : [{ count: rows.length, tickets: rows }];
		const warning = warningFor(compiled.value);
		if (!failure) return { items, note, ...(warning !== '' && { warning }) };
		return {
			items,
			failure,
			details: { ticketsRead: rows.length, ...(position && { continueAt: position }) },
		};
	};
}

/** What the user has to know about filters that match more than they may seem to. */
function warningFor({ filters, skipped }: CompiledFilters): string {
	const skips = `${skipped} empty ${skipped === 1 ? 'condition' : 'conditions'} skipped`;
	const all = Object.keys(filters).length === 0;
	return [skipped > 0 ? skips : '', all ? 'No conditions: every ticket matches' : '']
		.filter((text) => text !== '')
		.join('. ');
}
