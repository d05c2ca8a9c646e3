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

/** Questions that differ in the value of one `eq`, so one request with `in` can answer all. */
export interface Lookup {
	readonly column: Column;
	readonly questions: readonly Question[];
}

const MAX_VALUES = 100;

/** Kinds whose returned value shows exactly which questions a ticket answers. */
const EXACT: readonly Kind[] = ['identifier', 'number', 'priority', 'source', 'boolean'];

/** Groups the questions that can share requests; every other question is in no group. */
export function planLookups(questions: readonly Question[]): readonly Lookup[] {
	const candidates = questions.map(candidatesFor);
	const groups = groupBy(candidates.flat(), 'key');
	const best = candidates.flatMap((some) => maxBy(some, ({ key }) => groups[key]?.length) ?? []);
	return Object.values(groupBy(best, 'key'))
		.filter(({ length }) => length > 1)
		.flatMap((group) =>
			chunk(group, MAX_VALUES).map((part) => ({
				column: part[0]?.column ?? 'id',
				questions: part.map(({ question }) => question),
			})),
		);
}

/** The columns by which a question could be grouped; the key is equal for questions of one group. */
function candidatesFor(question: Question) {
	const { query, limit } = question;
	const { filters, sort, select } = query;
	// Of a limit in an order with ties, only the service knows which tickets come first.
	if (limit !== undefined && sort.length > 0) return [];
	return columnNames
		.filter((name) => EXACT.includes(columns[name].kind) && valueFor(question, name) !== undefined)
		.map((column) => {
			const others = omit(filters, column);
			const key = JSON.stringify([column, others, sort, select, limit === undefined]);
			return { question, column, key };
		});
}

/** The value of a question on a column whose only operator is `eq`. */
function valueFor({ query }: Question, column: Column): unknown {
	const { eq, ...others } = query.filters[column] ?? {};
	return Object.keys(others).length === 0 ? eq : undefined;
}

/** The answers to a lookup; a question that is missing has to be asked alone. */
export type LookupAnswers = ReadonlyMap<Question, SearchResult>;

/** Reads a lookup with `in`; with limits it reads the newest tickets until each question has enough. */
export async function readLookup(
	lookup: Lookup,
	reader: PageReader,
): Promise<Result<LookupAnswers, CallError>> {
	const { column, questions } = lookup;
	const [{ query } = { query: { filters: {}, sort: [], select: [] } }] = questions;
	const values = uniq(questions.map((question) => valueFor(question, column)));
	const select = query.select.length > 0 ? uniq([...query.select, column]) : [];
	const filters = { ...query.filters, [column]: { in: values } };
	const isLimited = questions.some(({ limit }) => limit !== undefined);
	// More pages than questions would cost more than to ask each alone.
	const isEnough = (rows: readonly Ticket[]): boolean => {
		const answers = handOut(lookup, rows);
		const isSettled = ({ limit = 0 }: Question, own: readonly Ticket[]) => own.length >= limit;
		return (
			rows.length >= questions.length * reader.pageSize ||
			questions.every((question) => isSettled(question, answers(question)))
		);
	};
	const wanted = { offset: 0, ...(isLimited && { isEnough }) };
	const { rows, failure, isPartial } = await readTickets(
		{ ...query, filters, select },
		wanted,
		reader,
	);
	if (failure) return fail(failure);
	const asked = new Set(values.map((value) => comparable(value, column)));
	if (!rows.every((row) => asked.has(comparable(row[column], column))))
		return fail(strayTicket(column));
	const answers = handOut(lookup, rows);
	const settled = questions.filter(
		(question) => isPartial !== true || answers(question).length >= (question.limit ?? Infinity),
	);
	return ok(
		new Map(
			settled.map((question) => {
				const own = answers(question).slice(0, question.limit);
				return [question, { rows: selectColumns(own, query.select) }];
			}),
		),
	);
}

/** Tells which tickets answer a question, in their order. */
function handOut(
	{ column }: Lookup,
	rows: readonly Ticket[],
): (question: Question) => readonly Ticket[] {
	const byValue = groupBy(rows, (row) => comparable(row[column], column));
	return (question) => byValue[String(comparable(valueFor(question, column), column))] ?? [];
}

const strayTicket = (column: Column): CallError =>
	searchContractError(`A ticket came whose ${columns[column].label} was not requested`);
