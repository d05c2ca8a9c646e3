import fc from 'fast-check';
import type { Query, SortRule } from '../../../../src/tickets/search/query';
import type { ReadSettings } from '../../../../src/tickets/search/readTickets';
import { readTickets } from '../../../../src/tickets/search/readTickets';
import { fakeRuntime } from '../../../support/fakeRuntime';
import type { Personality, Stored } from '../../../support/personality';
import { PersonalService, personalities } from '../../../support/personality';
import { propertyRuns } from '../../../support/propertyRuns.mjs';

const START = Date.UTC(2026, 0, 1);

const tickets: fc.Arbitrary<Stored[]> = fc
	.uniqueArray(
		fc.record({
			ticketNumber: fc.integer({ min: -200, max: 2_000 }),
			title: fc.constantFrom('alpha', 'Alpha', 'beta', 'Bravo', 'zulu', '10', 'échelle'),
			priority: fc.constantFrom('urgent', 'high', 'medium', 'low'),
			isShared: fc.boolean(),
			createdAt: fc.integer({ min: 0, max: 40_000 }).map((n) => START + n * 137),
			closedAt: fc.option(fc.integer({ min: 0, max: 9 }).map((n) => START + n * 1_001)),
		}),
		{ selector: ({ ticketNumber }) => ticketNumber, maxLength: 320, size: 'max' },
	)
	.map((rows) => rows.map((row, i) => ({ ...row, id: `t${(i * 7919) % 10_007}` })));

const rule: fc.Arbitrary<SortRule> = fc.record({
	column: fc.constantFrom('ticketNumber', 'createdAt', 'closedAt', 'isShared', 'priority', 'title'),
	direction: fc.constantFrom('asc', 'desc'),
});

const queries: fc.Arbitrary<Query> = fc.record({
	filters: fc.constantFrom(
		{},
		{},
		{ priority: { in: ['urgent', 'low'] } },
		{ ticketNumber: { gte: 100 } },
		{ isShared: { eq: true } },
		{ closedAt: { isNull: true } },
		{ createdAt: { gte: new Date(START + 2_000_000).toISOString() } },
	),
	sort: fc.uniqueArray(rule, { selector: ({ column }) => column, maxLength: 2 }),
	select: fc.constantFrom([], [], ['title'], ['id', 'closedAt']),
}) as fc.Arbitrary<Query>;

const settings: fc.Arbitrary<ReadSettings> = fc.record({
	limit: fc.option(fc.constantFrom(1, 5, 50, 100, 150, 1_000), { nil: undefined }),
	offset: fc.constantFrom(0, 0, 0, 13),
	pageSize: fc.constantFrom(100, 100, 49, 3, 1),
	parallelRequests: fc.constantFrom(1, 8),
	spelling: fc.constant('auto'),
	timeoutMs: fc.constant(1_000),
}) as fc.Arbitrary<ReadSettings>;

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
const cannotShow = ({ ignores, otherSpelling }: Personality, { sort }: Query, count: number) => {
	const mayIgnore = ignores === 'sort' || otherSpelling === 'ignored';
	const isSure = ['ticketNumber', 'createdAt'].includes(sort[0]?.column ?? 'ticketNumber');
	return mayIgnore && (count < 10 || !isSure);
};

interface Case {
	readonly personality: Personality;
	readonly stored: Stored[];
	readonly query: Query;
	readonly wanted: ReadSettings;
}

async function judge({ personality, stored, query, wanted }: Case): Promise<'right' | 'error'> {
	const service = new PersonalService(stored, personality);
	const { context } = fakeRuntime(({ body }) => service.answer(body));
	const { limit, ...others } = wanted;
	const asked = { ...others, ...(limit !== undefined && { limit }) };
	const reading = await readTickets(query, asked, { client: context().client });
	if (reading.failure) {
		expect(reading.position).toBeDefined();
		return 'error';
	}
	// What a hidden row stands before, an offset cannot know.
	const start = personality.hidden > 0 ? 0 : wanted.offset;
	const all = service.expected(query.filters, query.sort);
	const expected = all.slice(start, limit === undefined ? undefined : start + limit);
	if (personality.hidden > 0 && wanted.offset > 0) return 'right';
	if (personality.ignores === 'sort' && query.sort.length === 0) {
		expect(reading.rows).toHaveLength(expected.length);
		return 'right';
	}
	// Times without a zone may be off by a day, so they prove nothing.
	if (personality.ignores === 'filters' && query.filters.createdAt) return 'right';
	// The rows up to a limit, or from an offset on, may match by chance.
	if (personality.ignores === 'filters' && (limit !== undefined || wanted.offset > 0))
		return 'right';
	// One page has the chosen columns only, which need not show it.
	if (personality.ignores === 'filters' && query.select.length > 0) return 'right';
	expect(reading.rows).toHaveLength(expected.length);
	if (query.select.length > 0) {
		for (const row of reading.rows)
			for (const name of Object.keys(row)) expect(query.select).toContain(name);
		return 'right';
	}
	if (cannotShow(personality, query, Math.min(expected.length, wanted.pageSize))) return 'right';
	const wire = expected.map((ticket) => String(ticket.ticketNumber));
	const got = reading.rows.map((row) => String(row['ticketNumber']));
	const isOnePage = limit !== undefined && limit <= wanted.pageSize;
	const hasTies = query.sort.length > 0 && (isOnePage || personality.maxRules === 1);
	if (!hasTies) expect(got).toEqual(wire);
	else expect(keysOf(reading.rows, stored, query)).toEqual(keysOf(expected, stored, query));
	return 'right';
}

it('gives what matches, complete and in order, or says why not, whatever the service is like', async () => {
	const cases = fc.record({
		personality: personalities,
		stored: tickets,
		query: queries,
		wanted: settings,
	});
	const tally = { right: 0, error: 0 };
	await fc.assert(
		fc.asyncProperty(cases, async (one) => {
			tally[await judge(one)] += 1;
		}),
		{ ...propertyRuns(100), endOnFailure: true },
	);
	// Errors are the exception, else they would hide what this is for.
	expect(tally.error).toBeLessThan(tally.right);
});
