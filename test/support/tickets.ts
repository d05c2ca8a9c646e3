import fc from 'fast-check';
import type { HttpResponse } from '../../src/core/http';
import type { SortRule } from '../../src/tickets/search/query';
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
	...{ id: `t${n}`, ticketNumber: n },
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
			...(['ticketNumber', 'createdAt', 'closedAt', 'isShared', 'priority', 'title'] as const),
		),
		direction: fc.constantFrom('asc', 'desc'),
	}),
	{ selector: ({ column }) => column, maxLength: 2 },
);

/** Numbers from 0 to below a bound, always the same of one seed. */
export function drawing(seed: number): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
		return ((state >>> 0) % 65_521) % below;
	};
}

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

/** The page of these rows that a search wants, whatever its filters and sort. */
export function pageOf(rows: readonly TicketRow[], body: unknown): Rows {
	const { limit, offset } = pagination(body);
	return [rows.slice(offset, offset + limit), offset + limit < rows.length];
}

/** The page of tickets that a search finds among these, as the service filters, sorts and pages. */
export function findTickets(tickets: readonly TicketRow[], body: unknown): Rows {
	const filters = Object.entries(members(members(body)['filters']));
	const rules = listOf(body, 'sort').map(members);
	const found = tickets.filter((row) =>
		filters.every(([column, operands]) => matches(row[column] as Value, members(operands))),
	);
	found.sort((a, b) => {
		for (const rule of rules) {
			const column = String(rule['field'] ?? rule['column']);
			const [left, right] = [a[column] as Value, b[column] as Value];
			if (left !== right) return (left < right ? -1 : 1) * (rule['direction'] === 'desc' ? -1 : 1);
		}
		return 0;
	});
	return pageOf(found, body);
}

/** The response of the fake runtime to a search among these tickets. */
export const searchPage = (tickets: readonly TicketRow[], body: unknown): HttpResponse =>
	page(...findTickets(tickets, body));

type Value = string | number;

function matches(value: Value, operands: Readonly<Record<string, unknown>>): boolean {
	const { gt, gte, lt, lte } = operands as Partial<Record<string, Value>>;
	const excluded = listOf(operands, 'notIn');
	const isNull = (value ?? null) === null;
	return (
		(operands['isNull'] ?? isNull) === isNull &&
		(gt === undefined || value > gt) &&
		(gte === undefined || value >= gte) &&
		(lt === undefined || value < lt) &&
		(lte === undefined || value <= lte) &&
		!excluded.includes(value)
	);
}
