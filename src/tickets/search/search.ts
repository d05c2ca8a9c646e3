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

/** The parameters of a row. Conditions and JSON check their own gaps. */
const searchRowSchema = withoutGaps(rowSchema, ['filters', 'filtersJson', 'inputRow']);

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

const searchSettingsSchema = withoutGaps(settingsSchema.refine(...someSelected));

type SearchRow = z.infer<typeof searchRowSchema>;
type Settings = z.infer<typeof searchSettingsSchema>;

/** Searches tickets with filters, sort and column selection (interface: POST /tickets/search). */
export const search: Operation = {
	output: simplifiedTicketSchema,
	settings: searchSettingsSchema,
	rowParameters: ['filterMode', 'filters', 'filtersJson', 'limit', 'returnAll', 'sort'],
	run: allRows({ settings: searchSettingsSchema, row: searchRowSchema, work: answerSearches }),
};

async function answerSearches(
	inputs: ReadonlyArray<PlacedInput<SearchRow>>,
	{ options: chosen, ...shown }: Settings,
	{ client, zone, now }: OperationContext,
): Promise<Worked> {
	const { outputAs, emptyValue, timeout: timeoutMs, ...options } = chosen;
	const select = returnedFields(shown, { simplified: simplifiedColumns, id: 'id' });
	const clock = { zone, nowMs: now(), emptyValue };
	const rows = inputs.map(({ input, position }) => {
		const compiled = readFilters(input, clock);
		if (!compiled.ok) return compiled;
		const { filters, skipped } = compiled.value;
		const sort = input.sort.rules.map(({ column, direction }) => ({ column, direction }));
		const limit = input.returnAll ? {} : { limit: input.limit };
		const question: Question = { query: { filters, sort, select }, ...limit };
		return ok({ question, skipped, position });
	});
	const questions = rows.flatMap((row) => (row.ok ? [row.value.question] : []));
	const { answers, requests } = await answerAll(questions, { ...options, timeoutMs }, client);
	const isShared = questions.length > 1;
	const answered: Array<{ answer: SearchResult; position: number }> = [];
	const results = rows.map((row): RowResult => {
		if (!row.ok) return { items: [], failure: row.failure };
		const { question, skipped, position } = row.value;
		const answer = answers.get(question) ?? { rows: [] };
		const { rows: read, failure, position: continueAt } = answer;
		// A later node may change the item of a ticket that belongs to several rows.
		const tickets = isShared ? read.map((ticket) => ({ ...ticket })) : read;
		const items = outputAs === 'items' ? tickets : [{ count: read.length, tickets }];
		if (failure) {
			const failureItem = { ticketsRead: read.length, ...(continueAt && { continueAt }) };
			return { items, failure, failureItem };
		}
		answered.push({ answer, position });
		const warning = compact([
			skipped > 0 && `${plural(skipped, 'empty condition')} skipped`,
			isEmpty(question.query.filters) && 'No conditions: every ticket matches',
		]).join('. ');
		const note = isShared ? undefined : describeSearch(answer, requests);
		return { items, ...(note && { note }), ...(warning !== '' && { warning }) };
	});
	return isShared
		? { results, note: describeSearches(answered, { total: rows.length, requests }) }
		: { results };
}

/** Summarizes the requests of several rows, and names the rows without tickets. */
function describeSearches(
	answered: ReadonlyArray<{ readonly answer: SearchResult; readonly position: number }>,
	{ total, requests }: { readonly total: number; readonly requests: number },
): string {
	const tickets = answered.reduce((sum, { answer }) => sum + answer.rows.length, 0);
	const empty = answered.filter(({ answer }) => answer.rows.length === 0);
	const positions = empty.map(({ position }) => position);
	const names = formatRows(positions, { total, max: 5 });
	const none = empty.length > 0 ? `. ${names} found no tickets` : '';
	return `${plural(total, 'row')}, ${plural(requests, 'request')}: ${plural(tickets, 'ticket')}${none}`;
}

/** Summarizes the tickets and the requests of one search, and the way of reading. */
function describeSearch({ rows, way, isPartial }: SearchResult, requests: number): string {
	const how = requests > 1 && way ? `, read ${way}` : '';
	const more = isPartial ? `. More match: raise 'Limit' or use 'Return All'` : '';
	return `${plural(rows.length, 'ticket')}, ${plural(requests, 'request')}${how}${more}`;
}
