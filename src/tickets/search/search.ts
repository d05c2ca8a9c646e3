import { filter, isEmpty, map, reject, sumBy } from 'lodash';
import { z } from 'zod/v4';
import { DEFAULT_TIMEOUT_SECONDS } from '../../core/http';
import {
	workOnAllRows,
	type Operation,
	type OperationContext,
	type PlacedInput,
	type RowResult,
	type Worked,
} from '../../core/operation';
import { requireSelectedColumns } from '../../core/output';
import { collectionOf, rejectGaps, timeout, trueOrFalse, wholeNumber } from '../../core/schemas';
import { formatRows, plural } from '../../core/words';
import { filterParameters, readFilters } from '../filters/conditions';
import { MAX_PAGE_SIZE, sortRulesSchema, type TicketSearch } from '../service/query';
import { listReturned, outputSettings, simplifiedTicketSchema } from '../ticket';
import type { ReadResult } from './readInOrder';
import { runSearches } from './runSearches';

/** The parameters of a row. Conditions and JSON check their own gaps. */
const searchRowSchema = rejectGaps(
	z.looseObject({
		returnAll: trueOrFalse.default(false),
		limit: wholeNumber(1).default(50),
		...filterParameters,
		sort: z.looseObject({ rules: sortRulesSchema }).default({ rules: [] }),
	}),
	['filters', 'filtersJson', 'inputRow'],
);

const settings = z.looseObject({
	...outputSettings,
	options: collectionOf(
		z.looseObject({
			offset: wholeNumber(0).default(0),
			pageSize: wholeNumber(1, MAX_PAGE_SIZE).default(MAX_PAGE_SIZE),
			parallelRequests: wholeNumber(1, 20).default(20),
			timeout: timeout.prefault(DEFAULT_TIMEOUT_SECONDS),
		}),
	).prefault({}),
});

const searchSettingsSchema = rejectGaps(settings.refine(...requireSelectedColumns));

/** Searches tickets with filters, sort and column selection (interface: POST /tickets/search). */
export const search: Operation = {
	output: simplifiedTicketSchema,
	settings: searchSettingsSchema,
	parameters: {
		returnAll: { perRow: true },
		limit: { perRow: true, byModel: true, gap: 'clearsText' },
		filterMode: { perRow: true },
		filters: { perRow: true, byModel: true, gap: 'clearsText' },
		filtersJson: { perRow: true, byModel: true },
		sort: { perRow: true, byModel: true },
		output: { byModel: true },
		columns: { byModel: true },
	},
	run: workOnAllRows({ settings: searchSettingsSchema, row: searchRowSchema, work: searchRows }),
};

/** Runs the searches of all rows. Rows with invalid filters fail without a request. The note counts all tickets. */
async function searchRows(
	inputs: ReadonlyArray<PlacedInput<z.infer<typeof searchRowSchema>>>,
	{ options: { timeout: timeoutMs, ...options }, ...shown }: z.infer<typeof searchSettingsSchema>,
	{ client, zone, now }: OperationContext,
): Promise<Worked> {
	const select = listReturned(shown);
	const clock = { zone, nowMs: now() };
	const rows = inputs.map((row) => ({ ...row, filters: readFilters(row.input, clock) }));
	const searches = rows.flatMap(({ filters, input }): TicketSearch[] => {
		if (!filters.ok) return [];
		const query = { filters: filters.value, sort: input.sort.rules, select };
		return [{ query, ...(!input.returnAll && { limit: input.limit }) }];
	});
	const run = await runSearches(searches, { ...options, timeoutMs }, client);
	// Invalid rows have no search, so each valid row takes the next result.
	const remaining = run.results.values();
	const read: Array<ReadResult & { readonly position: number }> = [];
	const results = rows.map(({ filters, position }): RowResult => {
		if (!filters.ok) return { items: [], failure: filters.failure };
		const result = remaining.next().value ?? { rows: [] }; // The default is for the type only.
		const { rows: items, failure } = result;
		if (failure) return { items, failure, failureItem: { ticketsRead: items.length } };
		read.push({ ...result, position });
		return isEmpty(filters.value) ? { items, note: NO_CONDITIONS } : { items };
	});
	const total = inputs[0]?.total ?? 0; // Each input has the number of all rows, valid or not.
	const note = summarizeSearches(read, { total, requests: run.requests });
	return { results, ...(read.length > 0 && { note }) };
}

const NO_CONDITIONS = 'No conditions: every ticket matches';

/** Counts rows, requests and tickets, and names the rows without tickets and those that reached Limit. */
function summarizeSearches(
	read: ReadonlyArray<ReadResult & { readonly position: number }>,
	{ total, requests }: { readonly total: number; readonly requests: number },
): string {
	const tickets = plural(sumBy(read, 'rows.length'), 'ticket');
	const sent = plural(requests, 'request');
	if (total === 1)
		return `${tickets}, ${sent}${read[0]?.isPartial ? ". More match: raise 'Limit' or use 'Return All'" : ''}`;
	/** Returns a sentence to add about some of the rows: ". Rows 2 and 3 found no tickets". */
	const describeRows = (rows: typeof read, what: string): string =>
		rows.length > 0 ? `. ${formatRows(map(rows, 'position'), { total, max: 5 })} ${what}` : '';
	const none = describeRows(reject(read, 'rows.length'), 'found no tickets');
	const more = describeRows(
		filter(read, 'isPartial'),
		"reached 'Limit': raise it or use 'Return All'",
	);
	return `${plural(total, 'row')}, ${sent}: ${tickets}${none}${more}`;
}
