import fc from 'fast-check';
import type { Query } from '../../../../src/tickets/search/query';
import { answerAll } from '../../../../src/tickets/search/answerAll';
import type { ReadSettings } from '../../../../src/tickets/search/answerAll';
import { fakeRuntime } from '../../../support/fakeRuntime';
import type { Personality, Stored } from '../../../support/personality';
import { mayHidePages, PersonalService, personalities } from '../../../support/personality';
import { propertyRuns } from '../../../support/propertyRuns.mjs';
import { drawing, sorts } from '../../../support/tickets';

const START = Date.UTC(2026, 0, 1);

const TITLES = 'alpha|Alpha|beta|Bravo|zulu|10|échelle|50%|50x|a_b|axb'.split('|');
const PRIORITIES = ['urgent', 'high', 'medium', 'low'];

/** How to make tickets; those of a moment were all created then. */
interface Seeded {
	readonly count: number;
	readonly seed: number;
	readonly isMoment: boolean;
}

/** Tickets of a seed. */
function ticketsOf({ count, seed, isMoment }: Seeded): Stored[] {
	const draw = drawing(seed);
	const numbers = new Set<number>();
	while (numbers.size < count) numbers.add(draw(7 * count + 50) - 200);
	return [...numbers].map((ticketNumber, i): Stored => ({
		id: `t${(i * 7919) % 10_007}`,
		ticketNumber,
		title: TITLES[draw(TITLES.length)] ?? '',
		priority: PRIORITIES[draw(4)] ?? '',
		isShared: draw(2) === 0,
		createdAt: isMoment ? START : START + draw(40_000) * 137,
		closedAt: draw(3) === 0 ? null : START + draw(10) * 1_001,
	}));
}

const count = fc.oneof(
	{ weight: 12, arbitrary: fc.integer({ min: 0, max: 60 }) },
	{ weight: 4, arbitrary: fc.integer({ min: 60, max: 330 }) },
);
const seed = fc.integer({ min: 1, max: 1e9 });
const tickets = fc.oneof(
	{ weight: 150, arbitrary: fc.record({ count, seed, isMoment: fc.constant(false) }) },
	{
		weight: 1,
		arbitrary: fc.record({ count: fc.constant(2_500), seed, isMoment: fc.constant(true) }),
	},
);

const queries: fc.Arbitrary<Query> = fc.record({
	filters: fc.constantFrom(
		{},
		{},
		{ priority: { in: ['urgent', 'low'] } },
		{ ticketNumber: { gte: 100 } },
		{ isShared: { eq: true } },
		{ closedAt: { isNull: true } },
		{ title: { iLike: '%50\\%%' } },
		{ title: { like: 'a\\_b' } },
		{ title: { notILike: '%A\\_B%' } },
		{ title: { iLike: '%a%' } },
		{ createdAt: { gte: new Date(START + 2_000_000).toISOString() } },
	),
	sort: sorts,
	select: fc.constantFrom([], [], ['title'], ['id', 'closedAt']),
}) as fc.Arbitrary<Query>;

interface Wanted extends ReadSettings {
	readonly limit?: number;
}

const settings: fc.Arbitrary<Wanted> = fc.record({
	limit: fc.option(fc.constantFrom(1, 5, 50, 100, 150, 1_000), { nil: undefined }),
	offset: fc.constantFrom(0, 0, 0, 13),
	pageSize: fc.constantFrom(100, 100, 49, 3, 1),
	parallelRequests: fc.constantFrom(1, 8),
	timeoutMs: fc.constant(1_000),
}) as fc.Arbitrary<Wanted>;

/** What tickets are sorted by: ties fall as the service likes where it gets no rule that ends them. */
const keysOf = (rows: readonly object[], stored: readonly Stored[], { sort }: Query) =>
	rows.map((row) => {
		const number = Number(Reflect.get(row, 'ticketNumber'));
		const ticket = stored.find(({ ticketNumber }) => ticketNumber === number);
		return sort.map(({ column }) => {
			const value: unknown = Reflect.get(Object(ticket), column);
			return typeof value === 'string' ? value.toLowerCase() : value;
		});
	});

/** A few rows, or those of a few values, may be in order by chance though the service ignores the sort. */
const cannotShow = (
	{ ignores, otherSpelling, times }: Personality,
	{ sort }: Query,
	count: number,
) => {
	const mayIgnore = ignores === 'sort' || otherSpelling === 'ignored';
	// All of them are of two hours, which without a zone may be one.
	const isRough = times === 'days' || times === 'noZone';
	const sure = ['ticketNumber', ...(isRough ? [] : ['createdAt'])];
	const isSure = sure.includes(sort[0]?.column ?? 'ticketNumber');
	return mayIgnore && (count < 10 || !isSure);
};

interface Case {
	readonly personality: Personality;
	readonly seeded: Seeded;
	readonly query: Query;
	readonly wanted: Wanted;
}

async function judge(one: Case): Promise<'right' | 'error'> {
	const { personality, seeded, query, wanted } = one;
	const stored = ticketsOf(seeded);
	const service = new PersonalService(stored, personality);
	const latency = personality.latency[0] > 0 ? service.latencyMs : 0;
	const { context } = fakeRuntime(({ body, at }) => service.answer(body, at), { latency });
	const { limit, ...others } = wanted;
	const question = { query, ...(limit !== undefined && { limit }) };
	const { answers } = await answerAll([question], others, context().client);
	const reading = answers.get(question) ?? { rows: [] };
	if (reading.failure) {
		expect(reading.position).toBeDefined();
		expect([reading.failure, mayFail(one)]).toEqual([reading.failure, true]);
		return 'error';
	}
	// A hint says of a search with an escape that found nothing that the service may not know it.
	if (isUnknownEscape(one) && (reading.rows.length === 0 || wanted.offset > 0)) return 'right';
	const all = service.expected(query.filters, query.sort);
	if (personality.changes === 'none' && personality.ends !== 'early')
		expectExactly(one, all, reading.rows);
	else expectNoLoss(one, { all, touched: service.touched }, reading.rows);
	return 'right';
}

/** Whether a service is such that an error is an answer: what it ignores or refuses shows, or tickets cannot be told apart. */
const mayFail = (one: Case): boolean => {
	const { personality, query } = one;
	const { ignores, otherSpelling, maxRules, leavesOutIds, maxValues, hidden } = personality;
	const isIgnoring = ignores !== 'nothing' || otherSpelling === 'ignored';
	const isTooMuch = query.sort.length > maxRules || (query.filters.priority && maxValues < 2);
	// Small pages of which most rows are hidden prove nothing.
	return hidden > 0 || isIgnoring || leavesOutIds || isTooMuch === true || isUnknownEscape(one);
};

/** Whether a backslash in a pattern stands for itself. */
const isUnknownEscape = ({ personality, query }: Case): boolean =>
	!personality.escapes && JSON.stringify(query.filters.title ?? {}).includes('\\\\');

/** Whether tickets may move past such a page, which has no row that a next one could begin with. */
const mayMoveUnseen = ({ hidden, cap }: Personality, { pageSize }: Wanted): boolean =>
	hidden > 0 && Math.min(cap, pageSize) < 25;

/** Nothing stands still, or pages end early: what stayed came, as far as the service leads, and nothing came twice. */
function expectNoLoss(
	{ personality, query, wanted }: Case,
	{ all, touched }: { all: readonly Stored[]; touched: ReadonlySet<string> },
	rows: readonly object[],
): void {
	const numbers = rows.map((row) => Number(Reflect.get(row, 'ticketNumber')));
	if (query.select.length > 0) return;
	const stays = all.filter(({ id }) => !touched.has(id));
	const isWhole = wanted.limit === undefined && wanted.offset === 0;
	const isTold = personality.ends !== 'early' && isWhole && !mayMoveUnseen(personality, wanted);
	const count = (number: number) => numbers.filter((one) => one === number).length;
	if (isTold)
		for (const { ticketNumber } of stays)
			expect([ticketNumber, count(ticketNumber)]).toEqual([ticketNumber, 1]);
	expect(new Set(numbers).size).toBe(numbers.length);
}

/** What came is what matches, in its order. */
function expectExactly(
	{ personality, seeded, query, wanted }: Case,
	all: readonly Stored[],
	rows: readonly object[],
): void {
	const { limit, offset, pageSize } = wanted;
	const { ignores, hidden, maxRules } = personality;
	// What a hidden row stands before, an offset cannot know.
	if (hidden > 0 && offset > 0) return;
	const expected = all.slice(offset, limit === undefined ? undefined : offset + limit);
	// Times without a zone may be off by a day, and text is compared by the service, so they prove little.
	if (ignores === 'filters' && (query.filters.createdAt ?? query.filters.title)) return;
	// The rows up to a limit, or from an offset on, may match by chance.
	if (ignores === 'filters' && (limit !== undefined || offset > 0)) return;
	if (mayHidePages(personality) && rows.length < expected.length) return;
	expect(rows).toHaveLength(expected.length);
	if (ignores === 'sort' && query.sort.length === 0) return;
	for (const row of rows)
		if (query.select.length > 0)
			for (const name of Object.keys(row)) expect(query.select).toContain(name);
	if (query.select.length > 0) return;
	if (cannotShow(personality, query, Math.min(expected.length, pageSize))) return;
	const wire = expected.map((ticket) => String(ticket.ticketNumber));
	const got = rows.map((row) => String(Reflect.get(row, 'ticketNumber')));
	const isOnePage = limit !== undefined && limit <= pageSize;
	const hasTies = query.sort.length > 0 && (isOnePage || maxRules === 1);
	const stored = ticketsOf(seeded);
	if (!hasTies) expect(got).toEqual(wire);
	else expect(keysOf(rows, stored, query)).toEqual(keysOf(expected, stored, query));
}

it('gives what matches, complete and in order, or says why not, whatever the service is like', async () => {
	const cases = fc.record({
		personality: personalities,
		seeded: tickets,
		query: queries,
		wanted: settings,
	});
	const tally = { right: 0, error: 0 };
	await fc.assert(
		fc.asyncProperty(cases, async (one) => {
			tally[await judge(one)] += 1;
		}),
		{ ...propertyRuns(2_000), endOnFailure: true },
	);
	// Errors are the exception, else they would hide what this is for.
	expect(tally.error).toBeLessThan(tally.right);
}, 300_000);
