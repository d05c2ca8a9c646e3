import fc from 'fast-check';
import type { HttpResult } from '../../../../src/core/http';
import { runSearches } from '../../../../src/tickets/search/runSearches';
import type { TicketSearch } from '../../../../src/tickets/service/query';
import { lost, reply } from '../../../support/fakeRuntime';
import {
	changeOf,
	checkAnswer,
	drawTicket,
	MovingTickets,
	statuses,
	times,
} from '../../../support/movingTickets';
import { propertyRuns } from '../../../support/propertyRuns.mjs';
import { uuidOf } from '../../../support/samples';
import { sorts } from '../../../support/tickets';

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

/** What happens before each request: nothing, a few changes, now and then a page and more, or a delete each time. */
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
