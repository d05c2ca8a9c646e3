import castArray from 'lodash/castArray';
import memoize from 'lodash/memoize';
import pick from 'lodash/pick';
import type { HttpResponse } from '../../src/core/http';
import { reply } from './fakeRuntime';
import { listOf, members } from './samples';
import type { TicketRow } from './tickets';
import { page, pagination } from './tickets';

/** What the document leaves open about a service. */
export interface Habits {
	readonly spelling: 'formal' | 'narrative';
	readonly refusal: 400 | 422;
}

const comparable = memoize((value: unknown): unknown => {
	if (typeof value !== 'string') return value;
	const ms = /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(ms) ? value : ms;
});

const like = (value: unknown, pattern: unknown): boolean => {
	const source = String(pattern)
		.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
		.replace(/%/g, '.*');
	return typeof value === 'string' && new RegExp(`^${source}$`, 'i').test(value);
};

const isOneOf = (value: unknown, operand: unknown): boolean =>
	castArray(operand).some((one) => comparable(one) === comparable(value));

/** The operators as a database knows them: null matches none but `isNull`. */
const operators: Readonly<Record<string, (value: unknown, operand: unknown) => boolean>> = {
	eq: isOneOf,
	in: isOneOf,
	ne: (value, operand) => value !== null && !isOneOf(value, operand),
	notIn: (value, operand) => value !== null && !isOneOf(value, operand),
	isNull: (value, operand) => (value === null) === operand,
	isNotNull: (value, operand) => (value !== null) === operand,
	gt: (value, operand) => value !== null && Number(comparable(value)) > Number(comparable(operand)),
	gte: (value, operand) =>
		value !== null && Number(comparable(value)) >= Number(comparable(operand)),
	lt: (value, operand) => value !== null && Number(comparable(value)) < Number(comparable(operand)),
	lte: (value, operand) =>
		value !== null && Number(comparable(value)) <= Number(comparable(operand)),
	iLike: like,
};

/** Whether a ticket matches filters. */
export const isMatch = (row: TicketRow, filters: object): boolean =>
	Object.entries(filters).every(([column, operands]) =>
		Object.entries(members(operands)).every(
			([operator, operand]) => operators[operator]?.(row[column] ?? null, operand) ?? false,
		),
	);

interface Rule {
	readonly column: string;
	readonly direction: string;
}

/** Compares tickets by the rules of a sort, ties by number; null comes last, as in a database. */
export const compareBy =
	(rules: readonly Rule[]) =>
	(a: TicketRow, b: TicketRow): number => {
		for (const { column, direction } of [...rules, { column: 'ticketNumber', direction: 'asc' }]) {
			const [x, y] = [a, b].map((row) => comparable(row[column] ?? null)) as [string, string];
			const sign = direction === 'asc' ? 1 : -1;
			if (x === y) continue;
			if (x === null || y === null) return x === null ? sign : -sign;
			return (x < y ? -1 : 1) * sign;
		}
		return 0;
	};

/** Answers a search as the interface describes it. */
export function answerSearch(
	tickets: readonly TicketRow[],
	body: unknown,
	{ spelling, refusal }: Habits,
): HttpResponse {
	const { filters, select } = members(body);
	const key = spelling === 'formal' ? 'field' : 'column';
	const rules = listOf(body, 'sort').map(members);
	const isRight =
		rules.every((rule) => key in rule) &&
		(select === undefined || Array.isArray(select) === (spelling === 'narrative'));
	if (!isRight) return reply(refusal, { code: 'BAD_REQUEST', message: 'Invalid input data' });
	const { limit, offset } = pagination(body);
	const sort = rules.map((rule) => ({
		column: String(rule[key]),
		direction: String(rule['direction']),
	}));
	const found = tickets.filter((row) => isMatch(row, members(filters))).sort(compareBy(sort));
	const columns = Array.isArray(select) ? (select as string[]) : Object.keys(members(select));
	const data = found.slice(offset, offset + limit);
	return page(
		columns.length > 0 ? data.map((row) => pick(row, columns)) : data,
		offset + limit < found.length,
	);
}
