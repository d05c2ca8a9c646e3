import fc from 'fast-check';
import type { HttpResult, HttpResponse, Request } from '../../../../src/core/http';
import { runSearches } from '../../../../src/tickets/search/runSearches';
import type { TicketSearch, SortRule } from '../../../../src/tickets/service/query';
import { lost, reply } from '../../../support/fakeRuntime';
import { propertyRuns } from '../../../support/propertyRuns.mjs';
import { uuidOf } from '../../../support/samples';
import { sorts, compareBy, toMatcher, type TicketRow } from '../../../support/tickets';
import { createClient, type Client } from '../../../../src/core/client';
import type { ReadResult } from '../../../../src/tickets/search/readInOrder';
import { answerSearch, type Habits } from '../../../support/searchService';

const START = Date.UTC(2026, 0, 1);
/** Times at which tickets may be closed. */
const times = [1, 2, 3, 4].map((n) => new Date(START + n * 7_777_777).toISOString());
/** Statuses of tickets. */
const statuses = [1, 2, 3].map((n) => uuidOf(0x1000 + n));
const titles = ['apple', 'Zebra', 'Äpfel', 'zebra', 'éclair', 'Apple', 't1', 't10', 't9'];

/** A ticket that depends on its number and a seed alone. */
const drawTicket = (ticketNumber: number, seed = 0): TicketRow => {
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

/** A change of one ticket right before a request is answered. */
interface Change {
	readonly kind: 'create' | 'delete' | 'change';
	readonly n: number;
}

/** A change of one of these kinds. */
const changeOf = (...kinds: ReadonlyArray<Change['kind']>): fc.Arbitrary<Change> =>
	fc.record({ kind: fc.constantFrom(...kinds), n: fc.nat(1_000) });

/** More than any test sends: a search that never ends shall fail, not hang. */
const MAX_ANSWERED = 20_000;

const FORMAL: Habits = { spelling: 'formal', refusal: 400 };

/** A service whose tickets change before its requests. */
class MovingTickets {
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

/** Compares in the order of Return All: tickets without a value are last, texts are sorted as people do. */
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

/** Compares a result with the tickets of all states; returns whether the search succeeded. */
function checkAnswer(
	{ query: { filters, sort, select }, limit }: TicketSearch,
	offset: number,
	{ rows, failure }: ReadResult,
	states: MovingTickets['states'],
): boolean {
	const isReturnAll = limit === undefined && offset === 0;
	// Only a search that the service sorts may give up, with this message.
	if (failure) {
		const message = expect.stringContaining('moved between pages') as string;
		expect(failure).toMatchObject({ kind: 'contract', message });
		expect([states.length > 1, isReturnAll]).toEqual([true, false]);
		return false;
	}
	const order = (isReturnAll ? compareHere : compareBy)(sort.length > 0 ? sort : NEWEST_FIRST);
	const matching = states.map((tickets) => tickets.filter(toMatcher(filters)));
	const [first = [], ...laterMatching] = matching;
	if (laterMatching.length === 0) {
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
	const seenTexts = new Set([...new Set(matching.flat())].map((row) => JSON.stringify(row)));
	expect(rows.filter((row) => !seenTexts.has(JSON.stringify(row)))).toEqual([]);
	// Tickets that never changed are returned, up to the limit.
	const sets = laterMatching.map((some) => new Set(some));
	const stayed = first.filter((row) => sets.every((some) => some.has(row)));
	const last = rows.length === limit ? rows.at(-1) : undefined;
	const expected = stayed.filter((row) => !last || order(row, last) <= 0);
	expect(expected.filter(({ id }) => !ids.has(id))).toEqual([]);
	return true;
}

const { constant, constantFrom, integer, nat, oneof, record } = fc;

const operand: fc.Arbitrary<object> = oneof(
	record({ priority: record({ eq: constantFrom('low', 'high', 'urgent') }) }),
	record({ priority: record({ in: constant(['low', 'urgent']) }) }),
	record({ statusId: record({ eq: constantFrom(...statuses, uuidOf(1)) }) }),
	record({ statusId: record({ ne: constantFrom(...statuses) }) }),
	record({ ticketNumber: record({ eq: integer({ min: 1, max: 300 }) }) }),
	record({ ticketNumber: record({ gte: integer({ min: 1, max: 300 }) }) }),
	record({ isShared: record({ eq: fc.boolean() }) }),
	record({ closedAt: record({ isNull: fc.boolean() }) }),
	record({ createdAt: record({ lt: constantFrom(...times) }) }),
	record({ title: record({ iLike: constantFrom('%t1%', '%e%') }) }),
);

const question: fc.Arbitrary<TicketSearch> = record({
	query: record({
		filters: fc.array(operand, { maxLength: 2 }).map((all) => Object.assign({}, ...all) as object),
		sort: oneof(constant([]), sorts),
		select: constantFrom<Array<'title'>>([], [], ['title']),
	}),
	limit: oneof(constant(undefined), constant(undefined), integer({ min: 1, max: 120 })),
}).map(({ query, limit }) => ({ query, ...(limit !== undefined && { limit }) }));

const fault = constantFrom<Array<HttpResult | undefined>>(
	undefined,
	undefined,
	undefined,
	undefined,
	undefined,
	undefined,
	reply(429),
	reply(503),
	reply(500),
	lost(),
);

const anyChange = changeOf('create', 'delete', 'change');

/** The changes before each request: none, a few, sometimes more than a page, or always one delete. */
const changes = oneof(
	constant([]),
	fc.array(
		oneof(
			{ weight: 12, arbitrary: fc.array(anyChange, { maxLength: 4 }) },
			{ weight: 1, arbitrary: fc.array(anyChange, { minLength: 20, maxLength: 80 }) },
		),
		{ maxLength: 60 },
	),
	fc.array(fc.array(changeOf('delete'), { minLength: 1, maxLength: 2 }), {
		minLength: 200,
		maxLength: 200,
	}),
);

const world = record({
	numbers: fc.uniqueArray(oneof(integer({ min: 1, max: 300 }), nat(2_000_000)), {
		maxLength: 130,
		size: 'max',
	}),
	questions: fc.array(question, { minLength: 1, maxLength: 8 }),
	spelling: constantFrom('formal' as const, 'narrative' as const),
	refusal: constantFrom(400 as const, 422 as const),
	faults: fc.array(fault, { minLength: 1, maxLength: 12 }),
	changes,
	delays: fc.array(nat(12), { minLength: 1, maxLength: 9 }),
	pageSize: constantFrom(1, 2, 7, 20, 100),
	parallelRequests: integer({ min: 1, max: 12 }),
	offset: constantFrom(0, 0, 0, 0, 3),
});

type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

const seen = { searches: 0, whole: 0, given: 0 };

/** Answers the questions of a world, and compares the answers with all that a run could see. */
async function checkWorld({ numbers, questions, faults, delays, ...drawn }: World) {
	const { spelling, refusal, changes: moves, ...settings } = drawn;
	const moving = new MovingTickets(
		numbers.map((number) => drawTicket(number)),
		moves,
	);
	/** How often each body failed: a read is sent again up to five times. */
	const failed = new Map<string, number>();
	const failAtTimes = (body: string, sent: number) => {
		const count = failed.get(body) ?? 0;
		const broken = count < 2 ? faults[sent % faults.length] : undefined;
		if (broken) failed.set(body, count + 1);
		return broken;
	};
	const client = moving.client({ spelling, refusal }, { delays, fault: failAtTimes });
	const { results: answers } = await runSearches(
		questions,
		{ ...settings, timeoutMs: 1_000 },
		client,
	);
	for (const [i, one] of questions.entries()) {
		const answer = answers[i] ?? { rows: [] };
		seen.searches += 1;
		seen.given += answer.rows.length;
		if (checkAnswer(one, drawn.offset, answer, moving.states)) seen.whole += 1;
	}
}

/** Tickets change their order, but the last one that was read keeps its place. */
const SWAPPED: World = {
	numbers: [15, 1, 5, 31],
	questions: [
		{
			query: { filters: {}, sort: [{ column: 'createdAt', direction: 'desc' }], select: [] },
			limit: 3,
		},
	],
	spelling: 'formal',
	refusal: 400,
	faults: [undefined],
	changes: [[], [], [822, 388].map((n) => ({ kind: 'change', n }))],
	delays: [0],
	pageSize: 1,
	parallelRequests: 1,
	offset: 0,
};

it('answers random searches of a documented service as its tickets allow', async () => {
	await fc.assert(fc.asyncProperty(world, checkWorld), {
		...propertyRuns(2_400, 6),
		examples: [[SWAPPED]],
	});
	expect(seen.whole).toBeGreaterThan(0.7 * seen.searches);
	expect(seen.given).toBeGreaterThan(2 * seen.searches);
}, 600_000);

const all: TicketSearch = { query: { filters: {}, sort: [], select: [] } };

it.each([1, 2, 3, 7])('reads tickets that share a number in pages of %i', async (pageSize) => {
	const numbers = [1, 1, 1, 1, 2, 3, 3, 3, 3, 3, 3];
	const rows = numbers.map((number, i) => ({ ...drawTicket(number), id: uuidOf(i) }));
	for (const limit of [undefined, 100]) {
		const moving = new MovingTickets(rows, []);
		const settings = { pageSize, parallelRequests: 3, offset: 0, timeoutMs: 1_000 };
		const shared = { ...all, ...(limit !== undefined && { limit }) };
		const { results } = await runSearches([shared], settings, moving.client());
		expect(results[0]?.rows.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id));
	}
});
