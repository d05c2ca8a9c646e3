import chunk from 'lodash/chunk';
import groupBy from 'lodash/groupBy';
import maxBy from 'lodash/maxBy';
import omit from 'lodash/omit';
import uniq from 'lodash/uniq';
import type { CallError } from '../../core/client';
import { fail, ok } from '../../core/result';
import type { Result } from '../../core/result';
import type { Column, Kind } from '../columns';
import { columnNames, columns } from '../columns';
import type { PageReader } from '../service/fetchPage';
import { comparable } from '../service/values';
import type { Ticket } from '../ticket';
import type { Query } from './query';
import { searchContractError } from './query';
import type { SearchResult } from './readTickets';
import { readTickets, selectColumns } from './readTickets';

/** One search of a run: what is requested, and how many tickets are wanted (all without a limit). */
export interface Question {
	readonly query: Query;
	readonly limit?: number;
}

/** Questions that differ in the value of one `eq`, so one request with `in` can answer all; or one question. */
export interface Lookup {
	readonly column: Column;
	readonly questions: readonly Question[];
}

const MAX_VALUES = 100;

/** Kinds whose returned value shows exactly which questions a ticket answers. */
const EXACT: readonly Kind[] = ['identifier', 'number', 'priority', 'source', 'boolean'];

/** Groups the questions that can share requests; every other question is alone. */
export function planLookups(questions: readonly Question[]): readonly Lookup[] {
	const candidates = questions.map(candidatesFor);
	const groups = groupBy(candidates.flat(), 'key');
	const best = candidates.flatMap((some) => maxBy(some, ({ key }) => groups[key]?.length) ?? []);
	return Object.values(groupBy(best, 'key')).flatMap((group) =>
		chunk(group, MAX_VALUES).map((part) => ({
			column: part[0]?.column ?? 'id',
			questions: part.map(({ question }) => question),
		})),
	);
}

/** The columns by which a question can be grouped, or none; the key is equal for questions of one group. */
function candidatesFor(
	question: Question,
): ReadonlyArray<{ question: Question; column: Column; key: string }> {
	const { filters, sort, select } = question.query;
	const isAll = question.limit === undefined;
	const shared = columnNames.filter(
		(name) => EXACT.includes(columns[name].kind) && valueFor(question, name) !== undefined,
	);
	const alone = { question, column: 'id', key: JSON.stringify(question) } as const;
	// Of a limit in an order with ties, only the service knows which tickets come first.
	if (!isAll && sort.length > 0) return [alone];
	const together = shared.map((column) => {
		const key = JSON.stringify([column, omit(filters, column), sort, select, isAll]);
		return { question, column, key };
	});
	return [...together, alone];
}

/** The value of a question on a column whose only operator is `eq`. */
function valueFor({ query }: Question, column: Column): unknown {
	const { eq, ...others } = query.filters[column] ?? {};
	return Object.keys(others).length === 0 ? eq : undefined;
}

/** Reads a lookup with `in`; a question without an answer has to be asked alone. */
export async function readLookup(
	{ column, questions }: Lookup,
	reader: PageReader,
): Promise<Result<ReadonlyMap<Question, SearchResult>, CallError>> {
	const [first] = questions;
	if (!first) return ok(new Map());
	const { query, limit } = first;
	const toKey = (value: unknown): string => String(comparable(value, column));
	const handOut = (rows: readonly Ticket[]) => {
		const byKey = groupBy(rows, (row) => toKey(row[column]));
		return questions.map((question) => ({
			question,
			tickets: byKey[toKey(valueFor(question, column))] ?? [],
		}));
	};
	const hasEnough = ({ question, tickets }: ReturnType<typeof handOut>[number]): boolean =>
		tickets.length >= (question.limit ?? Infinity);
	// More pages than questions would cost more than to ask each alone.
	const isEnough = (rows: readonly Ticket[]): boolean =>
		rows.length >= questions.length * reader.pageSize || handOut(rows).every(hasEnough);
	const values = uniq(questions.map((question) => valueFor(question, column)));
	const { rows, failure, isPartial } = await readTickets(
		{
			filters: { ...query.filters, [column]: { in: values } },
			sort: query.sort,
			select: query.select.length > 0 ? uniq([...query.select, column]) : [],
		},
		{ offset: 0, ...(limit !== undefined && { isEnough }) },
		reader,
	);
	if (failure) return fail(failure);
	const asked = new Set(values.map(toKey));
	const isStray = (row: Ticket): boolean => !asked.has(toKey(row[column]));
	if (rows.some(isStray)) {
		const message = `A ticket came whose ${columns[column].label} was not requested`;
		return fail(searchContractError(message));
	}
	const answered = handOut(rows).filter((each) => isPartial !== true || hasEnough(each));
	return ok(
		new Map(
			answered.map(({ question, tickets }) => [
				question,
				{ rows: selectColumns(tickets.slice(0, question.limit), query.select) },
			]),
		),
	);
}
