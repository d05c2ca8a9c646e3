import chunk from 'lodash/chunk';
import groupBy from 'lodash/groupBy';
import maxBy from 'lodash/maxBy';
import memoize from 'lodash/memoize';
import omit from 'lodash/omit';
import uniq from 'lodash/uniq';
import type { CallError } from '../../core/client';
import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import type { Column, Kind } from '../columns';
import { columnNames, columns } from '../columns';
import type { PageReader } from '../service/fetchPage';
import type { Question } from './query';
import { searchContractError } from './query';
import type { SearchResult } from './readTickets';
import { readTickets } from './readTickets';
import { comparable } from '../ticket';

/** Questions that differ in one value of a column, so one request with `in` can answer all; or one question. */
export interface Lookup {
	readonly column?: Column | undefined;
	readonly questions: readonly Question[];
}

const MAX_QUESTIONS = 100;

/** Kinds whose returned value shows exactly which questions a ticket answers. */
const EXACT: readonly Kind[] = ['identifier', 'number', 'priority', 'source', 'boolean'];

/** Groups the questions that can share requests: by the column that has the most different values. */
export function planLookups(questions: readonly Question[]): readonly Lookup[] {
	const countValues = memoize(
		(column: Column) => new Set(questions.map((question) => valueFor(question, column))).size,
	);
	const candidates = questions.map((question): Lookup => {
		const column = maxBy(sharedColumns(question), countValues);
		return { column, questions: [question] };
	});
	return Object.values(groupBy(candidates, lookupKey))
		.flatMap((group) => chunk(group, MAX_QUESTIONS))
		.map((group) => ({
			column: group[0]?.column,
			questions: group.flatMap((lookup) => lookup.questions),
		}));
}

/** The columns by whose value a question can share requests with others. */
const sharedColumns = ({ query, limit }: Question): Column[] =>
	// With a limit and ties, the first tickets depend on the service.
	limit !== undefined && query.sort.length > 0
		? []
		: columnNames.filter(
				(name) => EXACT.includes(columns[name].kind) && valueFor({ query }, name) !== undefined,
			);

/** The value of a question on a column whose only operator is `eq`. */
function valueFor({ query }: Question, column: Column): unknown {
	const { eq, ...more } = query.filters[column] ?? {};
	return Object.keys(more).length === 0 ? eq : undefined;
}

/** A key that is equal for questions that differ in the value of their column alone. */
const lookupKey = ({ column, questions }: Lookup): string =>
	JSON.stringify([
		column,
		questions.map(({ query, limit }) => [
			{ ...query, filters: omit(query.filters, column ?? []) },
			limit,
		]),
	]);

/** Reads a lookup with `in`; a question without a complete answer has to be asked alone. */
export async function readLookup(
	{ column = 'id', questions }: Lookup,
	reader: PageReader,
): Promise<Result<ReadonlyMap<Question, SearchResult>, CallError>> {
	const [first] = questions;
	if (!first) return ok(new Map());
	const { query, limit } = first;
	const toKey = (value: unknown): string => String(comparable(value, column));
	const values = uniq(questions.map((question) => valueFor(question, column)));
	const together: Question = {
		query: { ...query, filters: { ...query.filters, [column]: { in: values } } },
		...(limit !== undefined && { limit: limit * questions.length }),
	};
	// Without this limit, reading could cost more than separate requests.
	const { rows, failure, isPartial } = await readTickets(together, 0, reader);
	if (failure) return fail(failure);
	const byValue = groupBy(rows, (row) => toKey(row[column]));
	if (Object.keys(omit(byValue, values.map(toKey))).length > 0) {
		const message = `A ticket came whose ${columns[column].label} was not requested`;
		return fail(searchContractError(message));
	}
	const results = new Map<Question, SearchResult>();
	for (const question of questions) {
		const tickets = byValue[toKey(valueFor(question, column))] ?? [];
		const isComplete = isPartial !== true || tickets.length >= (limit ?? Infinity);
		if (isComplete) results.set(question, { rows: tickets.slice(0, limit) });
	}
	return ok(results);
}
