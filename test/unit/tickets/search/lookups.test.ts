import fc from 'fast-check';
import type { Question } from '../../../../src/tickets/search/lookups';
import { answerAll } from '../../../../src/tickets/search/answerAll';
import type { ReadSettings } from '../../../../src/tickets/search/answerAll';
import { fakeRuntime } from '../../../support/fakeRuntime';
import type { Personality, Stored } from '../../../support/personality';
import { PersonalService, personalitiesAtRest } from '../../../support/personality';
import { readAlone } from '../../../support/readAlone';
import { propertyRuns } from '../../../support/propertyRuns.mjs';
import { sorts } from '../../../support/tickets';

const START = Date.UTC(2026, 0, 1);
const TITLES = ['alpha', 'Alpha', 'ALPHA', 'beta', 'béta', 'zulu', '10', 'zulu '];
const CUSTOMERS = Array.from({ length: 40 }, (_, i) => `c${i}`);

const tickets: fc.Arbitrary<Stored[]> = fc
	.uniqueArray(
		fc.record({
			ticketNumber: fc.integer({ min: -200, max: 2_000 }),
			title: fc.constantFrom(...TITLES),
			priority: fc.constantFrom('urgent', 'high', 'medium', 'low'),
			isShared: fc.boolean(),
			createdAt: fc.integer({ min: 0, max: 40_000 }).map((n) => START + n * 137),
			closedAt: fc.option(fc.integer({ min: 0, max: 9 }).map((n) => START + n * 1_001)),
			customerId: fc.option(fc.constantFrom(...CUSTOMERS.slice(0, 25))),
		}),
		{ selector: ({ ticketNumber }) => ticketNumber, maxLength: 150, size: 'max' },
	)
	.map((rows) => rows.map((row, i) => ({ ...row, id: `t${(i * 7919) % 10_007}` })));

const operand = <T>(...values: readonly T[]) =>
	fc.oneof(
		{ weight: 4, arbitrary: fc.constantFrom(...values).map((eq) => ({ eq })) },
		fc
			.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 4 })
			.map((list) => ({ in: list })),
	);

const varying = fc.constantFrom(
	operand(...CUSTOMERS).map((customerId) => ({ customerId })),
	operand(...CUSTOMERS).map((customerId) => ({ customerId })),
	operand(...TITLES, 'no one').map((title) => ({ title })),
	operand('urgent', 'high', 'low').map((priority) => ({ priority })),
	operand(...Array.from({ length: 60 }, (_, i) => i * 30)).map((ticketNumber) => ({
		ticketNumber,
	})),
	operand(...Array.from({ length: 30 }, (_, i) => `t${(i * 7919) % 10_007}`)).map((id) => ({ id })),
);

const fixed = fc.constantFrom<object>(
	{},
	{},
	{ isShared: { eq: true } },
	{ ticketNumber: { gte: 100 } },
	{ priority: { in: ['urgent', 'low'] } },
);

const cases = fc.record({
	personality: personalitiesAtRest(),
	stored: tickets,
	filters: fc.tuple(varying, fixed).chain(([one, more]) =>
		fc.array(
			one.map((each) => ({ ...more, ...each })),
			{ minLength: 2, maxLength: 14 },
		),
	),
	sort: sorts,
	select: fc.constantFrom([], [], ['title'], ['id', 'ticketNumber', 'priority']),
	limits: fc.array(fc.constantFrom(1, 2, 5, 50, 150), { minLength: 1, maxLength: 3 }),
	returnAll: fc.boolean(),
	offset: fc.constantFrom(0, 0, 0, 0, 3),
	pageSize: fc.constantFrom(100, 100, 20, 5),
	parallelRequests: fc.constantFrom(1, 20),
	latency: fc.constantFrom(0, 0, 0, 5),
});

/** Without small pages of hidden rows: after many requests they end in an error that says so. */
const shown = cases.filter(
	({ personality: { hidden, cap }, pageSize }) => hidden === 0 || Math.min(cap, pageSize) > 25,
);

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

const settingsOf = ({ offset, pageSize, parallelRequests }: Case): ReadSettings => ({
	offset,
	pageSize,
	parallelRequests,
	timeoutMs: 1_000,
});

const questionsOf = ({ filters, sort, select, limits, returnAll }: Case): Question[] =>
	filters.map((each, i) => ({
		query: { filters: each, sort, select } as Question['query'],
		...(!returnAll && { limit: limits[i % limits.length] ?? 1 }),
	}));

/** An order that the service ignores shows only in enough rows, so more rows may show it. */
const mayIgnoreSort = ({ ignores, otherSpelling }: Personality): boolean =>
	ignores === 'sort' || otherSpelling === 'ignored';

/** Where the row that shows where empty values belong is hidden, the service sorts, and ties as it likes. */
const mayTie = ({ personality, sort, returnAll }: Case): boolean =>
	personality.hidden > 0 && personality.maxRules < 2 && sort.length > 0 && returnAll;

const text = (row: object): string => JSON.stringify(row);

async function expectSame(one: Case): Promise<number> {
	const service = new PersonalService(one.stored, one.personality);
	const { context } = fakeRuntime(({ body }) => service.answer(body), { latency: one.latency });
	const questions = questionsOf(one);
	const shared = await answerAll(questions, settingsOf(one), context().client);
	for (const question of questions) {
		const { query, limit } = question;
		const settings = { ...settingsOf(one), ...(limit !== undefined && { limit }) };
		const alone = await readAlone(query, settings, context().client);
		const answer = shared.answers.get(question);
		if (alone.failure) continue;
		const isFound = mayIgnoreSort(one.personality) && answer?.failure;
		if (isFound) continue;
		if (one.personality.ignores === 'filters') continue;
		expect(answer?.failure).toEqual(alone.failure);
		if (mayIgnoreSort(one.personality)) continue;
		const [rows, expected] = [answer?.rows ?? [], alone.rows];
		if (mayTie(one)) expect(new Set(rows.map(text))).toEqual(new Set(expected.map(text)));
		else expect(rows).toEqual(expected);
	}
	return shared.requests;
}

it('gives each row what a search of its own gives, whatever the service is like', async () => {
	await fc.assert(
		fc.asyncProperty(shown, async (one) => void (await expectSame(one))),
		{ ...propertyRuns(40), endOnFailure: true },
	);
}, 300_000);
