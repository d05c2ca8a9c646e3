import fc from 'fast-check';
import { createClient } from '../../../../src/core/client';
import type { HttpResult, Request } from '../../../../src/core/http';
import { answerAll } from '../../../../src/tickets/search/answerAll';
import type { Question } from '../../../../src/tickets/search/query';
import { SHIFTED } from '../../../../src/tickets/search/readPages';
import { lost, reply } from '../../../support/fakeRuntime';
import { propertyRuns } from '../../../support/propertyRuns.mjs';
import { uuidOf } from '../../../support/samples';
import { answerSearch } from '../../../support/searchService';
import type { TicketRow } from '../../../support/tickets';
import { compareBy, sorts, toMatcher } from '../../../support/tickets';

const { constant, constantFrom, integer, nat, oneof, record } = fc;
const START = Date.UTC(2026, 0, 1);
const times = [1, 2, 3, 4].map((n) => new Date(START + n * 7_777_777).toISOString());
const statuses = [1, 2, 3].map((n) => uuidOf(0x1000 + n));

/** A ticket that depends on its number and a seed alone. */
const ticketOf = (ticketNumber: number, seed: number): TicketRow => {
	const drawn = Math.imul(ticketNumber + 31 * seed, 0x9e3779b1) >>> 0;
	return {
		...{ ticketNumber, id: uuidOf(ticketNumber + 5_000) },
		priority: ['low', 'high', 'urgent'][drawn % 3],
		statusId: statuses[(drawn >> 3) % 3],
		isShared: (drawn >> 5) % 2 > 0,
		createdAt: new Date(START + ((drawn >> 6) % 500) * 60_000).toISOString(),
		closedAt: (drawn >> 7) % 3 > 0 ? null : times[(drawn >> 9) % 4],
		title: `t${(drawn >> 11) % 9}`,
	};
};

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
	record({ title: record({ iLike: constantFrom('%t1%', 't%') }) }),
);

const question = record({
	filters: fc.array(operand, { maxLength: 2 }).map((all) => Object.assign({}, ...all) as object),
	sort: oneof(constant([]), sorts),
	limit: oneof(constant(undefined), constant(undefined), integer({ min: 1, max: 120 })),
	select: constantFrom([], [], ['title']),
});

const fault = constantFrom<Array<HttpResult | undefined>>(
	...[undefined, undefined, undefined, undefined, undefined, undefined],
	...[reply(429), reply(503), reply(500), lost()],
);

interface Change {
	readonly kind: 'create' | 'delete' | 'change';
	readonly n: number;
}

const change: fc.Arbitrary<Change> = record({
	kind: constantFrom('create' as const, 'delete' as const, 'change' as const),
	n: nat(1_000),
});

const world = record({
	numbers: fc.uniqueArray(oneof(integer({ min: 1, max: 300 }), nat(2_000_000)), {
		maxLength: 130,
		size: 'max',
	}),
	questions: fc.array(question, { minLength: 1, maxLength: 8 }),
	spelling: constantFrom('formal' as const, 'narrative' as const),
	refusal: constantFrom(400 as const, 422 as const),
	faults: fc.array(fault, { minLength: 1, maxLength: 12 }),
	changes: oneof(constant([]), fc.array(fc.array(change, { maxLength: 2 }), { maxLength: 40 })),
	pageSize: constantFrom(1, 2, 7, 20, 100),
	parallelRequests: integer({ min: 1, max: 12 }),
	offset: constantFrom(0, 0, 0, 0, 3),
});

type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** All states of the tickets that a run could see, the last one last. */
async function searchIn(drawn: World) {
	const { numbers, spelling, refusal, faults, changes, questions, ...settings } = drawn;
	let tickets = numbers.map((number) => ticketOf(number, 0));
	const states = [tickets];
	let sent = 0;
	/** How often each body failed: a read is sent again up to five times. */
	const failed = new Map<string, number>();
	const change = ({ kind, n }: Change): void => {
		const one = tickets[n % Math.max(1, tickets.length)];
		const number = Number(one?.['ticketNumber']);
		if (kind === 'delete') tickets = tickets.filter((row) => row !== one);
		if (kind === 'change' && one)
			tickets = tickets.map((row) => (row === one ? ticketOf(number, n) : row));
		if (kind === 'create' && !numbers.includes(n)) tickets = [...tickets, ticketOf(n, n)];
		tickets = [...new Map(tickets.map((row) => [row['id'], row])).values()];
		states.push(tickets);
	};
	const send = async ({ body }: Request): Promise<HttpResult> => {
		sent += 1;
		if (sent > 5_000) throw new Error('The requests do not come to an end');
		await Promise.resolve();
		const text = JSON.stringify(body);
		const times = failed.get(text) ?? 0;
		const broken = times < 2 ? faults[sent % faults.length] : undefined;
		if (broken) failed.set(text, times + 1);
		if (broken) return broken;
		for (const one of changes[sent] ?? []) change(one);
		return answerSearch(tickets, JSON.parse(text), { spelling, refusal });
	};
	const client = createClient({
		send,
		sleep: async () => await Promise.resolve(),
		...{ random: () => 0.5, now: () => 0, signal: new AbortController().signal },
	});
	const asked = questions.map(({ filters, sort, select, limit }): Question => {
		const query = { filters, sort, select: select as Question['query']['select'] };
		return { query, ...(limit !== undefined && { limit }) };
	});
	const { answers } = await answerAll(asked, { ...settings, timeoutMs: 1_000 }, client);
	return { states, answers: asked.map((one, i) => [one, answers[i]] as const) };
}

const seen = { searches: 0, whole: 0, given: 0 };

const NEWEST_FIRST = [{ column: 'ticketNumber', direction: 'desc' }] as const;

/** Compares an answer with what the tickets of all states allow. */
function check(
	[{ query, limit }, answer]: Awaited<ReturnType<typeof searchIn>>['answers'][number],
	states: ReadonlyArray<readonly TicketRow[]>,
	offset: number,
): void {
	const { rows = [], failure } = answer ?? {};
	const { filters, sort, select } = query;
	seen.searches += 1;
	if (failure) {
		expect([states.length > 1, failure]).toEqual([true, SHIFTED]);
		return;
	}
	seen.whole += 1;
	seen.given += rows.length;
	const order = compareBy(sort.length > 0 ? sort : NEWEST_FIRST);
	const found = states.map((tickets) => tickets.filter(toMatcher(filters)));
	const end = limit === undefined ? undefined : offset + limit;
	const shown = (row: TicketRow): TicketRow => (select.length > 0 ? { title: row['title'] } : row);
	if (states.length === 1) {
		expect(rows).toEqual(found[0]?.sort(order).slice(offset, end).map(shown));
		return;
	}
	if (select.length > 0 || offset > 0) return;
	const ids = rows.map(({ id }) => id);
	expect(new Set(ids).size).toBe(ids.length);
	expect(rows.length).toBeLessThanOrEqual(limit ?? Infinity);
	// Each row was a ticket that matched, as it was at some time.
	const known = new Set([...new Set(found.flat())].map((row) => JSON.stringify(row)));
	expect(rows.filter((row) => !known.has(JSON.stringify(row)))).toEqual([]);
	// What stayed as it was is there, up to the limit.
	const [first = [], ...others] = found;
	const sets = others.map((some) => new Set(some));
	const stayed = first.filter((row) => sets.every((some) => some.has(row)));
	const last = limit !== undefined && rows.length >= limit ? rows.at(-1) : undefined;
	const expected = stayed.filter((row) => !last || order(row, last) <= 0);
	expect(expected.filter(({ id }) => !ids.includes(id))).toEqual([]);
}

/** Two tickets that were read move behind one that was not, so the last one read keeps its place. */
const SWAPPED = {
	numbers: [127, 1, 0, 2, 3],
	questions: [
		{ filters: {}, sort: [{ column: 'createdAt', direction: 'desc' }], limit: 4, select: [] },
		{ filters: {}, sort: [], limit: undefined, select: [] },
		{ filters: {}, sort: [], limit: 1, select: [] },
	],
	spelling: 'narrative',
	refusal: 400,
	faults: [undefined],
	changes: [...Array(8).fill([]), [{ kind: 'change', n: 135 }], [{ kind: 'change', n: 312 }]],
	...{ pageSize: 1, parallelRequests: 3, offset: 0 },
};

it('answers random searches of a documented service as its tickets allow', async () => {
	await fc.assert(
		fc.asyncProperty(world, async (drawn) => {
			const { states, answers } = await searchIn(drawn);
			for (const answer of answers) check(answer, states, drawn.offset);
		}),
		{ ...propertyRuns(1_200, 12), examples: [[SWAPPED as never]] },
	);
	expect(seen.whole).toBeGreaterThan(0.8 * seen.searches);
	expect(seen.given).toBeGreaterThan(2 * seen.searches);
}, 600_000);
