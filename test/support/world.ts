import fc from 'fast-check';
import mapValues from 'lodash/mapValues';
import { createTokenBucket } from '../../sandbox/tokenBucket.mts';
import type { HttpResult } from '../../src/core/http';
import type { SortRule } from '../../src/tickets/search/query';
import { lost, reply } from './fakeRuntime';
import { listOf, members } from './samples';

/** How a service fills what its interface leaves open, and what it may do that no client wants. */
export interface World {
	/** One in so many tickets is shown, or one in so many is hidden, after a page was cut; 0 for none. */
	readonly showsOneIn: number;
	readonly hidesOneIn: number;
	/** Whether it says that more follow: where an empty page does, not where it hid tickets, always, or while a page is not empty. */
	readonly more: 'exactly' | 'late' | 'early' | 'always' | 'unlessEmpty';
	/** Operators that it leaves aside, on one kind of column or on all, or a kind of column. */
	readonly drops: string;
	/** The most values of a list that it heeds, and what a longer one ends in. */
	readonly listCap: number;
	readonly longList: 'firstOnes' | 'lastOnes' | 'ignored' | 400 | 403 | 413 | 422 | 500 | 'reset';
	/** Whether a join doubles some rows. */
	readonly joins: boolean;
	/** The order of text; comparisons go by it as well, or letter by letter: those with a list, or all. */
	readonly collation: Collation;
	readonly exact: 'none' | 'lists' | 'all';
	/** Whether a backslash takes the meaning of `%` and `_` in a pattern away. */
	readonly escapes: boolean;
	/** What an offset beyond so many ends in. */
	readonly offsetCap: number;
	readonly beyond: 'clamped' | 'empty' | 'emptyMore' | 400 | 500;
	readonly ignores: readonly Ignored[];
	/** The most rows of a page. */
	readonly cap: number;
	readonly numbersAsText: boolean;
	readonly withoutIds: boolean;
	/** Whether a ticket that was given none has its number shown as null, or not at all. */
	readonly noNumber: 'null' | 'leftOut';
	/** One in so many tickets shows no time that can be read; 0 for none. */
	readonly spoilsOneIn: number;
	/** How times are shown; they are kept in microseconds. */
	readonly times: (typeof shapesOfTimes)[number];
	/** How it spells sort rules and columns, and whether it refuses or ignores the other spelling. */
	readonly sort: 'field' | 'column';
	readonly select: 'object' | 'list';
	readonly otherSpelling: 'refused' | 'ignored';
	/** The most sort rules that it takes. */
	readonly maxRules: number;
	/** How it refuses the other spelling or more rules, and whether it says why. */
	readonly refusal: 400 | 422;
	readonly givesDetails: boolean;
	/** From which request on every one ends so. */
	readonly downFrom: number;
	readonly down: 400 | 401 | 403 | 404 | 429 | 500 | 503 | 'reset' | 'redirect' | 'html';
	readonly nullsFirst: 'never' | 'always' | 'asc' | 'desc';
	/** From the first to the last. */
	readonly priorities: readonly string[];
	readonly defaultOrder: keyof typeof defaultOrders;
	/** What happens to tickets between two requests; those that come late were created before. */
	readonly changes: 'none' | 'comeAndGo' | 'comeLate';
	/** How many requests it takes: all, some in each second, or one for each token of a bucket; and whether it says when to come again. */
	readonly takes: 'all' | 'window' | 'tokens';
	readonly saysWhen: boolean;
	/** Ms for a response, and for each further request in progress. */
	readonly latency: readonly [ms: number, moreMs: number];
}

const ignorable = ['sort', 'select', 'limit', 'offset'] as const;
type Ignored = (typeof ignorable)[number] | 'filters';

export const shapesOfTimes = [
	...(['ms', 'micro', 'seconds', 'days', 'noZone', 'offset'] as const),
	...(['epochMs', 'epochSeconds', 'epochText'] as const),
] as const;

const defaultOrders = {
	stored: [],
	newest: [{ column: 'createdAt', direction: 'desc' }],
	number: [{ column: 'ticketNumber', direction: 'asc' }],
} as const satisfies Record<string, readonly SortRule[]>;

export const PRIORITIES = ['urgent', 'high', 'medium', 'low'] as const;

export const friendly: World = {
	showsOneIn: 0,
	hidesOneIn: 0,
	more: 'exactly',
	drops: '',
	listCap: Infinity,
	longList: 'firstOnes',
	joins: false,
	collation: 'binary',
	exact: 'none',
	escapes: true,
	offsetCap: Infinity,
	beyond: 'clamped',
	ignores: [],
	cap: 100,
	numbersAsText: false,
	withoutIds: false,
	noNumber: 'null',
	spoilsOneIn: 0,
	times: 'ms',
	sort: 'field',
	select: 'object',
	otherSpelling: 'refused',
	maxRules: 9,
	refusal: 400,
	givesDetails: true,
	downFrom: Infinity,
	down: 503,
	nullsFirst: 'never',
	priorities: PRIORITIES,
	defaultOrder: 'stored',
	changes: 'none',
	takes: 'all',
	saysWhen: true,
	latency: [0, 0],
};

/** What services may be like in one respect: values of members that belong together. */
export type Quirk = { readonly [Name in keyof World]?: ReadonlyArray<World[Name]> };

/** Ignores parts of each request. */
export const ignoring: fc.Arbitrary<Partial<World>> = fc.record({
	ignores: fc.subarray<Ignored>([...ignorable], { minLength: 1 }),
});

/** Worlds that are friendly but for so many quirks. */
export const worldsWith = (
	quirks: ReadonlyArray<Quirk | typeof ignoring>,
	maxLength: number,
): fc.Arbitrary<World> => {
	const drawn = quirks.map((quirk) =>
		quirk instanceof fc.Arbitrary
			? quirk
			: fc.record(mapValues(quirk, (values = []) => fc.constantFrom<unknown[]>(...values))),
	);
	return fc
		.array(
			fc.constantFrom<Array<fc.Arbitrary<object>>>(...drawn).chain((one) => one),
			{ maxLength, size: 'max' },
		)
		.map((some) => Object.assign({}, friendly, ...some) as World);
};

/** A ticket as it is kept; times are in microseconds. */
export interface Kept {
	readonly id: string;
	/** Several tickets may share one, and some have none. */
	readonly ticketNumber: number | null;
	readonly title: string;
	readonly summary: string | null;
	readonly priority: string;
	readonly customerId: string | null;
	readonly isShared: boolean;
	readonly createdAt: number;
	readonly closedAt: number | null;
	readonly updatedAt: number;
	/** Where a test is about waiting. */
	readonly firstResponseAt?: number | null;
	readonly lastCustomerActivityAt?: number | null;
	readonly lastAgentActivityAt?: number | null;
	readonly snoozedUntil?: number | null;
}

export const START = Date.UTC(2026, 0, 1) * 1_000;

/** A ticket whose ID says that it is the n-th. */
export const kept = (n: number, more: Partial<Kept> = {}): Kept => ({
	id: `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`,
	ticketNumber: n,
	title: 'x',
	summary: null,
	priority: 'low',
	customerId: null,
	isShared: false,
	createdAt: START,
	closedAt: null,
	updatedAt: START,
	...more,
});

type Value = string | number | boolean | null;
type Compare = (a: string, b: string) => number;

const comparing = (locale: string, options: Intl.CollatorOptions): Compare =>
	new Intl.Collator(locale, options).compare;
const plain: Compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** In what order text stands, and when it is the same. */
export const collations = {
	binary: plain,
	ignoresCase: comparing('en', { sensitivity: 'accent' }),
	ignoresAccents: comparing('de', { sensitivity: 'base' }),
	pads: (a: string, b: string) => plain(a.trimEnd().toLowerCase(), b.trimEnd().toLowerCase()),
	danish: comparing('da', { sensitivity: 'base' }),
	numeric: comparing('cs', { numeric: true, sensitivity: 'base', ignorePunctuation: true }),
} as const satisfies Record<string, Compare>;

export type Collation = keyof typeof collations;

const isTime = (column: string): boolean => /(At|Until)$/.test(column);
const isText = (column: string): boolean => column === 'title' || column === 'summary';

export const kindOf = (column: string): string =>
	isTime(column)
		? 'timestamp'
		: isText(column)
			? 'text'
			: ({ ticketNumber: 'number', isShared: 'boolean', priority: 'priority' }[column] ??
				'identifier');

/** Microseconds of an ISO time. */
export function microsOf(iso: string): number {
	const fraction = /[.](\d+)/.exec(iso)?.[1] ?? '';
	const whole = Date.parse(iso.replace(/[.]\d+/, ''));
	return whole * 1_000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}

/** A service in such a world. */
export class WorldService {
	requests = 0;

	/** Tickets that came, went or changed between requests. */
	readonly touched = new Set<string>();

	private readonly found = new Map<string, readonly Kept[]>();

	private tickets: readonly Kept[];

	private readonly late: Kept[] = [];

	private readonly is: World;

	private readonly hasToken = createTokenBucket({ perSecond: 10, burst: 3 });

	private readonly inSecond = { second: NaN, count: 0 };

	constructor(tickets: readonly Kept[], is: World) {
		const isLate = (_: Kept, i: number) => is.changes === 'comeLate' && i % 5 === 0;
		this.tickets = tickets.filter((one, i) => !isLate(one, i));
		this.late.push(...tickets.filter(isLate));
		for (const { id } of this.late) this.touched.add(id);
		this.is = is;
	}

	/** What happens to tickets. */
	change(tickets: readonly Kept[]): void {
		this.tickets = tickets;
		this.found.clear();
	}

	/** What a search should give, in an order in which ties are left open. */
	expected(filters: object, sort: readonly SortRule[]): Kept[] {
		return this.sorted(this.matching(filters, false).filter(this.isShown), sort);
	}

	/** How many places of pages a search has, in its order. */
	places(filters: object, sort: readonly SortRule[]): boolean[] {
		const all = this.matching(filters, false);
		const doubled = all.flatMap((one) => (this.isDoubled(one) ? [one, one] : [one]));
		return this.sorted(doubled, sort).map(this.isShown);
	}

	/** Whether it leaves aside an operator on a column. */
	isDropped(column: string, operator: string): boolean {
		const { drops, ignores } = this.is;
		const kind = kindOf(column);
		return ignores.includes('filters') || [operator, kind, `${kind}.${operator}`].includes(drops);
	}

	/** How long a response takes, by what is in progress. */
	readonly latencyMs = (_: number, inProgress: number): number => {
		const [ms, moreMs] = this.is.latency;
		return ms + moreMs * inProgress;
	};

	answer(body: unknown, atMs = 0): HttpResult {
		const waitMs = this.waitMs(atMs);
		const headers = { 'retry-after': String(Math.ceil(waitMs / 1_000)) };
		if (waitMs > 0) return reply(429, '', this.is.saysWhen ? headers : {});
		this.requests += 1;
		const { downFrom, down } = this.is;
		if (this.requests >= downFrom) {
			if (down === 'reset') return lost();
			if (down === 'redirect') return reply(302, '', { location: 'https://login.example.com' });
			if (down === 'html') return reply(200, '<html>Sign in</html>');
			return reply(down, '');
		}
		const response = this.search(members(body));
		if (this.is.changes !== 'none' && this.requests <= 60) this.comeAndGo();
		return response;
	}

	private waitMs(atMs: number): number {
		const { takes } = this.is;
		if (takes === 'tokens') return this.hasToken(atMs) ? 0 : 100;
		const second = Math.floor(atMs / 1_000);
		if (this.inSecond.second !== second) Object.assign(this.inSecond, { second, count: 0 });
		this.inSecond.count += 1;
		return takes === 'window' && this.inSecond.count > 4 ? 1_000 - (atMs % 1_000) : 0;
	}

	/** What happens to tickets after a request. */
	private comeAndGo(): void {
		const { requests: n, tickets } = this;
		const one = this.is.changes === 'comeAndGo' ? tickets[(n * 7_919) % tickets.length] : undefined;
		const came = this.late.splice(0, 1);
		if (one) {
			const id = n % 3 === 0 ? `new${n}` : one.id;
			for (const touched of [id, one.id]) this.touched.add(touched);
			if (n % 3 === 0) came.push({ ...one, id, ticketNumber: 1_000_000 + n });
			if (n % 3 === 2) came.push({ ...one, title: 'moved', isShared: !one.isShared });
		}
		const stay = n % 3 === 0 ? tickets : tickets.filter((other) => other !== one);
		this.change([...stay, ...came]);
	}

	private search(body: Readonly<Record<string, unknown>>): HttpResult {
		const { is } = this;
		const filters = members(body['filters']);
		const lists = Object.values(filters).map((one) => listOf(one, 'in'));
		const isLong = lists.some(({ length }) => length > is.listCap);
		if (isLong && is.longList === 'reset') return lost();
		if (isLong && typeof is.longList === 'number')
			return this.refuse('Too many values', is.longList);
		const rules = listOf(body, 'sort').map(members);
		const select = body['select'];
		const isSelectRight = select === undefined || Array.isArray(select) === (is.select === 'list');
		const isSortRight = rules.every((rule) => is.sort in rule);
		const wrong = [...(isSortRight ? [] : ['sort']), ...(isSelectRight ? [] : ['select'])];
		if (wrong.length > 0 && is.otherSpelling === 'refused')
			return this.refuse(`Invalid ${wrong.join(', ')}`);
		if (rules.length > is.maxRules) return this.refuse('Too many rules');
		const sort = rules.map((rule) => ({ ...rule, column: rule[is.sort] }) as unknown as SortRule);
		const names = Array.isArray(select) ? select.map(String) : Object.keys(members(select));
		const isWhole = names.length === 0 || !isSelectRight || is.ignores.includes('select');
		const all = this.find(filters, isSortRight && !is.ignores.includes('sort') ? sort : []);
		return this.page(all, members(body['pagination']), isWhole ? undefined : names);
	}

	private refuse(message: string, status: number = this.is.refusal): HttpResult {
		return reply(status, this.is.givesDetails ? { message } : '');
	}

	private page(
		all: readonly Kept[],
		pagination: object,
		names: readonly string[] | undefined,
	): HttpResult {
		const { is } = this;
		const { limit, offset } = pagination as { limit: number; offset: number };
		if (offset > is.offsetCap && typeof is.beyond === 'number') return reply(is.beyond, '');
		const isEmpty = offset > is.offsetCap && is.beyond !== 'clamped';
		const at = is.ignores.includes('offset') ? 0 : Math.min(offset, is.offsetCap);
		const end = at + (is.ignores.includes('limit') ? 25 : Math.min(limit, is.cap));
		const page = isEmpty ? [] : all.slice(at, end).filter(this.isShown);
		const data = page.map((one) => this.toWire(one, names));
		const follows = isEmpty ? is.beyond === 'emptyMore' : end < all.length;
		const hasNextPage = {
			exactly: follows,
			late: follows || (!isEmpty && end === all.length),
			early: follows && data.length === limit,
			always: true,
			unlessEmpty: data.length > 0,
		}[is.more];
		return reply(200, { data, metadata: { hasNextPage } });
	}

	private find(filters: object, sort: readonly SortRule[]): readonly Kept[] {
		const key = JSON.stringify([filters, sort]);
		const known = this.found.get(key);
		if (known) return known;
		const found = this.matching(filters, true).flatMap((one) =>
			this.isDoubled(one) ? [one, one] : [one],
		);
		const all = this.sorted(found, sort.length > 0 ? sort : defaultOrders[this.is.defaultOrder]);
		this.found.set(key, all);
		return all;
	}

	private sorted(tickets: readonly Kept[], sort: readonly SortRule[]): Kept[] {
		const keyed = tickets.map((one) => ({
			one,
			keys: sort.map(({ column }) => valueOf(one, column)),
		}));
		keyed.sort((a, b) => {
			for (const [i, rule] of sort.entries()) {
				const order = this.order(a.keys[i] ?? null, b.keys[i] ?? null, rule);
				if (order !== 0) return order;
			}
			return 0;
		});
		return keyed.map(({ one }) => one);
	}

	order(left: Value, right: Value, { column, direction }: SortRule): number {
		const { nullsFirst, collation, priorities } = this.is;
		if (left === right) return 0;
		if (left === null || right === null)
			return (left === null) === ['always', direction].includes(nullsFirst) ? -1 : 1;
		const sign = direction === 'desc' ? -1 : 1;
		if (isText(column)) return sign * collations[collation](String(left), String(right));
		if (column !== 'priority') return sign * (left < right ? -1 : 1);
		return sign * (priorities.indexOf(String(left)) - priorities.indexOf(String(right)));
	}

	readonly isShown = (one: Kept): boolean => {
		const { showsOneIn, hidesOneIn } = this.is;
		const n = scattered(one);
		if (showsOneIn > 0 && n % showsOneIn !== 0) return false;
		return hidesOneIn === 0 || n % hidesOneIn !== 0;
	};

	readonly isSpoiled = (one: Kept): boolean =>
		this.is.spoilsOneIn > 0 && (scattered(one) + 1) % this.is.spoilsOneIn === 0;

	private readonly isDoubled = (one: Kept): boolean => this.is.joins && serialOf(one) % 3 === 0;

	/** The tickets that match, or that the service takes for such; there are many, so what they are tested with is made once. */
	private matching(filters: object, isReal: boolean): Kept[] {
		const { listCap, longList, escapes } = this.is;
		const isIgnored = (name: string, operand: unknown) =>
			name === 'in' && longList === 'ignored' && listOf({ operand }, 'operand').length > listCap;
		const tests = Object.entries(filters).flatMap(([column, operands]) =>
			Object.entries(members(operands))
				.filter(([name, one]) => !isReal || !(this.isDropped(column, name) || isIgnored(name, one)))
				.map(([operator, operand]) => ({
					column,
					isMatch: this.testOf(operator, this.listed(operand, isReal, operator), {
						column,
						escapes: escapes || !isReal,
					}),
				})),
		);
		return this.tickets.filter((one) =>
			tests.every(({ column, isMatch }) => isMatch(valueOf(one, column))),
		);
	}

	private listed(operand: unknown, isReal: boolean, operator: string): unknown {
		const { listCap, longList } = this.is;
		if (!isReal || operator !== 'in' || !Array.isArray(operand)) return operand;
		if (longList === 'firstOnes') return operand.slice(0, listCap);
		if (longList === 'lastOnes' && listCap < operand.length) return operand.slice(-listCap);
		return operand;
	}

	private testOf(
		operator: string,
		operand: unknown,
		{ column, escapes }: { column: string; escapes: boolean },
	): (value: Value) => boolean {
		const read = (one: unknown): Value =>
			(isTime(column) && typeof one === 'string' ? microsOf(one) : one) as Value;
		const all: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
		const { collation, exact } = this.is;
		const isExact = exact === 'all' || (exact === 'lists' && Array.isArray(operand));
		const compare = collations[isExact ? 'binary' : collation];
		const values = new Set(all.map(read));
		const texts = all.map(String);
		const isSame = (value: Value): boolean =>
			value !== null &&
			(isText(column) ? texts.some((one) => compare(String(value), one) === 0) : values.has(value));
		const isEmpty = (value: Value): boolean => value === null || (isText(column) && value === '');
		const bound = read(operand);
		switch (operator) {
			case 'eq':
			case 'in':
				return isSame;
			case 'ne':
			case 'notIn':
				return (value) => value !== null && !isSame(value);
			case 'isNull':
				return (value) => (value === null) === operand;
			case 'isNotNull':
				return (value) => (value !== null) === operand;
			case 'isEmpty':
				return (value) => isEmpty(value) === operand;
			case 'isNotEmpty':
				return (value) => !isEmpty(value) === operand;
			case 'gt':
				return (value) => value !== null && bound !== null && value > bound;
			case 'gte':
				return (value) => value !== null && bound !== null && value >= bound;
			case 'lt':
				return (value) => value !== null && bound !== null && value < bound;
			case 'lte':
				return (value) => value !== null && bound !== null && value <= bound;
			default: {
				const parts = escapes ? /\\([^])|[^]/g : /[^]/g;
				const source = String(operand).replace(parts, (part, escaped?: string | number) =>
					typeof escaped === 'string' ? quoted(escaped, false) : quoted(part, true),
				);
				const isFolded = operator.toLowerCase().includes('ilike');
				const pattern = new RegExp(`^${source}$`, isFolded ? 'i' : '');
				const isNot = operator.startsWith('not');
				return (value) => value !== null && pattern.test(String(value)) !== isNot;
			}
		}
	}

	private toWire(one: Kept, names?: readonly string[]): object {
		const { withoutIds, numbersAsText, noNumber } = this.is;
		const { ticketNumber } = one;
		const wire: Record<string, unknown> = {
			...one,
			ticketNumber: numbersAsText && ticketNumber !== null ? String(ticketNumber) : ticketNumber,
			source: 'api',
			description: null,
		};
		for (const column of Object.keys(one).filter(isTime))
			wire[column] = this.isSpoiled(one) ? 'some day' : this.shownTime(valueOf(one, column));
		if (withoutIds) delete wire['id'];
		if (ticketNumber === null && noNumber === 'leftOut') delete wire['ticketNumber'];
		if (names === undefined) return wire;
		return Object.fromEntries(Object.entries(wire).filter(([name]) => names.includes(name)));
	}

	private shownTime(micros: Value): unknown {
		if (typeof micros !== 'number') return null;
		const ms = Math.floor(micros / 1_000);
		const iso = new Date(ms).toISOString();
		const rest = String(micros % 1_000).padStart(3, '0');
		switch (this.is.times) {
			case 'ms':
				return iso;
			case 'micro':
				return `${iso.slice(0, -1)}${rest}Z`;
			case 'seconds':
				return `${iso.slice(0, 19)}Z`;
			case 'days':
				return iso.slice(0, 10);
			case 'noZone':
				return `${iso.slice(0, -1)}${rest}`;
			case 'offset':
				return new Date(ms + 7_200_000).toISOString().replace('Z', '+02:00');
			case 'epochMs':
				return ms;
			case 'epochSeconds':
				return Math.floor(ms / 1_000);
			case 'epochText':
				return String(ms);
		}
	}
}

/** What differs from ticket to ticket, whatever its number is. */
const serialOf = ({ id }: Kept): number => Number(id.slice(-12));

/** A number that tells little of the serial. */
const scattered = (one: Kept): number => (serialOf(one) * 7_919) % 10_007;

const valueOf = (one: Kept, column: string): Value =>
	(Reflect.get(one, column) as Value | undefined) ?? null;

const quoted = (part: string, isMark: boolean): string => {
	if (isMark && part === '%') return '[^]*';
	if (isMark && part === '_') return '[^]';
	return part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
};
