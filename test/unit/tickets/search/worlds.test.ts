import fc from 'fast-check';
import { answerAll } from '../../../../src/tickets/search/answerAll';
import type { Question } from '../../../../src/tickets/search/lookups';
import type { Filters } from '../../../../src/tickets/filters/schema';
import type { Kind } from '../../../../src/tickets/columns';
import { operatorsOf } from '../../../../src/tickets/operators';
import type { Query, SortRule } from '../../../../src/tickets/search/query';
import { fakeRuntime } from '../../../support/fakeRuntime';
import { propertyRuns } from '../../../support/propertyRuns.mjs';
import { drawing, sorts } from '../../../support/tickets';
import type { Kept, World } from '../../../support/world';
import {
	collations,
	friendly,
	ignoring,
	kindOf,
	WorldService,
	worldsWith,
} from '../../../support/world';

const START = Date.UTC(2026, 0, 1) * 1_000;
const iso = (micros: number): string => new Date(micros / 1_000).toISOString();
const TITLES =
	'Café|cafe|Cafe |Ålborg|Aalborg|zulu|Straße|strasse|10|9|010|a-b|ab|Refund||x%y|x_y|xzy'.split(
		'|',
	);
const PRIORITIES = ['urgent', 'high', 'medium', 'low'];
const customer = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

function ticketsOf({
	count,
	seed,
	spread,
	sharing = 1,
	numberless = 0,
}: {
	count: number;
	seed: number;
	spread: number;
	/** So many tickets in turn have one number. */
	sharing?: number;
	/** One in so many tickets has no number; 0 for none. */
	numberless?: number;
}): Kept[] {
	const draw = drawing(seed);
	const numbers = new Set<number>();
	while (numbers.size < count)
		numbers.add(spread === 0 ? numbers.size + 1 : (draw(65_000) * spread) % 2_000_000_000);
	const inTurn = [...numbers];
	return inTurn.map((_, i): Kept => ({
		id: `00000000-0000-4000-9000-${String((i * 7_919) % 100_003).padStart(12, '0')}`,
		ticketNumber:
			numberless > 0 && i % numberless === 0 ? null : (inTurn[i - (i % sharing)] ?? null),
		title: TITLES[draw(TITLES.length)] ?? '',
		summary: [null, '', 'text', 'Text'][draw(4)] ?? null,
		priority: PRIORITIES[draw(4)] ?? 'low',
		customerId: draw(4) === 0 ? null : customer(draw(40)),
		isShared: draw(2) === 0,
		createdAt: START + draw(60_000) * 1_370_013,
		closedAt: draw(3) === 0 ? null : START + draw(2_000) * 1_001,
		updatedAt: START + draw(60_000) * 1_001_001,
	}));
}

const filterSets: readonly Filters[] = [
	{},
	{},
	...(['eq', 'ne'] as const).map((operator) => ({ title: { [operator]: 'cafe' } })),
	{ title: { in: ['Café', '10'] } },
	{ title: { notIn: ['zulu', 'ab'] } },
	{ title: { ne: ['zulu', 'ab'] } },
	...(['isNull', 'isNotNull', 'isEmpty', 'isNotEmpty'] as const).flatMap((operator) => [
		{ summary: { [operator]: true } },
		{ closedAt: { [operator]: true } },
		{ customerId: { [operator]: false } },
	]),
	...(['iLike', 'notILike', 'like', 'notLike'] as const).flatMap((operator) => [
		{ title: { [operator]: '%a%' } },
		{ title: { [operator]: 'x\\_y' } },
	]),
	...(['gt', 'gte', 'lt', 'lte'] as const).flatMap((operator) => [
		{ ticketNumber: { [operator]: 120 } },
		{ createdAt: { [operator]: iso(START + 30_000_000_000) } },
	]),
	{ ticketNumber: { eq: 7 } },
	{ ticketNumber: { ne: [3, 4] } },
	{ ticketNumber: { in: [1, 2, 3, 50] } },
	{ ticketNumber: { notIn: [1, 2] } },
	{ priority: { eq: 'urgent' } },
	{ priority: { ne: 'urgent' } },
	{ priority: { in: ['low', 'high'] } },
	{ priority: { notIn: ['low', 'high'] } },
	{ isShared: { eq: true } },
	{ isShared: { ne: true } },
	{ isShared: { in: [false] } },
	{ customerId: { eq: customer(3) } },
	{ customerId: { ne: customer(3) } },
	{ customerId: { notIn: [customer(3), customer(4)] } },
	{ closedAt: { gte: iso(START + 1_000_000), lt: iso(START + 2_000_000) } },
	{ ticketNumber: { gte: 10, lte: 300 }, priority: { eq: 'low' } },
] as readonly Filters[];

/** What a service may leave aside: each operator on a column of each kind, with an operand that some tickets do not match. */
const dropped = (
	[
		['identifier', 'customerId', customer(3), '%0003%'],
		['text', 'title', 'cafe', '%caf%'],
		['number', 'ticketNumber', 120, ''],
		['priority', 'priority', 'low', '%lo%'],
		['timestamp', 'closedAt', iso(START + 1_001 * 1_000), ''],
		['boolean', 'isShared', true, ''],
	] as ReadonlyArray<readonly [Kind, string, unknown, string]>
).flatMap(([kind, column, value, pattern]) =>
	operatorsOf[kind]
		// Only the service knows what these mean.
		.filter((operator) => operator !== 'isBetween' && operator !== 'isRelativeToToday')
		.map((operator) => {
			const operand = /^is/.test(operator)
				? true
				: /in$/i.test(operator)
					? [value]
					: /like$/i.test(operator)
						? pattern
						: value;
			return { kind, operator, filters: { [column]: { [operator]: operand } } as Filters };
		}),
);

const world = worldsWith(
	[
		{ showsOneIn: [10, 30, 150] },
		{ hidesOneIn: [10, 30, 150] },
		{ more: ['always', 'unlessEmpty'] },
		{
			drops: [
				...new Set(dropped.flatMap(({ operator, kind }) => [operator, `${kind}.${operator}`])),
			],
		},
		{ listCap: [1, 3, 50], longList: ['firstOnes', 400, 403, 413, 500, 'reset'] },
		{ joins: [true] },
		{ collation: Object.keys(collations) as Array<keyof typeof collations> },
		{ offsetCap: [0, 50, 100, 1_000], beyond: ['clamped', 'empty', 'emptyMore', 400, 500] },
		ignoring,
		{ cap: [50, 25, 7, 2] },
		{ numbersAsText: [true] },
		{ withoutIds: [true] },
		{ noNumber: ['leftOut'] },
		{ times: ['micro', 'seconds', 'noZone'] },
		{ spelling: ['narrative'] },
		{ nullsFirst: [true] },
		{
			downFrom: [1, 1, 2, 5],
			down: [401, 403, 404, 429, 500, 503, 'reset', 'redirect', 'html'],
		},
	],
	3,
);

const shape = fc.record({
	filters: fc.constantFrom(...filterSets, ...dropped.map(({ filters }) => filters)),
	sort: sorts,
	select: fc.constantFrom([], [], ['title'], ['id', 'closedAt']),
	limit: fc.constantFrom(undefined, undefined, 1, 5, 50, 100, 150),
	/** Rows that differ in one value, as many. */
	rows: fc.constantFrom(1, 1, 1, 2, 30, 120),
	by: fc.constantFrom('ticketNumber', 'customerId', 'title', 'priority', 'number2'),
});

const cases = fc.record({
	world,
	shape,
	seeded: fc.record({
		count: fc.oneof(
			{ weight: 6, arbitrary: fc.integer({ min: 0, max: 350 }) },
			{ weight: 1, arbitrary: fc.integer({ min: 350, max: 4_000 }) },
		),
		seed: fc.integer({ min: 1, max: 1e9 }),
		spread: fc.constantFrom(0, 0, 1, 30_000),
		sharing: fc.constantFrom(1, 1, 1, 1, 2, 60, 400),
		numberless: fc.constantFrom(0, 0, 0, 0, 0, 2, 40),
	}),
	offset: fc.constantFrom(0, 0, 0, 0, 13),
	pageSize: fc.constantFrom(100, 100, 100, 49, 10),
});

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

function questionsOf({ shape: { rows, by, filters, sort, select, limit } }: Case): Question[] {
	const rest = limit === undefined ? {} : { limit };
	if (rows === 1) return [{ query: { filters, sort, select: select as never }, ...rest }];
	return Array.from({ length: rows }, (_, i): Question => {
		const operands = {
			ticketNumber: { eq: i + 1 },
			number2: { eq: 1 + i * 30_000 },
			customerId: { eq: customer(i) },
			title: { eq: `${TITLES[i % TITLES.length]}${i < TITLES.length ? '' : i}` },
			priority: { eq: PRIORITIES[i % 4] },
		}[by];
		const column = by === 'number2' ? 'ticketNumber' : by;
		return {
			query: {
				filters: { ...filters, [column]: operands } as Filters,
				sort,
				select: select as never,
			},
			...rest,
		};
	});
}

const tally = { right: 0, failed: 0 };

async function judge(one: Case): Promise<void> {
	const kept = ticketsOf(one.seeded);
	const service = new WorldService(kept, one.world);
	const { context, sent } = fakeRuntime(({ body }) => service.answer(body));
	const questions = questionsOf(one);
	const { answers } = await answerAll(
		questions,
		{ offset: one.offset, pageSize: one.pageSize, parallelRequests: 20, timeoutMs: 1_000 },
		context().client,
	);
	let pages = 0;
	const size = Math.max(
		1,
		Math.min(one.world.cap, one.world.ignores.includes('limit') ? 25 : 100, one.pageSize),
	);
	const distinct = new Map(questions.map((question) => [JSON.stringify(question), question]));
	for (const { query, limit } of distinct.values()) {
		const places = service.places(query.filters, query.sort);
		let last = places.length;
		if (limit !== undefined) {
			let shown = 0;
			const at = places.findIndex(
				(isShown, i) => i >= one.offset && isShown && (shown += 1) === limit,
			);
			if (at >= 0) last = at + 1;
		}
		pages += Math.max(1, Math.ceil(Math.max(0, last - one.offset) / size));
	}
	const spent = sent.length;
	const problems: string[] = [];
	if (spent > 3 * pages + 30) problems.push(`REQUESTS ${spent} for ${pages} pages`);
	for (const question of questions) {
		const { rows, failure } = answers.get(question) ?? { rows: [] };
		if (failure) {
			tally.failed += 1;
			if (mayNotFail(one))
				problems.push(`FAILED ${'message' in failure ? failure.message : failure.kind}`);
			continue;
		}
		tally.right += 1;
		const wrong = wrongIn(one, service, question, rows, kept);
		if (wrong) problems.push(wrong);
	}
	if (problems.length > 0) throw new Error([...new Set(problems)].slice(0, 4).join(' | '));
}

/** Whether tickets cannot be told apart: without IDs, those of one number or of none. */
const hasTwins = ({ withoutIds }: World, { sharing, numberless }: Case['seeded']): boolean =>
	withoutIds && (sharing > 1 || numberless > 0);

/** Nothing in such a world keeps a search from being right. */
const mayNotFail = ({ world: is, seeded }: Case): boolean => {
	if (hasTwins(is, seeded)) return false;
	const { numbersAsText, cap, joins, collation, times, spelling, nullsFirst, withoutIds } = is;
	const { noNumber } = is;
	const harmless = {
		...friendly,
		noNumber,
		numbersAsText,
		cap,
		joins,
		collation,
		times,
		spelling,
		nullsFirst,
		withoutIds,
	};
	return JSON.stringify(harmless) === JSON.stringify(is);
};

function wrongIn(
	{ offset, world: is, seeded }: Case,
	service: WorldService,
	{ query, limit }: Question,
	rows: readonly object[],
	kept: readonly Kept[],
): string | undefined {
	const all = service.expected(
		query.filters,
		query.sort.length > 0 ? query.sort : [{ column: 'ticketNumber', direction: 'desc' }],
	);
	const isHiding = is.hidesOneIn > 0 || is.showsOneIn > 0;
	if (isHiding && is.more === 'unlessEmpty') return undefined;
	// Whole pages may be hidden, and nothing tells how far to go on from an empty one.
	if (is.showsOneIn > 0 && is.cap < 100) return undefined;
	if (hasTwins(is, seeded)) return undefined;
	if (offset > is.offsetCap) return undefined;
	if (offset > 0 && (isHiding || is.joins || is.ignores.includes('offset'))) return undefined;
	if (isUnknowable(is, query, rows)) return undefined;
	// A list of the user that is heeded in part: no row shows it.
	const lists = Object.values(query.filters).map(
		({ in: list }) => (list as unknown[] | undefined) ?? [],
	);
	if (lists.some(({ length }) => length > is.listCap)) return undefined;
	const expected = all.slice(offset, limit === undefined ? undefined : offset + limit);
	if (rows.length !== expected.length) return `COUNT ${rows.length} instead of ${expected.length}`;
	if (query.select.length > 0) {
		const extra = rows
			.flatMap((row) => Object.keys(row))
			.find((name) => !(query.select as string[]).includes(name));
		return extra === undefined ? undefined : `SELECTED ${extra}`;
	}
	const nameOf = ({ id, ticketNumber }: Partial<Kept>): string => id ?? `#${ticketNumber}`;
	const byName = new Map(
		kept.flatMap((one) => [one.id, `#${one.ticketNumber}`].map((name) => [name, one])),
	);
	const got = rows.map((row) => byName.get(nameOf(row)));
	if (new Set(got).size !== got.length) return 'TWICE';
	const matching = new Set(all);
	if (got.some((one) => !one || !matching.has(one))) return 'OTHER TICKETS';
	// What ignores its sort may be in order by chance, and a hint says that these may not be the newest.
	const isLimited = query.sort.length === 0 && expected.length < all.length;
	if (is.ignores.includes('sort') && (expected.length < 10 || isLimited)) return undefined;
	const rules =
		query.sort.length > 0 ? query.sort : [{ column: 'ticketNumber', direction: 'desc' }];
	for (const [i, one] of got.entries()) {
		const other = expected[i];
		for (const { column } of rules) {
			const left = Reflect.get(one ?? {}, column) as never;
			const right = Reflect.get(other ?? {}, column) as never;
			if (service.order(left, right, { column, direction: 'asc' }) !== 0)
				return `ORDER by ${column} at ${i} of ${got.length}`;
		}
	}
	return undefined;
}

/** Whether an operator is left aside, and no row shows it: empty values and other spellings of a text match or not as the service likes. */
const isUnknowable = ({ drops }: World, { filters }: Query, rows: readonly object[]): boolean =>
	Object.entries(filters).some(([column, operands]) =>
		Object.keys(operands).some(
			(operator) =>
				(drops === operator || drops === `${kindOf(column)}.${operator}`) &&
				rows.every((row) => {
					const value: unknown = Reflect.get(row, column);
					return typeof value !== 'boolean' && (value === null || kindOf(column) === 'text');
				}),
		),
	);

it('gives the right tickets or says why not, and ends, in every world', async () => {
	await fc.assert(fc.asyncProperty(cases, judge), { ...propertyRuns(250), endOnFailure: true });
	expect(tally.failed).toBeLessThan(tally.right);
}, 600_000);

/** Asks these questions in a world of tickets. */
async function ask(
	is: Partial<World>,
	questions: readonly Question[],
	{ kept = ticketsOf({ count: 343, seed: 7, spread: 0 }), pageSize = 100 } = {},
) {
	const service = new WorldService(kept, { ...friendly, ...is });
	const { context, sent } = fakeRuntime(({ body }) => service.answer(body));
	const settings = { offset: 0, pageSize, parallelRequests: 20, timeoutMs: 1_000 };
	const { answers } = await answerAll(questions, settings, context().client);
	const all = questions.map((question) => answers.get(question) ?? { rows: [] });
	return { all, kept, requests: sent.length };
}

const question = (filters: object, more: Partial<Question> = {}): Question => ({
	query: { filters: filters as Filters, sort: [], select: [] },
	...more,
});

const customers = (count: number, more: object = {}): Question[] =>
	Array.from({ length: count }, (_, i) => question({ ...more, customerId: { eq: customer(i) } }));

describe('in a world where', () => {
	it('only the first value of a list is heeded and the last ones find nothing, no ticket is lost', async () => {
		const asked = customers(120);
		const { all, kept } = await ask({ listCap: 1 }, asked);
		for (const [i, { rows, failure }] of all.entries()) {
			const own = kept.filter(({ customerId }) => customerId === customer(i));
			expect([failure, rows.length]).toEqual([undefined, own.length]);
		}
	});

	it('each search is refused for its filters, few requests find that out', async () => {
		const asked = customers(120, { priority: { in: ['low', 'high'] } });
		const { all, requests } = await ask({ listCap: 1, longList: 400 }, asked);
		expect(all.every(({ failure }) => failure?.kind === 'api')).toBe(true);
		expect(requests).toBeLessThanOrEqual(3 * 120 + 30);
	});

	it('more tickets always follow, rows share what shows that', async () => {
		const asked = Array.from({ length: 120 }, (_, i) =>
			question({ title: { eq: i < TITLES.length ? TITLES[i] : `t${i}` } }, { limit: 100 }),
		);
		const { all, requests } = await ask({ more: 'always' }, asked);
		expect(all.every(({ failure }) => failure?.kind === 'contract')).toBe(true);
		expect(requests).toBeLessThanOrEqual(3 * 120 + 30);
	});

	it.each(
		[1, 2, 50, 101, 250].flatMap((count) =>
			[100, 50, 7].map((cap) => [count, cap, Math.ceil(count / cap)] as const),
		),
	)(
		'a page of none tells the end of %i tickets, %i to a page, few requests find it',
		async (count, cap, pages) => {
			const kept = ticketsOf({ count, seed: 7, spread: 0 });
			const sort: SortRule[] = [{ column: 'title', direction: 'asc' }];
			const asked = [undefined, 40, 280].map((limit) => question({}, limit ? { limit } : {}));
			for (const { query, ...more } of asked) {
				const one = { query: { ...query, sort }, ...more };
				const { all, requests } = await ask({ more: 'unlessEmpty', cap }, [one], { kept });
				expect(all[0]?.failure).toBeUndefined();
				expect(all[0]?.rows).toHaveLength(Math.min(count, one.limit ?? count));
				expect(requests).toBeLessThanOrEqual(2 * pages + 10);
			}
		},
	);

	it('most tickets are hidden, a small limit does not make small pages', async () => {
		const { all, requests } = await ask({ showsOneIn: 30 }, [question({}, { limit: 5 })]);
		expect(all[0]?.rows).toHaveLength(5);
		expect(requests).toBeLessThanOrEqual(3 * 4 + 30);
	});

	it('most tickets are hidden, so the first without a number is, none is lost', async () => {
		const kept = ticketsOf({ count: 900, seed: 3, spread: 0, numberless: 2 }).slice(1);
		const { all } = await ask({ showsOneIn: 10 }, [question({})], { kept });
		const service = new WorldService(kept, { ...friendly, showsOneIn: 10 });
		expect(all[0]?.failure).toBeUndefined();
		expect(all[0]?.rows).toHaveLength(service.expected({}, []).length);
	});

	it('a page has two tickets and many share a number far away, none is lost', async () => {
		const kept = ticketsOf({ count: 137, seed: 57_366_560, spread: 1, sharing: 60 });
		const { all } = await ask({ cap: 2 }, [question({})], { kept });
		expect(all[0]?.failure).toBeUndefined();
		expect(all[0]?.rows).toHaveLength(137);
	});

	it.each([0, 20, 30, 60, 250])(
		'pages are short and there is nothing behind an offset of %i, the end is not taken for reached',
		async (offsetCap) => {
			const sort: SortRule[] = [{ column: 'title', direction: 'asc' }];
			const asked = { query: { ...question({}).query, sort } };
			for (const is of [{ ignores: ['limit'] as const }, { cap: 25 }, { cap: 7 }]) {
				const { all } = await ask({ ...is, offsetCap, beyond: 'empty' }, [asked]);
				expect(all[0]?.failure).toMatchObject({ kind: 'contract' });
			}
		},
	);

	it('pages are cut and tickets hidden, searches side by side lose nothing', async () => {
		const kept = ticketsOf({ count: 3_513, seed: 2, spread: 0 });
		const sort: SortRule[] = [{ column: 'priority', direction: 'asc' }];
		const asked = TITLES.slice(0, 6).map((title): Question => ({
			query: { ...question({ title: { eq: title } }).query, sort },
		}));
		const { all } = await ask({ hidesOneIn: 10, cap: 25 }, asked, { kept });
		const service = new WorldService(kept, { ...friendly, hidesOneIn: 10 });
		for (const [i, { rows, failure }] of all.entries())
			if (!failure)
				expect(rows).toHaveLength(service.expected(asked[i]?.query.filters ?? {}, []).length);
	});

	it('all is right, small pages cost no more than they hold', async () => {
		const kept = ticketsOf({ count: 193, seed: 3, spread: 30_000 });
		const { all, requests } = await ask({}, [question({})], { kept, pageSize: 3 });
		expect(all[0]?.rows).toHaveLength(193);
		expect(requests).toBeLessThanOrEqual(3 * 65 + 30);
	});

	it('tickets come in no order, numbers are found in few requests', async () => {
		const kept = ticketsOf({ count: 600, seed: 3, spread: 0 });
		const { all, requests } = await ask({ ignores: ['sort'] }, [question({})], { kept });
		expect(all[0]?.rows).toHaveLength(600);
		expect(requests).toBeLessThanOrEqual(3 * 6 + 30);
	});

	it('a bound on a time is a ticket of half a second before shows it', async () => {
		const filters = { closedAt: { gte: iso(START + 1_000_000) } };
		const { all } = await ask({ drops: 'timestamp.gte' }, [question(filters)]);
		expect(all[0]?.failure).toMatchObject({ kind: 'contract' });
	});

	it('times have no zone and the sort is the order is not taken for right', async () => {
		const sort: SortRule[] = [{ column: 'createdAt', direction: 'asc' }];
		const asked = { ...question({}, { limit: 50 }) };
		const { all } = await ask({ ignores: ['sort'], times: 'noZone' }, [
			{ ...asked, query: { ...asked.query, sort } },
		]);
		expect(all[0]?.failure).toMatchObject({ kind: 'contract' });
	});

	it('the sort is a hint says that the tickets of a limit need not be the newest', async () => {
		const { all } = await ask({ ignores: ['sort'] }, [question({}, { limit: 50 })]);
		expect(all[0]?.note).toContain('need not be the newest');
	});
});

describe('a service that leaves aside', () => {
	it.each(dropped.map((one) => [`${one.operator} on ${one.kind}`, one] as const))(
		'%s is found out by its rows',
		async (_, { operator, kind, filters }) => {
			const [first, ...others] = ticketsOf({ count: 343, seed: 7, spread: 0 });
			if (!first) throw new Error('no tickets');
			const kept = [{ ...first, closedAt: START + 1_001_000 }, ...others];
			const matching = new WorldService(kept, friendly).expected(filters, []);
			const is = { drops: `${kind}.${operator}` };
			const whole = await ask(is, [question(filters)], { kept });
			// Where every ticket matches anyway, there is nothing to find out.
			if (matching.length === kept.length) expect(whole.all[0]?.rows).toHaveLength(343);
			else expect(whole.all[0]?.failure).toMatchObject({ kind: 'contract' });
			const page = await ask(is, [question(filters, { limit: 50 })], { kept });
			const ids = new Set<unknown>(matching.map(({ id }) => id));
			for (const { rows, failure } of page.all)
				if (!failure && !/^(ne|not)/.test(operator))
					expect(rows.every(({ id }) => ids.has(id))).toBe(true);
		},
	);
});

describe('2,000 rows whose service answers nothing but', () => {
	const many = (by: string): Question[] =>
		Array.from({ length: 2_000 }, (_, i) => {
			const filters = {
				customer: { customerId: { eq: customer(i) } },
				pattern: { title: { iLike: `%${i}%` } },
			}[by];
			return question(filters ?? {}, i % 2 === 0 ? { limit: 50 } : {});
		});

	it.each(
		([401, 403, 429, 500, 503, 'reset'] as const).flatMap((down) =>
			[1, 9].map((downFrom) => [down, downFrom] as const),
		),
	)(
		'%s from request %d on end soon, each with that error',
		async (down, downFrom) => {
			for (const by of ['customer', 'pattern']) {
				const { all, requests } = await ask({ down, downFrom }, many(by));
				const failed = all.flatMap(({ failure }) => failure ?? []);
				expect(failed.length > 0).toBe(requests >= downFrom);
				for (const { kind } of failed) expect(kind).toBe(down === 'reset' ? 'connection' : 'api');
				// While a service fails, one request asks it again; a 429 is a matter of pace.
				const inProgress = down === 429 ? 5 * 20 : 20;
				expect(requests).toBeLessThanOrEqual(3 * (downFrom - 1) + inProgress + 30);
			}
		},
		30_000,
	);
});
