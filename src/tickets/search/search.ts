import { z } from 'zod/v4';
import { DEFAULT_TIMEOUT_SECONDS } from '../../core/http';
import { choice, rowsOf, timeout, trueOrFalse, wholeNumber, withoutGaps } from '../../core/schemas';
import type { OperationContext, Operation, RowResult } from '../../core/operation';
import { eachRow } from '../../core/operation';
import { outputParameters, returnedFields, someSelected } from '../../core/output';
import { columnNames } from '../columns';
import { MAX_PAGE_SIZE, noColumnTwice, sortRuleSchema } from './query';
import type { CompiledFilters } from '../filters/conditions';
import { filterParameters, readFilters } from '../filters/readFilters';
import type { DialectCache } from './readTickets';
import { filteredColumns, readTickets, selectColumns } from './readTickets';
import { simplifiedColumns, simplifiedTicketSchema } from '../ticket';

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
	...outputParameters(columnNames, 'ticket column'),
	options: z
		.looseObject({
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

const settings = withoutGaps(settingsSchema.refine(...someSelected));

type Row = z.infer<typeof row>;
type Settings = z.infer<typeof settings>;

/** Searches tickets with filters, sort and column selection (interface: POST /tickets/search). */
export const search: Operation = {
	output: simplifiedTicketSchema,
	settings,
	rowParameters: ['filterMode', 'filters', 'filtersJson', 'limit', 'returnAll', 'sort'],
	run: eachRow({ settings, row, parallel: 1, start }),
};

/** What one row discovers about the service holds for the next ones. */
function start({ options: chosen, ...shown }: Settings, { client, zone, now }: OperationContext) {
	const dialectCache: DialectCache = {};
	const { outputAs, emptyValue, timeout: timeoutMs, ...options } = chosen;
	const returned = returnedFields(shown, simplifiedColumns);
	return async (input: Row): Promise<RowResult> => {
		const compiled = readFilters(input, { zone, nowMs: now(), emptyValue });
		if (!compiled.ok) return { items: [], failure: compiled.failure };
		const { filters } = compiled.value;
		const sort = input.sort.rules.map(({ column, direction }) => ({ column, direction }));
		const wanted = { ...options, timeoutMs, ...(!input.returnAll && { limit: input.limit }) };
		// The filtered columns show whether the service heeds the filters.
		const checked = shown.output === 'simplified' ? filteredColumns(filters) : [];
		const select = [...new Set([...returned, ...checked])];
		const result = await readTickets({ filters, sort, select }, wanted, { client, dialectCache });
		const { failure, position, note } = result;
		const rows = checked.length === 0 ? result.rows : selectColumns(result.rows, returned);
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
