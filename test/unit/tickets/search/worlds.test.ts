import fc from 'fast-check';
import { answerAll } from '../../../../src/tickets/search/answerAll';
import type { Question } from '../../../../src/tickets/search/lookups';
import type { Filters } from '../../../../src/tickets/filters/schema';
import type { Kind } from '../../../../src/tickets/columns';
import { operatorsOf } from '../../../../src/tickets/operators';
import type { Query, SortRule } from '../../../../src/tickets/search/query';
import isEqual from 'lodash/isEqual';
import { fakeRuntime } from '../../../support/fakeRuntime';
import { propertyRuns } from '../../../support/propertyRuns.mjs';
import { listOf } from '../../../support/samples';
import { drawing, sorts } from '../../../support/tickets';
import type { Kept, Quirk, World } from '../../../support/world';
import {
	collations,
	friendly,
	ignoring,
	kept,
	kindOf,
	PRIORITIES,
	shapesOfTimes,
	START,
	WorldService,
	worldsWith,
} from '../../../support/world';

const iso = (micros: number): string => new Date(micros / 1_000).toISOString();
const TITLES =
	'Café|cafe|Cafe |Ålborg|Aalborg|zulu|Straße|strasse|10|9|010|a-b|ab|Refund||x%y|x_y|xzy'.split(
		'|',
	);
const customer = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

function ticketsOf({
	count,
	seed,
	spread,
	sharing = 1,
	numberless = 0,
	from = 1,
	isMoment = false,
}: {
	count: number;
	seed: number;
	spread: number;
	/** So many tickets in turn have one number. */
	sharing?: number;
	/** One in so many tickets has no number; 0 for none. */
	numberless?: number;
	/** The lowest number. */
	from?: number;
	/** Whether all were created at once. */
	isMoment?: boolean;
}): Kept[] {
	const draw = drawing(seed);
	const numbers = new Set<number>();
	while (numbers.size < count)
		numbers.add(from + (spread === 0 ? numbers.size : (draw(65_000) * spread) % 2_000_000_000));
	const inTurn = [...numbers];
	return inTurn.map((_, i) =>
		kept((i * 7_919) % 100_003, {
			ticketNumber:
				numberless > 0 && i % numberless === 0 ? null : (inTurn[i - (i % sharing)] ?? null),
			title: TITLES[draw(TITLES.length)] ?? '',
			summary: [null, '', 'text', 'Text'][draw(4)] ?? null,
			priority: PRIORITIES[draw(4)] ?? 'low',
			customerId: draw(4) === 0 ? null : customer(draw(40)),
			isShared: draw(2) === 0,
			createdAt: START + (isMoment ? 0 : draw(60_000) * 1_370_013),
			closedAt: draw(3) === 0 ? null : START + draw(2_000) * 1_001,
			updatedAt: START + draw(60_000) * 1_001_001,
		}),
	);
}

const filterSets: readonly Filters[] = [
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

/** Those that tell most about a service. */
const usual: readonly Filters[] = [
	{ priority: { in: ['urgent', 'low'] } },
	{ ticketNumber: { gte: 20 } },
	{ closedAt: { isNull: true } },
	...[5, 20].map((hour) => ({ createdAt: { gte: iso(START + hour * 3_600_000_000) } })),
	{ title: { notILike: '%X\\_Y%' } },
	{ title: { iLike: '%a%' } },
	{ title: { iLike: '%x\\%%' } },
];

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

/** What the interface leaves open. */
const open: Quirk[] = [
	{ more: ['late'] },
	{ more: ['early'] },
	{ listCap: [1, 7], longList: ['ignored', 400, 413, 422] },
	{ collation: Object.keys(collations) as Array<keyof typeof collations> },
	{ exact: ['lists', 'all'] },
	{ escapes: [false] },
	{ cap: [50, 7] },
	{ numbersAsText: [true] },
	{ times: shapesOfTimes },
	{ times: ['days', 'noZone'] },
	{ sort: ['column'] },
	{ select: ['list'] },
	{ maxRules: [1] },
	{ refusal: [400, 422], givesDetails: [false, true] },
	{ nullsFirst: ['always', 'asc', 'desc'] },
	{ priorities: [[...PRIORITIES].reverse(), ['high', 'low', 'urgent', 'medium']] },
	{ defaultOrder: ['newest', 'number'] },
	{ changes: ['comeAndGo', 'comeLate'] },
	{ takes: ['window', 'tokens'], saysWhen: [true, false] },
	{
		latency: [
			[20, 0],
			[5, 9],
		],
	},
];

/** What may keep a search from being right. */
const harmful: Quirk[] = [
	{ hidesOneIn: [5, 10] },
	{ showsOneIn: [2, 3] },
	{ sort: ['column'], select: ['object', 'list'], otherSpelling: ['ignored'] },
	{ ignores: [['sort'], ['sort'], ['select'], ['filters']] },
	{ withoutIds: [true] },
];

/** What no client wants. */
const unwanted: Array<Quirk | typeof ignoring> = [
	{ showsOneIn: [10, 30, 150] },
	{ hidesOneIn: [10, 30, 150] },
	{ more: ['always', 'unlessEmpty'] },
	{
		drops: [...new Set(dropped.flatMap(({ operator, kind }) => [operator, `${kind}.${operator}`]))],
	},
	{ listCap: [1, 3, 50], longList: ['firstOnes', 400, 403, 413, 500, 'reset'] },
	{ joins: [true] },
	{ offsetCap: [0, 50, 100, 1_000], beyond: ['clamped', 'empty', 'emptyMore', 400, 500] },
	ignoring,
	{ cap: [50, 25, 7, 2] },
	{ noNumber: ['leftOut'] },
	{
		downFrom: [1, 1, 2, 5],
		down: [401, 403, 404, 429, 500, 503, 'reset', 'redirect', 'html'],
	},
];

const { constantFrom, integer } = fc;

interface Sizes {
	/** The most tickets, mostly and now and then. */
	readonly most: readonly [few: number, many: number];
	readonly rows: readonly number[];
	readonly pageSizes: readonly number[];
}

const casesIn = (world: fc.Arbitrary<World>, { most: [few, many], rows, pageSizes }: Sizes) =>
	fc.record({
		world,
		shape: fc.record({
			filters: fc.oneof(
				fc.constant<Filters>({}),
				constantFrom(...usual),
				constantFrom(...filterSets, ...dropped.map(({ filters }) => filters)),
			),
			sort: sorts,
			select: constantFrom([], [], ['title'], ['id', 'closedAt']),
			limits: constantFrom([], [], [1], [5], [50], [100], [150], [1_000], [1, 50, 2]),
			/** Rows that differ in one value or list, as many. */
			rows: constantFrom(1, 1, 1, ...rows),
			by: constantFrom('ticketNumber', 'customerId', 'title', 'priority', 'number2', 'lists'),
		}),
		seeded: fc.record({
			count: fc.oneof(
				{ weight: 4, arbitrary: integer({ min: 0, max: few }) },
				{ weight: 1, arbitrary: integer({ min: few, max: many }) },
			),
			seed: integer({ min: 1, max: 1e9 }),
			spread: constantFrom(0, 0, 1, 30_000),
			sharing: constantFrom(1, 1, 1, 1, 2, 60, 400),
			numberless: constantFrom(0, 0, 0, 0, 0, 2, 40),
			from: constantFrom(1, 1, -200),
			isMoment: constantFrom(false, false, false, false, true),
		}),
		offset: constantFrom(0, 0, 0, 0, 13),
		pageSize: constantFrom(100, 100, 100, 49, ...pageSizes),
		parallelRequests: constantFrom(20, 20, 8, 1),
	});

type Case = ReturnType<typeof casesIn> extends fc.Arbitrary<infer T> ? T : never;

function questionsOf({ shape: { rows, by, filters, sort, select, limits } }: Case): Question[] {
	return Array.from({ length: rows }, (_, i): Question => {
		const [column, operands] = {
			ticketNumber: ['ticketNumber', { eq: i + 1 }],
			number2: ['ticketNumber', { eq: 1 + i * 30_000 }],
			customerId: ['customerId', { eq: customer(i) }],
			lists: ['customerId', { in: [customer(i), customer(2 * i), customer(7)] }],
			title: ['title', { eq: `${TITLES[i % TITLES.length]}${i < TITLES.length ? '' : i}` }],
			priority: ['priority', { eq: PRIORITIES[i % 4] }],
		}[by] as [string, object];
		const limit = limits[rows < 20 ? i % limits.length : 0];
		const own = rows === 1 ? filters : { ...filters, [column]: operands };
		return {
			query: { filters: own as Filters, sort, select: select as never },
			...(limit !== undefined && { limit }),
		};
	});
}

const tally = { right: 0, failed: 0 };

async function judge(one: Case): Promise<void> {
	const { offset, pageSize, parallelRequests, world: is } = one;
	const tickets = ticketsOf(one.seeded);
	const service = new WorldService(tickets, is);
	const latency = is.latency[0] > 0 ? service.latencyMs : 0;
	const { context } = fakeRuntime(({ body, at }) => service.answer(body, at), { latency });
	const questions = questionsOf(one);
	const { answers } = await answerAll(
		questions,
		{ offset, pageSize, parallelRequests, timeoutMs: 1_000 },
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
	// Those that came too soon are a matter of pace.
	const spent = service.requests;
	const problems: string[] = [];
	const isHiding = is.hidesOneIn + is.showsOneIn > 0;
	const isSteady =
		!(isHiding && is.cap < 25) &&
		is.changes === 'none' &&
		is.otherSpelling === 'refused' &&
		is.more !== 'late' &&
		is.maxRules > 2 &&
		is.latency[0] === 0 &&
		pageSize >= 10 &&
		!one.seeded.isMoment &&
		!isOneNumber(one);
	// Side by side, searches each find out by themselves that tickets are hidden, and where numbers below 1 end if nothing sorts them.
	const isUnsorted = is.ignores.includes('sort') && one.seeded.from < 1;
	const perSearch = (isHiding ? 25 : 0) + (isUnsorted ? 60 : 0) + (is.downFrom < Infinity ? 5 : 0);
	const spare = 40 + perSearch * distinct.size;
	if (isSteady && spent > 4 * pages + spare) problems.push(`REQUESTS ${spent} for ${pages} pages`);
	for (const question of questions) {
		const { rows, failure, position } = answers.get(question) ?? { rows: [] };
		if (failure) {
			tally.failed += 1;
			if (!position && questions.length === 1) problems.push('NO POSITION');
			if (mayNotFail(one, question))
				problems.push(`FAILED ${'message' in failure ? failure.message : failure.kind}`);
			continue;
		}
		tally.right += 1;
		const wrong = wrongIn(one, service, question, rows);
		if (wrong) problems.push(wrong);
	}
	if (problems.length > 0) throw new Error([...new Set(problems)].slice(0, 4).join(' | '));
}

/** Whether tickets cannot be told apart: without IDs, those of one number or of none. */
const hasTwins = ({ withoutIds }: World, { sharing, numberless }: Case['seeded']): boolean =>
	withoutIds && (sharing > 1 || numberless > 0);

/** Whether many tickets have one number, so that no order holds between them: no service does so, and all must only end. */
const isOneNumber = ({ seeded }: Case): boolean => seeded.sharing > 2;

/** Whether a list of the user is longer than the service heeds. */
const isTooLong = ({ listCap }: World, { filters }: Query): boolean =>
	Object.values(filters).some((operands) => listOf(operands, 'in').length > listCap);

/** Whether a backslash in a pattern stands for itself, which shows only where the service finds something. */
const isUnknownEscape = ({ escapes }: World, { filters }: Query): boolean =>
	!escapes && JSON.stringify(filters.title ?? {}).includes('\\\\');

/** Nothing in such a world keeps a search from being right. */
const mayNotFail = (one: Case, { query }: Question): boolean => {
	const { world: is, seeded } = one;
	if (hasTwins(is, seeded) || isOneNumber(one) || isUnknownEscape(is, query)) return false;
	// A page of few tickets need not show one that stayed.
	if (is.changes !== 'none' && one.pageSize < 5) return false;
	if (query.sort.length > is.maxRules || isTooLong(is, query)) return false;
	const asFriendly: Array<keyof World> = [
		...(['showsOneIn', 'hidesOneIn', 'drops', 'offsetCap', 'ignores', 'otherSpelling'] as const),
		'downFrom',
	];
	const isHarmless = asFriendly.every((name) => isEqual(is[name], friendly[name]));
	const isLongListOpen = is.longList === 'reset' || is.longList === 403 || is.longList === 500;
	return isHarmless && !isLongListOpen && is.more !== 'always' && is.more !== 'unlessEmpty';
};

function wrongIn(
	{ offset, pageSize, world: is, seeded, shape }: Case,
	service: WorldService,
	{ query, limit }: Question,
	rows: readonly object[],
): string | undefined {
	const { filters, sort, select } = query;
	const isHiding = is.hidesOneIn > 0 || is.showsOneIn > 0;
	if (isHiding && is.more === 'unlessEmpty') return undefined;
	// Whole pages may be hidden, and nothing tells how far to go on from an empty one.
	if (is.showsOneIn > 0 && is.cap < (is.showsOneIn > 3 ? 100 : 25)) return undefined;
	const smallest = Math.min(is.cap, pageSize);
	if (isHiding && smallest <= 25 && shape.rows > 1) return undefined;
	if (hasTwins(is, seeded) || (seeded.sharing > 2 && is.offsetCap < pageSize)) return undefined;
	if (offset > is.offsetCap) return undefined;
	if (
		offset > 0 &&
		(isHiding || is.joins || is.drops !== '' || /offset|filters/.test(is.ignores.join()))
	)
		return undefined;
	// A hint says so.
	if (isUnknownEscape(is, query) && (rows.length === 0 || offset > 0)) return undefined;
	// A list of the user that is heeded in part: no row shows it.
	if (isTooLong(is, query)) return undefined;
	const isOnePage = limit !== undefined && limit <= pageSize;
	const isTotal = sort.length === 0 || !(isOnePage || is.maxRules === 1);
	const byNumber: SortRule = {
		column: 'ticketNumber',
		direction: sort.length > 0 ? 'asc' : 'desc',
	};
	const rules = isTotal ? [...sort, byNumber] : sort;
	const all = service.expected(filters, rules);
	const nameOf = ({ id, ticketNumber }: Partial<Kept>): string => id ?? `#${ticketNumber}`;
	const names = rows.map(nameOf);
	const byName = new Map(
		all.flatMap((one) => [one.id, `#${one.ticketNumber}`].map((name) => [name, one])),
	);
	const isNamed = select.length === 0 || (select as string[]).includes('id');
	const others = isNamed ? rows.filter((_, i) => !byName.has(names[i] ?? '')) : rows;
	if (isUnknowable(service, query, others, is)) return undefined;
	if (is.changes !== 'none' || is.more === 'early') {
		if (select.length > 0) return undefined;
		if (new Set(names).size !== names.length) return 'TWICE';
		// Small pages that hide tickets may have no row that a next one could begin with.
		const mayMoveUnseen = (isHiding && smallest < 25) || (is.maxRules === 1 && seeded.sharing > 1);
		if (limit !== undefined || offset > 0 || is.more === 'early' || mayMoveUnseen) return undefined;
		const got = new Set(names);
		const stayed = all.filter(({ id }) => !service.touched.has(id));
		const missing = stayed.filter(
			(one) => !got.has(nameOf(is.withoutIds ? { ...one, id: undefined } : one)),
		);
		return missing.length > 0 ? `LOST ${missing.length}` : undefined;
	}
	const expected = all.slice(offset, limit === undefined ? undefined : offset + limit);
	if (rows.length !== expected.length) return `COUNT ${rows.length} instead of ${expected.length}`;
	if (select.length > 0) {
		const extra = rows
			.flatMap((row) => Object.keys(row))
			.find((name) => !(select as string[]).includes(name));
		return extra === undefined ? undefined : `SELECTED ${extra}`;
	}
	const got = names.map((name) => byName.get(name));
	if (new Set(got).size !== got.length) return 'TWICE';
	if (got.includes(undefined)) return 'OTHER TICKETS';
	// A hint says that these may not be the newest, and where those without a number belong, only the service knows.
	const mayIgnore = is.ignores.includes('sort') || is.otherSpelling === 'ignored';
	const isOpen = expected.length < all.length || seeded.numberless > 0;
	if (mayIgnore && sort.length === 0 && isOpen) return undefined;
	// What ignores its sort may be in order by chance: few values, or rows without one, show little.
	const isRough = is.times === 'days' || is.times === 'noZone';
	const enough = {
		ticketNumber: seeded.numberless > 0 ? Infinity : 10,
		createdAt: isRough ? Infinity : 10,
		...{ priority: 10, isShared: 30, title: 10, closedAt: isRough ? Infinity : 10 },
	};
	const [first = byNumber] = sort;
	const isChoice = first.column === 'priority' || first.column === 'isShared';
	const values = expected.map((one, i) => (isChoice ? i : Reflect.get(one, first.column)));
	const needed = enough[first.column as keyof typeof enough] ?? Infinity;
	if (mayIgnore && Math.min(new Set(values).size, pageSize) < needed) return undefined;
	// Where the first rule leaves ties, nothing shows that the next one is ignored.
	const hasTies = seeded.sharing > 1 || seeded.isMoment || first.column === 'priority';
	for (const [i, one] of got.entries()) {
		const other = expected[i];
		for (const rule of mayIgnore && hasTies ? rules.slice(0, 1) : rules) {
			const left = Reflect.get(one ?? {}, rule.column) as never;
			const right = Reflect.get(other ?? {}, rule.column) as never;
			if (service.order(left, right, rule) !== 0)
				return `ORDER by ${rule.column} at ${i} of ${got.length}`;
		}
	}
	return undefined;
}

/** Columns without which a ticket may be. */
const nullable = ['ticketNumber', 'customerId', 'summary', 'closedAt'];

/** Whether an operator is left aside, and none of these rows shows it: empty values, other spellings of a text, and times that are shown in part match or not as the service likes. */
const isUnknowable = (
	service: WorldService,
	{ filters }: Query,
	rows: readonly object[],
	{ times }: World,
): boolean =>
	rows.length > 0 &&
	Object.entries(filters).some(([column, operands]) => {
		const kind = kindOf(column);
		const isRough = kind === 'timestamp' && /seconds|days|noZone/i.test(times);
		const isOpen = kind === 'text' || isRough;
		return Object.keys(operands).some(
			(operator) =>
				service.isDropped(column, operator) &&
				rows.every((row) => {
					const value: unknown = Reflect.get(row, column);
					return isOpen || value === null || (value === undefined && nullable.includes(column));
				}),
		);
	});

it.each([
	[
		'the interface leaves open',
		casesIn(fc.oneof(worldsWith(open, 12), worldsWith([...open, ...harmful, ...harmful], 12)), {
			most: [60, 350],
			rows: [1, 1, 1, 1, 2, 14],
			pageSizes: [3, 1],
		}),
		2_000,
	],
	[
		'no client wants',
		casesIn(worldsWith([...open, ...harmful, ...unwanted], 3), {
			most: [350, 4_000],
			rows: [2, 30, 120],
			pageSizes: [10],
		}),
		250,
	],
] as const)(
	'gives the right tickets, complete and in order, or says why not, and ends, whatever a service does that %s',
	async (_, cases, runs) => {
		Object.assign(tally, { right: 0, failed: 0 });
		await fc.assert(fc.asyncProperty(cases, judge), { ...propertyRuns(runs), endOnFailure: true });
		// Errors are the exception, else they would hide what this is for.
		expect(tally.failed).toBeLessThan(tally.right);
	},
	600_000,
);

/** Asks these questions in a world of tickets. */
async function ask(
	is: Partial<World>,
	questions: readonly Question[],
	{ tickets = ticketsOf({ count: 343, seed: 7, spread: 0 }), pageSize = 100 } = {},
) {
	const service = new WorldService(tickets, { ...friendly, ...is });
	const { context, sent } = fakeRuntime(({ body }) => service.answer(body));
	const settings = { offset: 0, pageSize, parallelRequests: 20, timeoutMs: 1_000 };
	const { answers } = await answerAll(questions, settings, context().client);
	const all = questions.map((question) => answers.get(question) ?? { rows: [] });
	return { all, tickets, requests: sent.length };
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
		const { all, tickets } = await ask({ listCap: 1 }, asked);
		for (const [i, { rows, failure }] of all.entries()) {
			const own = tickets.filter(({ customerId }) => customerId === customer(i));
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
			const tickets = ticketsOf({ count, seed: 7, spread: 0 });
			const sort: SortRule[] = [{ column: 'title', direction: 'asc' }];
			const asked = [undefined, 40, 280].map((limit) => question({}, limit ? { limit } : {}));
			for (const { query, ...more } of asked) {
				const one = { query: { ...query, sort }, ...more };
				const { all, requests } = await ask({ more: 'unlessEmpty', cap }, [one], { tickets });
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
		const tickets = ticketsOf({ count: 900, seed: 3, spread: 0, numberless: 2 }).slice(1);
		const { all } = await ask({ showsOneIn: 10 }, [question({})], { tickets });
		const service = new WorldService(tickets, { ...friendly, showsOneIn: 10 });
		expect(all[0]?.failure).toBeUndefined();
		expect(all[0]?.rows).toHaveLength(service.expected({}, []).length);
	});

	it('a page has two tickets and many share a number far away, none is lost', async () => {
		const tickets = ticketsOf({ count: 137, seed: 57_366_560, spread: 1, sharing: 60 });
		const { all } = await ask({ cap: 2 }, [question({})], { tickets });
		expect(all[0]?.failure).toBeUndefined();
		expect(all[0]?.rows).toHaveLength(137);
	});

	it('the service does not sort and the first pages have one number, none is lost', async () => {
		const tickets = ticketsOf({ count: 198, seed: 7, spread: 0, sharing: 60 });
		const { all } = await ask({ ignores: ['sort'] }, [question({})], { tickets, pageSize: 10 });
		expect(all[0]?.failure).toBeUndefined();
		expect(all[0]?.rows).toHaveLength(198);
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
		const tickets = ticketsOf({ count: 3_513, seed: 2, spread: 0 });
		const sort: SortRule[] = [{ column: 'priority', direction: 'asc' }];
		const asked = TITLES.slice(0, 6).map((title): Question => ({
			query: { ...question({ title: { eq: title } }).query, sort },
		}));
		const { all } = await ask({ hidesOneIn: 10, cap: 25 }, asked, { tickets });
		const service = new WorldService(tickets, { ...friendly, hidesOneIn: 10 });
		for (const [i, { rows, failure }] of all.entries())
			if (!failure)
				expect(rows).toHaveLength(service.expected(asked[i]?.query.filters ?? {}, []).length);
	});

	it('all is right, small pages cost no more than they hold', async () => {
		const tickets = ticketsOf({ count: 193, seed: 3, spread: 30_000 });
		const { all, requests } = await ask({}, [question({})], { tickets, pageSize: 3 });
		expect(all[0]?.rows).toHaveLength(193);
		expect(requests).toBeLessThanOrEqual(3 * 65 + 30);
	});

	it('tickets come in no order, numbers are found in few requests', async () => {
		const tickets = ticketsOf({ count: 600, seed: 3, spread: 0 });
		const { all, requests } = await ask({ ignores: ['sort'] }, [question({})], { tickets });
		expect(all[0]?.rows).toHaveLength(600);
		expect(requests).toBeLessThanOrEqual(3 * 6 + 30);
	});

	it('a bound on a time is a ticket of half a second before shows it', async () => {
		const filters = { closedAt: { gte: iso(START + 1_000_000) } };
		const { all } = await ask({ drops: 'timestamp.gte' }, [question(filters)]);
		expect(all[0]?.failure).toMatchObject({ kind: 'contract' });
	});

	it.each(shapesOfTimes.filter((shape) => shape !== 'days' && shape !== 'noZone'))(
		'times are shown as %s, tickets of another hour show that the bound is ignored',
		async (times) => {
			const tickets = ticketsOf({ count: 60, seed: 7, spread: 0, isMoment: true });
			const filters = { createdAt: { gte: iso(START + 3_600_000_000) } };
			const { all } = await ask({ drops: 'timestamp.gte', times }, [question(filters)], {
				tickets,
			});
			expect(all[0]?.failure).toMatchObject({ kind: 'contract' });
		},
	);

	it('many searches end on their third page, few pages behind are asked for', async () => {
		const tickets = ticketsOf({ count: 4_000, seed: 7, spread: 0 });
		const asked = [1, 2, 3, 4, 5, 6].map((n) =>
			question({ customerId: { in: [n, 10 + n, 20 + n].map(customer) } }, { limit: 1_000 }),
		);
		const { all, requests } = await ask({}, asked, { tickets });
		expect(all.every(({ rows }) => rows.length > 200 && rows.length < 300)).toBe(true);
		expect(requests).toBeLessThanOrEqual(3 * 18);
	});

	it('all tickets have one number, few requests find that out', async () => {
		const tickets = ticketsOf({ count: 198, seed: 7, spread: 0, sharing: 400 });
		const { all, requests } = await ask({}, [question({})], { tickets });
		expect(all[0]?.rows).toHaveLength(198);
		expect(requests).toBeLessThanOrEqual(10);
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
			const tickets = [{ ...first, closedAt: START + 1_001_000 }, ...others];
			const matching = new WorldService(tickets, friendly).expected(filters, []);
			const is = { drops: `${kind}.${operator}` };
			const whole = await ask(is, [question(filters)], { tickets });
			// Where every ticket matches anyway, there is nothing to find out.
			if (matching.length === tickets.length) expect(whole.all[0]?.rows).toHaveLength(343);
			else expect(whole.all[0]?.failure).toMatchObject({ kind: 'contract' });
			const page = await ask(is, [question(filters, { limit: 50 })], { tickets });
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
		'%s from request %d on end soon, with that error',
		async (down, downFrom) => {
			for (const by of ['customer', 'pattern']) {
				const { all, requests } = await ask({ down, downFrom }, many(by));
				const failed = all.flatMap(({ failure }) => failure ?? []);
				expect(failed.length > 0).toBe(requests >= downFrom);
				const own = down === 'reset' ? 'connection' : 'api';
				expect(failed.filter(({ kind }) => kind !== own && kind !== 'held')).toEqual([]);
				const attempts = down === 429 ? 12 : 5;
				expect(requests).toBeLessThanOrEqual(3 * (downFrom - 1) + attempts * 20 + 30);
			}
		},
		30_000,
	);
});
