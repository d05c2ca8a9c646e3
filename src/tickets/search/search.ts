import compact from 'lodash/compact';
import isEmpty from 'lodash/isEmpty';
import { z } from 'zod/v4';
import { DEFAULT_TIMEOUT_SECONDS } from '../../core/http';
import {
	choice,
	collectionOf,
	timeout,
	trueOrFalse,
	wholeNumber,
	withoutGaps,
} from '../../core/schemas';
import type {
	OperationContext,
	Operation,
	PlacedInput,
	RowResult,
	Worked,
} from '../../core/operation';
import { allRows } from '../../core/operation';
import { outputParameters, returnedFields, someSelected } from '../../core/output';
import { formatRows, plural } from '../../core/words';
import { columnNames } from '../columns';
import type { Question } from './query';
import { MAX_PAGE_SIZE, sortRulesSchema } from './query';
import { answerAll } from './answerAll';
import type { SearchResult } from './readTickets';
import { filterParameters, readFilters } from '../filters/conditions';
import { ok } from '../../core/result';
import { simplifiedColumns, simplifiedTicketSchema } from '../ticket';

const rowSchema = z.looseObject({
	returnAll: trueOrFalse.default(false),
	limit: wholeNumber(1).default(50),
	...filterParameters,
	sort: z.looseObject({ rules: sortRulesSchema }).default({ rules: [] }),
});

/** What a row is, without what reads its own gaps: the values of conditions and JSON. */
const row = withoutGaps(rowSchema, ['filters', 'filtersJson', 'inputRow']);

const settingsSchema = z.looseObject({
	...outputParameters(columnNames, 'ticket column'),
	options: collectionOf(
		z.looseObject({
			offset: wholeNumber(0).default(0),
			pageSize: wholeNumber(1, MAX_PAGE_SIZE).default(MAX_PAGE_SIZE),
			parallelRequests: wholeNumber(1, 20).default(20),
			emptyValue: choice(['stop', 'skip', 'matchEmpty']).default('stop'),
			outputAs: choice(['items', 'oneItem']).default('items'),
			timeout: timeout.prefault(DEFAULT_TIMEOUT_SECONDS),
		}),
	).prefault({}),
});

const settings = withoutGaps(settingsSchema.refine(...someSelected));

type Row = z.infer<typeof row>;
type Settings = z.infer<typeof settings>;

/** Searches tickets with filters, sort and column selection (interface: POST /tickets/search). */
export const search: Operation = {
	output: simplifiedTicketSchema,
	settings,
	rowParameters: ['filterMode', 'filters', 'filtersJson', 'limit', 'returnAll', 'sort'],
	run: allRows({ settings, row, work }),
};

/** Rows that ask alike share requests, and what one row shows of the service holds for all. */
async function work(
	inputs: ReadonlyArray<PlacedInput<Row>>,
	{ options: chosen, ...shown }: Settings,
	{ client, zone, now }: OperationContext,
): Promise<Worked> {
	const { outputAs, emptyValue, timeout: timeoutMs, ...options } = chosen;
	const select = returnedFields(shown, { simplified: simplifiedColumns, id: 'id' });
	const clock = { zone, nowMs: now(), emptyValue };
	const rows = inputs.map(({ input }) => {
		const compiled = readFilters(input, clock);
		if (!compiled.ok) return compiled;
		const sort = input.sort.rules.map(({ column, direction }) => ({ column, direction }));
		const query = { filters: compiled.value.filters, sort, select };
		const question: Question = { query, ...(!input.returnAll && { limit: input.limit }) };
		return ok({ question, compiled: compiled.value });
	});
	const questions = rows.flatMap((row) => (row.ok ? [row.value.question] : []));
	const { answers, requests } = await answerAll(questions, { ...options, timeoutMs }, client);
	const isShared = questions.length > 1;
	const results = rows.map((row): RowResult => {
		if (!row.ok) return { items: [], failure: row.failure };
		const { question, compiled } = row.value;
		const result = answers.get(question) ?? NOTHING;
		const { rows: found, failure, position } = result;
		// What comes after may change the item of a ticket that belongs to several rows.
		const tickets = isShared ? found.map((ticket) => ({ ...ticket })) : found;
		const items = outputAs === 'items' ? tickets : [{ count: found.length, tickets }];
		if (failure) {
			const read = { ticketsRead: found.length, ...(position && { continueAt: position }) };
			return { items, failure, failureItem: read };
		}
		const warning = compact([
			compiled.skipped > 0 && `${plural(compiled.skipped, 'empty condition')} skipped`,
			isEmpty(compiled.filters) && 'No conditions: every ticket matches',
		]).join('. ');
		const note = isShared ? undefined : describeSearch(result, requests);
		return { items, ...(note && { note }), ...(warning !== '' && { warning }) };
	});
	if (!isShared) return { results };
	const went = rows.flatMap((row, i) => {
		const answer = row.ok ? answers.get(row.value.question) : undefined;
		return answer && !answer.failure ? [{ answer, position: inputs[i]?.position ?? i }] : [];
	});
	return { results, note: noteOn(went, { rows: rows.length, requests }) };
}

const NOTHING: SearchResult = { rows: [] };
const MAX_ROWS_NAMED = 5;

/** How many requests several rows took, and which of them found nothing. */
function noteOn(
	went: ReadonlyArray<{ readonly answer: SearchResult; readonly position: number }>,
	{ rows, requests }: { rows: number; requests: number },
): string {
	const tickets = went.reduce((sum, { answer }) => sum + answer.rows.length, 0);
	const empty = went.filter(({ answer }) => answer.rows.length === 0);
	const positions = empty.map(({ position }) => position);
	const named = formatRows(positions, { total: rows, max: MAX_ROWS_NAMED });
	const nothing = empty.length > 0 ? `. ${named} found no tickets` : '';
	return `${plural(rows, 'row')}, ${plural(requests, 'request')}: ${plural(tickets, 'ticket')}${nothing}`;
}

/** How many tickets one search found, with how many requests and in which way. */
function describeSearch({ rows, way, isPartial }: SearchResult, requests: number): string {
	const inWay = requests > 1 && way ? `, read ${way}` : '';
	const more = isPartial ? `. More match: raise 'Limit' or use 'Return All'` : '';
	return `${plural(rows.length, 'ticket')}, ${plural(requests, 'request')}${inWay}${more}`;
}
