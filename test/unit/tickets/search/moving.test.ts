import fc from 'fast-check';
import type { SortRule } from '../../../../src/tickets/search/query';
import { SEARCH_ENDPOINT } from '../../../../src/tickets/search/query';
import type { Client } from '../../../../src/core/client';
import { answerAll } from '../../../../src/tickets/search/answerAll';
import type { ReadResult } from '../../../../src/tickets/search/readPages';
import { SHIFTED } from '../../../../src/tickets/search/readPages';
import { pageSchema } from '../../../../src/tickets/service/fetchPage';
import type { Change, Moving } from '../../../support/movingTickets';
import { MovingTickets } from '../../../support/movingTickets';

const RUNS = 600;

const ticket =
	(salt: string) =>
	(ticketNumber: number, index: number): Moving => ({
		id: `${salt}${index}`,
		ticketNumber,
		matches: (index * 7) % 5 > 0,
		createdAt: new Date(
			Date.UTC(2026, 0, 1) + ((ticketNumber * 7919) % 500) * 60_000,
		).toISOString(),
		title: `t${(ticketNumber * 31) % 11}`,
	});

/** Numbers leave gaps. */
const tickets = fc
	.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 160 })
	.map((numbers) => numbers.map(ticket('a')));

const change: fc.Arbitrary<Change> = fc.oneof(
	fc.record({ kind: fc.constant('delete' as const), index: fc.nat(500) }),
	fc.record({ kind: fc.constant('flip' as const), index: fc.nat(500) }),
	fc
		.tuple(fc.integer({ min: 1, max: 450 }), fc.nat(1_000_000))
		.map(([number, salt]) => ({ kind: 'create' as const, ticket: ticket('b')(number, salt) })),
);

/** Mostly a few at once, and now and then a page and more. */
const changes = fc.array(
	fc.oneof(
		{ weight: 12, arbitrary: fc.array(change, { maxLength: 4 }) },
		{ weight: 1, arbitrary: fc.array(change, { minLength: 20, maxLength: 80 }) },
	),
	{ maxLength: 60 },
);

const schedule = fc.record({
	tickets,
	changes,
	pageSize: fc.integer({ min: 1, max: 20 }),
	parallelRequests: fc.integer({ min: 1, max: 12 }),
	delays: fc.array(fc.nat(12), { minLength: 1, maxLength: 9 }),
});

type ReadSettings = Parameters<typeof answerAll>[1];

const wanted = (pageSize: number, parallelRequests: number): ReadSettings => ({
	offset: 0,
	pageSize,
	parallelRequests,
	timeoutMs: 120_000,
});

const NEWEST_FIRST: readonly SortRule[] = [{ column: 'ticketNumber', direction: 'desc' }];

/** Every ticket that matched from start to end is there once, no ticket twice. */
function expectComplete(read: readonly unknown[], moving: MovingTickets): void {
	expect(new Set(read).size).toBe(read.length);
	expect([...moving.stayed].filter((id) => !read.includes(id))).toEqual([]);
}

/** Compares as a sort does; without one, the newest come first. */
const byKey =
	(sort: readonly SortRule[]) =>
	(a: Moving, b: Moving): number => {
		for (const { column, direction } of sort.length > 0 ? sort : NEWEST_FIRST) {
			const [x, y] = [a[column as keyof Moving], b[column as keyof Moving]];
			if (x !== y) return (x < y ? -1 : 1) * (direction === 'asc' ? 1 : -1);
		}
		return 0;
	};

/** Also those that came or went meanwhile stand where they belong. */
const expectOrder = (rows: readonly object[], sort: readonly SortRule[]): void =>
	expect(rows).toEqual([...(rows as readonly Moving[])].sort(byKey(sort)));

const sorts: Array<[string, readonly SortRule[]]> = [
	['without a sort', []],
	['by time', [{ column: 'createdAt', direction: 'desc' }]],
	['by text, which only the service can order', [{ column: 'title', direction: 'asc' }]],
];

type Drawn = typeof schedule extends fc.Arbitrary<infer T> ? T : never;

interface Wanted extends ReadSettings {
	readonly limit?: number;
}

/** Reads one search as a run with one row does, up to a limit if there is one. */
async function readAlone(
	sort: readonly SortRule[],
	{ limit, ...settings }: Wanted,
	client: Client,
): Promise<ReadResult> {
	const query = { filters: {}, sort, select: [] };
	const question = { query, ...(limit !== undefined && { limit }) };
	const { answers } = await answerAll([question], settings, client);
	return { rows: [], ...answers[0] };
}

/** Reads in an order, all or up to a limit, while tickets move as drawn. */
async function readWhile(drawn: Drawn, sort: readonly SortRule[], limit?: number) {
	const { tickets: start, changes: plan, pageSize, parallelRequests, delays } = drawn;
	const moving = new MovingTickets(start, plan);
	const reading = await readAlone(
		sort,
		{ ...wanted(pageSize, parallelRequests), ...(limit !== undefined && { limit }) },
		moving.client(delays),
	);
	// Only an order of the service may give up, and says so.
	if (reading.failure) expect([sort[0]?.column, reading.failure]).toEqual(['title', SHIFTED]);
	expectOrder(reading.rows, sort);
	return { ...reading, moving };
}

it.each(sorts)('reads every ticket once while they come, go and change, %s', async (_, sort) => {
	let whole = 0;
	await fc.assert(
		fc.asyncProperty(schedule, async (drawn) => {
			const { rows, moving, failure } = await readWhile(drawn, sort);
			if (failure) return;
			whole += 1;
			expectComplete(
				rows.map(({ id }) => id),
				moving,
			);
		}),
		{ numRuns: RUNS },
	);
	expect(whole).toBeGreaterThan(RUNS / 4);
});

it.each(sorts)(
	'gives the first tickets of an order, without a hole, while they come, go and change, %s',
	async (_, sort) => {
		await fc.assert(
			fc.asyncProperty(schedule, fc.integer({ min: 1, max: 120 }), async (drawn, limit) => {
				const { rows, moving, failure } = await readWhile(drawn, sort, limit);
				if (failure) return;
				expect(rows.length).toBeLessThanOrEqual(limit);
				const last = rows[limit - 1] as unknown as Moving | undefined;
				const before = drawn.tickets.filter((one) => !last || byKey(sort)(one, last) < 0);
				const missed = before.filter(
					({ id }) => moving.stayed.has(id) && !rows.some((row) => row['id'] === id),
				);
				expect(missed).toEqual([]);
			}),
			{ numRuns: RUNS },
		);
	},
);

it('would see a hole: pages by offset without overlap lose tickets', async () => {
	const naive = fc.asyncProperty(schedule, async ({ tickets: start, changes: plan, pageSize }) => {
		const moving = new MovingTickets(start, plan);
		const client = moving.client();
		const read: unknown[] = [];
		for (let offset = 0; ; offset += pageSize) {
			const sort = [{ field: 'ticketNumber', direction: 'asc' }];
			const body = { sort, pagination: { limit: pageSize, offset } };
			const page = await client.call({ ...SEARCH_ENDPOINT, body, idempotent: true }, pageSchema);
			if (!page.ok) break;
			read.push(...page.value.data.map(({ id }) => id));
			if (!page.value.metadata.hasNextPage) break;
		}
		expectComplete([...new Set(read)], moving);
	});
	await expect(fc.assert(naive, { numRuns: RUNS })).rejects.toThrow('Property failed');
});

const still = (numbers: readonly number[]) =>
	new MovingTickets(
		numbers.map((ticketNumber, i) => ({ ...ticket('a')(ticketNumber, i), matches: true })),
		[],
	);

it.each([1, 2, 3, 7])('reads tickets that share a number in pages of %i', async (pageSize) => {
	const moving = still([1, 1, 1, 1, 2, 3, 3, 3, 3, 3, 3]);
	const { rows } = await readAlone([], wanted(pageSize, 3), moving.client());
	expect(rows).toHaveLength(11);
});

it.each([1, 2, 3, 4])('misses none of them when two go before request %i', async (nth) => {
	const same = Array.from({ length: 9 }, (_, i) => ({ ...ticket('a')(1, i), matches: true }));
	const changes = Array.from({ length: nth + 3 }, (_, i): Change[] =>
		i === nth + 2 ? [0, 0].map((index) => ({ kind: 'delete', index })) : [],
	);
	const moving = new MovingTickets(same, changes);
	const { rows, failure } = await readAlone([], wanted(3, 1), moving.client());
	expect(failure).toBeUndefined();
	expectComplete(
		rows.map(({ id }) => id),
		moving,
	);
});
