import fc from 'fast-check';
import { runSearches } from '../../../../src/tickets/search/runSearches';
import type { TicketSearch, SortRule } from '../../../../src/tickets/service/query';
import { changeOf, checkAnswer, drawTicket, MovingTickets } from '../../../support/movingTickets';
import { uuidOf } from '../../../support/samples';
import type { TicketRow } from '../../../support/tickets';

const RUNS = 600;

const anyChange = changeOf('create', 'delete', 'change');

/** Mostly a few at once, and now and then a page and more. */
const changes = fc.array(
	fc.oneof(
		{ weight: 12, arbitrary: fc.array(anyChange, { maxLength: 4 }) },
		{ weight: 1, arbitrary: fc.array(anyChange, { minLength: 20, maxLength: 80 }) },
	),
	{ maxLength: 60 },
);

/** A delete before every request of the longest search. */
const deletes = fc.array(fc.array(changeOf('delete'), { minLength: 1, maxLength: 2 }), {
	minLength: 200,
	maxLength: 200,
});

const schedule = {
	numbers: fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 160 }),
	pageSize: fc.integer({ min: 1, max: 20 }),
	parallelRequests: fc.integer({ min: 1, max: 12 }),
	delays: fc.array(fc.nat(12), { minLength: 1, maxLength: 9 }),
	limit: fc.option(fc.integer({ min: 1, max: 120 }), { nil: undefined }),
};

const SHARED = { isShared: { eq: true } };
const BY_TIME: readonly SortRule[] = [{ column: 'createdAt', direction: 'desc' }];
const BY_TITLE: readonly SortRule[] = [{ column: 'title', direction: 'asc' }];

it.each([
	['while tickets come, go and change, without a sort', [], changes],
	['while tickets come, go and change, by time', BY_TIME, changes],
	['while tickets come, go and change, by title', BY_TITLE, changes],
	['while tickets go before every request, by title', BY_TITLE, deletes],
])('reads every ticket once, all and up to a limit, %s', async (_, sort, moves) => {
	const drawn = fc.record({ ...schedule, moves });
	const seen = { whole: 0, all: 0 };
	const property = fc.asyncProperty(
		drawn,
		async ({ numbers, moves, delays, limit, ...settings }) => {
			const moving = new MovingTickets(
				numbers.map((number) => drawTicket(number)),
				moves,
			);
			const query = { filters: SHARED, sort, select: [] };
			const question: TicketSearch = { query, ...(limit !== undefined && { limit }) };
			const client = moving.client(undefined, { delays });
			const reading = { ...settings, offset: 0, timeoutMs: 120_000 };
			const { results: answers } = await runSearches([question], reading, client);
			seen.all += 1;
			if (checkAnswer(question, 0, answers[0] ?? { rows: [] }, moving.states)) seen.whole += 1;
		},
	);
	await fc.assert(property, { numRuns: RUNS });
	expect(seen.whole).toBeGreaterThan(seen.all / 2);
});

const all: TicketSearch = { query: { filters: {}, sort: [], select: [] } };

it('would see a hole: pages by offset without overlap lose tickets', () => {
	const naive = fc.property(fc.record({ ...schedule, changes }), ({ numbers, ...drawn }) => {
		const moving = new MovingTickets(
			numbers.map((number) => drawTicket(number)),
			drawn.changes,
		);
		const sort = [{ field: 'ticketNumber', direction: 'desc' }];
		const read = new Map<unknown, TicketRow>();
		for (let offset = 0, hasNextPage = true; hasNextPage; offset += drawn.pageSize) {
			const pagination = { limit: drawn.pageSize, offset };
			const page = JSON.parse(moving.answer({ sort, pagination }).text) as {
				readonly data: readonly TicketRow[];
				readonly metadata: { readonly hasNextPage: boolean };
			};
			for (const row of page.data) read.set(row['id'], row);
			hasNextPage = page.metadata.hasNextPage;
		}
		checkAnswer(all, 0, { rows: [...read.values()] }, moving.states);
	});
	expect(() => fc.assert(naive, { numRuns: RUNS })).toThrow('Property failed');
});

/** Reads tickets of these numbers, of which several may be the same, all and up to a high limit. */
async function readNumbers(numbers: readonly number[], pageSize: number, deletedAt = 0) {
	for (const limit of [undefined, 100]) {
		const rows = numbers.map((number, i) => ({ ...drawTicket(number), id: uuidOf(i) }));
		const changes = Array.from({ length: deletedAt + 1 }, (_, i) =>
			i === deletedAt ? [0, 0].map((n) => ({ kind: 'delete' as const, n })) : [],
		);
		const moving = new MovingTickets(rows, changes);
		const settings = { pageSize, parallelRequests: 3, offset: 0, timeoutMs: 1_000 };
		const question = { ...all, ...(limit !== undefined && { limit }) };
		const { results: answers } = await runSearches([question], settings, moving.client());
		const ids = new Set(answers[0]?.rows.map(({ id }) => id));
		expect([answers[0]?.failure, ids.size]).toEqual([undefined, answers[0]?.rows.length]);
		expect(moving.states.at(-1)?.filter(({ id }) => !ids.has(id))).toEqual([]);
	}
}

it.each([1, 2, 3, 7])('reads tickets that share a number in pages of %i', async (pageSize) => {
	await readNumbers([1, 1, 1, 1, 2, 3, 3, 3, 3, 3, 3], pageSize);
});

it.each([1, 2, 3, 4, 5, 6, 7])('misses none of them when two go before request %i', async (nth) => {
	await readNumbers(Array<number>(9).fill(1), 3, nth);
});
