import { chunk, groupBy, isEqual, maxBy, memoize, omit, uniq, uniqBy } from 'lodash';
import { mapConcurrent } from '../../core/concurrency';
import { listColumns, type Column } from '../columns';
import type { PageReader } from '../service/fetchPage';
import { toComparable } from '../ticket';
import type { Question } from './query';
import type { ReadResult } from './readPages';
import { readTickets } from './readTickets';

/** Questions that differ in one value of a column, so one request with `in` can answer all; or one question. */
export interface Lookup {
	readonly column?: Column;
	readonly questions: readonly Question[];
}

const MAX_QUESTIONS = 100;

/** Columns whose returned value shows exactly which questions a ticket answers. */
const EXACT = listColumns('identifier', 'number', 'priority', 'source', 'boolean');

/** Groups distinct questions that can share requests: by the column in which they have the most different values. */
export function planLookups(questions: readonly Question[]): readonly Lookup[] {
	const countValues = memoize(
		(column: Column) => uniqBy(questions, (question) => valueFor(question, column)).length,
	);
	const byColumn = groupBy(questions, (question) => {
		const shared = EXACT.filter((column) => valueFor(question, column) !== undefined);
		// A combined search may order equal tickets in another way, so a limit would keep other ones.
		const dependsOnOrder = question.limit !== undefined && question.query.sort.length > 0;
		return dependsOnOrder ? undefined : maxBy(shared, countValues);
	});
	return Object.entries(byColumn).flatMap(([name, sameColumn]) => {
		// Without a column the name is 'undefined'. Then each group has one question, because the questions are distinct.
		const column = name as Column;
		const groups = groupBy(sameColumn, ({ query, limit }) =>
			JSON.stringify([{ ...query, filters: omit(query.filters, column) }, limit]),
		);
		return Object.values(groups).flatMap((group) =>
			chunk(group, MAX_QUESTIONS).map((part) => ({ column, questions: part })),
		);
	});
}

/** The operand of `eq` on a column; undefined if the question has another operator there, or none. */
function valueFor({ query }: Question, column: Column): unknown {
	const operands = query.filters[column] ?? {};
	return isEqual(Object.keys(operands), ['eq']) ? operands.eq : undefined;
}

/**
 * Answers questions that differ only in `column` by one search, and unanswered ones by separate searches. Halves a list that is rejected. `offset` is
 * the number of tickets to skip, always 0 for several questions. `column` has no meaning for one question.
 */
export async function answerLookup(
	{ column = 'id', questions }: Lookup,
	offset: number,
	reader: PageReader,
): Promise<ReadonlyArray<readonly [Question, ReadResult]>> {
	const [first, second] = questions;
	if (!first) return [];
	if (!second) return [[first, await readTickets(first, offset, reader)]];
	const { query, limit } = first;
	const values = uniq(questions.map((question) => valueFor(question, column)));
	const filters = { ...query.filters, [column]: { in: values } };
	// One customer may have thousands of tickets, so the search reads only as many as separate ones would.
	const combinedLimit = limit !== undefined && { limit: limit * questions.length };
	const together = { query: { ...query, filters }, ...combinedLimit };
	const { rows, failure, isPartial } = await readTickets(together, offset, reader);
	if (failure?.kind === 'api' && MAYBE_TOO_LONG.includes(failure.status)) {
		const halves = chunk(questions, Math.ceil(questions.length / 2));
		const read = halves.map((half) => answerLookup({ column, questions: half }, offset, reader));
		return (await Promise.all(read)).flat();
	}
	const byValue = groupBy(rows, (row) => toComparable(row[column], column));
	// A ticket without a readable value may answer any question.
	const isComplete = isPartial !== true && byValue['undefined'] === undefined;
	return await mapConcurrent(questions, reader.concurrency, async (question) => {
		if (failure) return [question, { rows: [], failure }];
		const tickets = byValue[String(toComparable(valueFor(question, column), column))] ?? [];
		const max = limit ?? Infinity;
		// `max` tickets are enough, because both searches have one order. Fewer may not be all, so they are read separately.
		if (isComplete || tickets.length >= max)
			return [
				question,
				{ rows: tickets.slice(0, max), isPartial: !isComplete || tickets.length > max },
			];
		return [question, await readTickets(question, offset, reader)];
	});
}

/** The answers of a service to a list of values that may be longer than it accepts. */
const MAYBE_TOO_LONG = [400, 413, 414, 422];
