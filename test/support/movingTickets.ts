import fc from 'fast-check';
import { createClient, type Client } from '../../src/core/client';
import type { HttpResponse, HttpResult, Request } from '../../src/core/http';
import type { ReadResult } from '../../src/tickets/search/readInOrder';
import type { TicketSearch, SortRule } from '../../src/tickets/service/query';
import { uuidOf } from './samples';
import { answerSearch, type Habits } from './searchService';
import { compareBy, toMatcher, type TicketRow } from './tickets';

const START = Date.UTC(2026, 0, 1);
/** Times at which tickets may be closed. */
export const times = [1, 2, 3, 4].map((n) => new Date(START + n * 7_777_777).toISOString());
/** Statuses of tickets. */
export const statuses = [1, 2, 3].map((n) => uuidOf(0x1000 + n));
const titles = ['apple', 'Zebra', 'Äpfel', 'zebra', 'éclair', 'Apple', 't1', 't10', 't9'];

/** A ticket that depends on its number and a seed alone. */
export const drawTicket = (ticketNumber: number, seed = 0): TicketRow => {
	const drawn = Math.imul(ticketNumber + 31 * seed, 0x9e3779b1) >>> 0;
	return {
		ticketNumber,
		id: uuidOf(ticketNumber + 5_000),
		priority: ['low', 'high', 'urgent'][drawn % 3],
		statusId: statuses[(drawn >>> 3) % 3],
		isShared: (drawn >>> 5) % 2 > 0,
		createdAt: new Date(START + ((drawn >>> 6) % 500) * 60_000).toISOString(),
		closedAt: (drawn >>> 7) % 3 > 0 ? null : times[(drawn >>> 9) % 4],
		title: titles[(drawn >>> 11) % 9],
	};
};

/** Something that happens to one ticket right before a request is answered. */
interface Change {
	readonly kind: 'create' | 'delete' | 'change';
	readonly n: number;
}

/** A change of one of these kinds. */
export const changeOf = (...kinds: ReadonlyArray<Change['kind']>): fc.Arbitrary<Change> =>
	fc.record({ kind: fc.constantFrom(...kinds), n: fc.nat(1_000) });

/** More than any test sends: a search that never ends shall fail, not hang. */
const MAX_ANSWERED = 20_000;

const FORMAL: Habits = { spelling: 'formal', refusal: 400 };

/** A service whose tickets change before its requests. */
export class MovingTickets {
	/** The tickets as they were at each time, the last ones last. */
	readonly states: Array<readonly TicketRow[]>;

	private answered = 0;

	private readonly changes: ReadonlyArray<readonly Change[]>;

	constructor(tickets: readonly TicketRow[], changes: ReadonlyArray<readonly Change[]>) {
		this.states = [tickets];
		this.changes = changes;
	}

	/** A client of this service. Each response takes some turns, so parallel ones overtake each other. */
	client(habits = FORMAL, { delays = [0], fault = () => undefined }: Disturbance = {}): Client {
		let sent = 0;
		const send = async ({ body }: Request): Promise<HttpResult> => {
			sent += 1;
			const turns = delays[sent % delays.length] ?? 0;
			const text = JSON.stringify(body);
			const response = fault(text, sent) ?? this.answer(JSON.parse(text), habits);
			for (let turn = 0; turn <= turns; turn++) await Promise.resolve();
			return response;
		};
		const sleep = async () => await Promise.resolve();
		const { signal } = new AbortController();
		return createClient({ send, sleep, random: () => 0.5, now: () => 0, signal });
	}

	/** The response to a search, right after the changes before it. */
	answer(body: unknown, habits = FORMAL): HttpResponse {
		this.answered += 1;
		if (this.answered > MAX_ANSWERED) throw new Error('The requests do not come to an end');
		for (const change of this.changes[this.answered] ?? []) this.states.push(this.after(change));
		return answerSearch(this.states.at(-1) ?? [], body, habits);
	}

	private after({ kind, n }: Change): readonly TicketRow[] {
		const tickets = this.states.at(-1) ?? [];
		const one = tickets[n % Math.max(1, tickets.length)];
		if (kind === 'delete') return tickets.filter((row) => row !== one);
		if (kind === 'change')
			return tickets.map((row) => (row === one ? drawTicket(Number(row['ticketNumber']), n) : row));
		// A number that was there once is not given again.
		const isTaken = this.states.flat().some((row) => row['ticketNumber'] === n);
		return isTaken ? tickets : [...tickets, drawTicket(n, n)];
	}
}

interface Disturbance {
	readonly delays?: readonly number[];
	readonly fault?: (body: string, sent: number) => HttpResult | undefined;
}

const { compare } = new Intl.Collator('en');

/** Compares as Return All sorts: tickets without a value come last, texts as people sort them. */
const compareHere =
	(rules: readonly SortRule[]) =>
	(a: TicketRow, b: TicketRow): number => {
		for (const { column, direction } of rules) {
			const x = (a[column] ?? null) as string | null;
			const y = (b[column] ?? null) as string | null;
			if (x === y) continue;
			if (x === null || y === null) return x === null ? 1 : -1;
			const order = column === 'title' ? compare(x, y) : x < y ? -1 : 1;
			if (order !== 0) return direction === 'asc' ? order : -order;
		}
		return Number(a['ticketNumber']) - Number(b['ticketNumber']);
	};

const NEWEST_FIRST: readonly SortRule[] = [{ column: 'ticketNumber', direction: 'desc' }];

/** Compares an answer with what the tickets of all states allow; says whether the search succeeded. */
export function checkAnswer(
	{ query: { filters, sort, select }, limit }: TicketSearch,
	offset: number,
	{ rows, failure }: ReadResult,
	states: MovingTickets['states'],
): boolean {
	const isReturnAll = limit === undefined && offset === 0;
	// Only an order of the service may give up, and says so.
	if (failure) {
		const message = expect.stringContaining('moved between pages') as string;
		expect(failure).toMatchObject({ kind: 'contract', message });
		expect([states.length > 1, isReturnAll]).toEqual([true, false]);
		return false;
	}
	const order = (isReturnAll ? compareHere : compareBy)(sort.length > 0 ? sort : NEWEST_FIRST);
	const found = states.map((tickets) => tickets.filter(toMatcher(filters)));
	const [first = [], ...others] = found;
	if (others.length === 0) {
		const end = limit === undefined ? undefined : offset + limit;
		const shown = (row: TicketRow) => (select.length > 0 ? { title: row['title'] } : row);
		expect(rows).toEqual(first.sort(order).slice(offset, end).map(shown));
		return true;
	}
	if (select.length > 0 || offset > 0) return true;
	const ids = new Set(rows.map(({ id }) => id));
	expect([ids.size, rows.length <= (limit ?? Infinity)]).toEqual([rows.length, true]);
	expect(rows).toEqual(rows.toSorted(order));
	// Each row was a ticket that matched, as it was at some time.
	const known = new Set([...new Set(found.flat())].map((row) => JSON.stringify(row)));
	expect(rows.filter((row) => !known.has(JSON.stringify(row)))).toEqual([]);
	// What stayed as it was is there, up to the limit.
	const sets = others.map((some) => new Set(some));
	const stayed = first.filter((row) => sets.every((some) => some.has(row)));
	const last = rows.length === limit ? rows.at(-1) : undefined;
	const expected = stayed.filter((row) => !last || order(row, last) <= 0);
	expect(expected.filter(({ id }) => !ids.has(id))).toEqual([]);
	return true;
}
