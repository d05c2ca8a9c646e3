import fc from 'fast-check';
import castArray from 'lodash/castArray';
import mapValues from 'lodash/mapValues';
import memoize from 'lodash/memoize';
import pick from 'lodash/pick';
import type { HttpResponse } from '../../src/core/http';
import type { SortRule } from '../../src/tickets/service/query';
import type { Ticket } from '../../src/tickets/ticket';
import { reply } from './fakeRuntime';
import { listOf, members } from './samples';

/** A ticket as a test describes it. */
export type TicketRow = Readonly<Record<string, unknown>>;

/** The n-th ticket. */
export const ticket = <More extends object>(
	n: number,
	more?: More,
): { id: string; ticketNumber: number } & More => ({
	id: `t${n}`,
	ticketNumber: n,
	...(more ?? ({} as More)),
});

/** Tickets that hold these values in a column, and nothing else. */
export const rowsOf = (column: string, ...values: readonly unknown[]): Ticket[] =>
	values.map((value) => ({ [column]: value }) as Ticket);

/** A sort by one column. */
export const by = (column: string, direction = 'asc'): SortRule[] =>
	[{ column, direction }] as SortRule[];

/** Sorts by up to two columns of different kinds. */
export const sorts: fc.Arbitrary<SortRule[]> = fc.uniqueArray(
	fc.record<SortRule>({
		column: fc.constantFrom(
			'ticketNumber',
			'createdAt',
			'closedAt',
			'isShared',
			'priority',
			'title',
		),
		direction: fc.constantFrom('asc', 'desc'),
	}),
	{ selector: ({ column }) => column, maxLength: 2 },
);

/** The numbers from 1 to `count`. */
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

/** The body of a page of tickets. */
const pageBody = (data: readonly unknown[], hasNextPage = false): object => ({
	data,
	metadata: { hasNextPage },
});

/** A page of tickets, as the fake runtime responds with it. */
export const page = (data: readonly unknown[], hasNextPage = false): HttpResponse =>
	reply(200, pageBody(data, hasNextPage));

/** A page of tickets, as the service at the edge of the network responds with it. */
export const scriptedPage = (data: readonly unknown[], hasNextPage = false) => ({
	status: 200,
	body: pageBody(data, hasNextPage),
});

/** The part of the result that a search wants. */
export function pagination(body: unknown): { readonly limit: number; readonly offset: number } {
	const { limit, offset } = members(members(body)['pagination']);
	return { limit: Number(limit), offset: Number(offset) };
}

type Rows = readonly [rows: readonly TicketRow[], hasNextPage: boolean];

const timeOf = memoize((text: string): string | number => {
	const ms = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(ms) ? text : ms;
});

const comparable = (value: unknown): unknown => (typeof value === 'string' ? timeOf(value) : value);

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

/** Makes a test of tickets: whether they match filters. */
export function toMatcher(filters: object): (row: TicketRow) => boolean {
	const tests = Object.entries(filters).flatMap(([column, operands]) =>
		Object.entries(members(operands)).map(
			([operator, operand]) => [column, operators[operator] ?? (() => false), operand] as const,
		),
	);
	return (row) => tests.every(([column, test, operand]) => test(row[column] ?? null, operand));
}

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

/** The operators that readers add by themselves. Conditions of a test are heeded by `answerSearch` only. */
const READERS = ['gt', 'gte', 'lt', 'lte', 'isNull', 'notIn'];

const readersOf = (body: unknown): object =>
	mapValues(members(members(body)['filters']), (operands) => pick(members(operands), READERS));

/** The page of tickets that a search finds among these, as the service filters, sorts and pages. */
export function findTickets(
	tickets: readonly TicketRow[],
	body: unknown,
	filters = readersOf(body),
): Rows {
	const { limit, offset } = pagination(body);
	const rules = listOf(body, 'sort').map(members);
	const matching = tickets.filter(toMatcher(filters)).sort(
		compareBy(
			rules.map(({ field, column = field, direction }) => ({
				column: String(column),
				direction: String(direction),
			})),
		),
	);
	return [matching.slice(offset, offset + limit), offset + limit < matching.length];
}

/** The response of the fake runtime to a search among these tickets. */
export const searchPage = (tickets: readonly TicketRow[], body: unknown): HttpResponse =>
	page(...findTickets(tickets, body));
