import fc from 'fast-check';
import mapValues from 'lodash/mapValues';
import type { HttpResult } from '../../src/core/http';
import { lost, reply } from './fakeRuntime';
import { listOf, members } from './samples';

/** What a service may do that no client wants. */
export interface World {
	/** One in so many tickets is shown, or one in so many is hidden, after a page was cut; 0 for none. */
	readonly showsOneIn: number;
	readonly hidesOneIn: number;
	/** Whether it always says that more follow, or only while a page is not empty. */
	readonly more: 'exactly' | 'always' | 'unlessEmpty';
	/** Operators that it leaves aside, on one kind of column or on all. */
	readonly drops: string;
	/** The most values of a list that it heeds, and what a longer one ends in. */
	readonly listCap: number;
	readonly longList: 'firstOnes' | 'lastOnes' | 400 | 403 | 413 | 500 | 'reset';
	/** Whether a join doubles some rows. */
	readonly joins: boolean;
	readonly collation: Collation;
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
	/** How times are shown; they are kept in microseconds. */
	readonly times: 'ms' | 'micro' | 'seconds' | 'noZone';
	/** The sort rules and the columns that it takes in the formal spelling, or refuses. */
	readonly spelling: 'formal' | 'narrative';
	/** From which request on every one ends so. */
	readonly downFrom: number;
	readonly down: 401 | 403 | 404 | 429 | 500 | 503 | 'reset' | 'redirect' | 'html';
	readonly nullsFirst: boolean;
}

const ignorable = ['sort', 'select', 'limit', 'offset'] as const;
type Ignored = (typeof ignorable)[number];

export const friendly: World = {
	showsOneIn: 0,
	hidesOneIn: 0,
	more: 'exactly',
	drops: '',
	listCap: Infinity,
	longList: 'firstOnes',
	joins: false,
	collation: 'binary',
	offsetCap: Infinity,
	beyond: 'clamped',
	ignores: [],
	cap: 100,
	numbersAsText: false,
	withoutIds: false,
	noNumber: 'null',
	times: 'ms',
	spelling: 'formal',
	downFrom: Infinity,
	down: 503,
	nullsFirst: false,
};

/** What services may be like in one respect: values of members that belong together. */
type Quirk = { readonly [Name in keyof World]?: ReadonlyArray<World[Name]> };

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
			{ maxLength },
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

	private readonly found = new Map<string, readonly Kept[]>();

	private tickets: readonly Kept[];

	private readonly is: World;

	constructor(tickets: readonly Kept[], is: World) {
		this.tickets = tickets;
		this.is = is;
	}

	/** What happens to tickets. */
	change(tickets: readonly Kept[]): void {
		this.tickets = tickets;
		this.found.clear();
	}

	/** What a search should give, in an order in which ties are left open. */
	expected(filters: object, sort: ReadonlyArray<{ column: string; direction: string }>): Kept[] {
		return this.matching(filters, false)
			.filter(this.isShown)
			.sort((a, b) => this.compare(a, b, sort));
	}

	/** How many places of pages a search has, in its order. */
	places(filters: object, sort: ReadonlyArray<{ column: string; direction: string }>): boolean[] {
		const all = this.matching(filters, false);
		const doubled = all.flatMap((one) => (this.isDoubled(one) ? [one, one] : [one]));
		return doubled.sort((a, b) => this.compare(a, b, sort)).map(this.isShown);
	}

	answer(body: unknown): HttpResult {
		this.requests += 1;
		const { downFrom, down } = this.is;
		if (this.requests >= downFrom) {
			if (down === 'reset') return lost();
			if (down === 'redirect') return reply(302, '', { location: 'https://login.example.com' });
			if (down === 'html') return reply(200, '<html>Sign in</html>');
			return reply(down, '');
		}
		return this.search(members(body));
	}

	private search(body: Readonly<Record<string, unknown>>): HttpResult {
		const { is } = this;
		const filters = members(body['filters']);
		const lists = Object.values(filters).flatMap((one) => [listOf(one, 'in')]);
		const isLong = lists.some(({ length }) => length > is.listCap);
		if (isLong && is.longList === 'reset') return lost();
		if (isLong && typeof is.longList === 'number') return reply(is.longList, '');
		const key = is.spelling === 'formal' ? 'field' : 'column';
		const rules = listOf(body, 'sort').map(members);
		const select = body['select'];
		if (rules.some((rule) => !(key in rule))) return reply(400, { message: 'Invalid sort' });
		if (select !== undefined && Array.isArray(select) === (is.spelling === 'formal'))
			return reply(400, { message: 'Invalid select' });
		const { limit, offset } = members(body['pagination']) as { limit: number; offset: number };
		if (offset > is.offsetCap && typeof is.beyond === 'number') return reply(is.beyond, '');
		const isEmpty = offset > is.offsetCap && is.beyond !== 'clamped';
		const sort = is.ignores.includes('sort')
			? []
			: rules.map((rule) => ({ column: String(rule[key]), direction: String(rule['direction']) }));
		const all = this.find(filters, sort);
		const at = is.ignores.includes('offset') ? 0 : Math.min(offset, is.offsetCap);
		const end = at + (is.ignores.includes('limit') ? 25 : Math.min(limit, is.cap));
		const page = isEmpty ? [] : all.slice(at, end).filter(this.isShown);
		const names = Array.isArray(select) ? select.map(String) : Object.keys(members(select));
		const isWhole = names.length === 0 || is.ignores.includes('select');
		const data = page.map((one) => this.toWire(one, isWhole ? undefined : names));
		const follows = isEmpty ? is.beyond === 'emptyMore' : end < all.length;
		const more = { exactly: follows, always: true, unlessEmpty: data.length > 0 }[is.more];
		return reply(200, { data, metadata: { hasNextPage: more } });
	}

	private find(
		filters: object,
		sort: ReadonlyArray<{ column: string; direction: string }>,
	): readonly Kept[] {
		const key = JSON.stringify([filters, sort]);
		const known = this.found.get(key);
		if (known) return known;
		const all = this.matching(filters, true)
			.flatMap((one) => (this.isDoubled(one) ? [one, one] : [one]))
			.sort((a, b) => this.compare(a, b, sort));
		this.found.set(key, all);
		return all;
	}

	private compare(
		a: Kept,
		b: Kept,
		sort: ReadonlyArray<{ column: string; direction: string }>,
	): number {
		for (const { column, direction } of sort) {
			const order = this.order(valueOf(a, column), valueOf(b, column), { column, direction });
			if (order !== 0) return order;
		}
		return 0;
	}

	order(
		left: Value,
		right: Value,
		{ column, direction }: { column: string; direction: string },
	): number {
		const { nullsFirst, collation } = this.is;
		if (left === right) return 0;
		if (left === null || right === null) return (left === null) === nullsFirst ? -1 : 1;
		const sign = direction === 'desc' ? -1 : 1;
		if (isText(column)) return sign * collations[collation](String(left), String(right));
		return sign * (left < right ? -1 : 1);
	}

	private readonly isShown = (one: Kept): boolean => {
		const { showsOneIn, hidesOneIn } = this.is;
		const n = (serialOf(one) * 7_919) % 10_007;
		if (showsOneIn > 0 && n % showsOneIn !== 0) return false;
		return hidesOneIn === 0 || n % hidesOneIn !== 0;
	};

	private readonly isDoubled = (one: Kept): boolean => this.is.joins && serialOf(one) % 3 === 0;

	/** The tickets that match, or that the service takes for such; there are many, so what they are tested with is made once. */
	private matching(filters: object, isReal: boolean): Kept[] {
		const { drops } = this.is;
		const tests = Object.entries(filters).flatMap(([column, operands]) =>
			Object.entries(members(operands))
				.filter(([name]) => !isReal || (drops !== name && drops !== `${kindOf(column)}.${name}`))
				.map(([operator, operand]) => ({
					column,
					isMatch: this.testOf(operator, this.listed(operand, isReal, operator), column),
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

	private testOf(operator: string, operand: unknown, column: string): (value: Value) => boolean {
		const read = (one: unknown): Value =>
			(isTime(column) && typeof one === 'string' ? microsOf(one) : one) as Value;
		const all: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
		const compare = collations[this.is.collation];
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
				const source = String(operand).replace(/\\([^])|[^]/g, (part, escaped?: string) =>
					quoted(escaped ?? part, escaped === undefined),
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
			wire[column] = this.shownTime(valueOf(one, column));
		if (withoutIds) delete wire['id'];
		if (ticketNumber === null && noNumber === 'leftOut') delete wire['ticketNumber'];
		if (names === undefined) return wire;
		return Object.fromEntries(Object.entries(wire).filter(([name]) => names.includes(name)));
	}

	private shownTime(micros: Value): string | null {
		if (typeof micros !== 'number') return null;
		const iso = new Date(Math.floor(micros / 1_000)).toISOString();
		const rest = String(micros % 1_000).padStart(3, '0');
		switch (this.is.times) {
			case 'ms':
				return iso;
			case 'micro':
				return `${iso.slice(0, -1)}${rest}Z`;
			case 'seconds':
				return `${iso.slice(0, 19)}Z`;
			case 'noZone':
				return `${iso.slice(0, -1)}${rest}`;
		}
	}
}

/** What differs from ticket to ticket, whatever its number is. */
const serialOf = ({ id }: Kept): number => Number(id.slice(-12));

const valueOf = (one: Kept, column: string): Value =>
	(Reflect.get(one, column) as Value | undefined) ?? null;

const quoted = (part: string, isMark: boolean): string => {
	if (isMark && part === '%') return '[^]*';
	if (isMark && part === '_') return '[^]';
	return part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
};
