import fc from 'fast-check';
import type { HttpResponse } from '../../src/core/http';
import { reply } from './fakeRuntime';
import { listOf, members } from './samples';
import { createTokenBucket } from '../../sandbox/tokenBucket.mts';

type Direction = 'asc' | 'desc';

/** How a service fills what its interface leaves open. */
export interface Personality {
	/** The most rows of a page. */
	readonly cap: number;
	/** How many in a hundred rows are hidden after the page was cut. */
	readonly hidden: number;
	readonly leavesOutIds: boolean;
	readonly numbersAsText: boolean;
	readonly times: 'utc' | 'noZone' | 'offset' | 'wholeSeconds' | 'days' | 'epochMs';
	readonly nullsFirst: 'never' | 'always' | 'ascending' | 'descending';
	readonly priorities: readonly string[];
	readonly caseInsensitive: boolean;
	readonly defaultOrder: 'stored' | 'newest' | 'number';
	/** The spelling that it takes, and what it answers to the other. */
	readonly sort: 'field' | 'column';
	readonly select: 'object' | 'list';
	readonly otherSpelling: 'ignored' | 'named' | 400 | 422;
	readonly maxRules: number;
	/** What it answers to more rules or values than it takes, and whether it says why. */
	readonly refusal: 400 | 422;
	readonly givesDetails: boolean;
	readonly ignores: 'nothing' | 'sort' | 'select' | 'filters';
	/** Whether it says that a page follows where an empty one does, or that none does where a page was cut. */
	readonly ends: 'exactly' | 'late' | 'early';
	/** Whether a backslash takes the meaning of `%` and `_` in a pattern away. */
	readonly escapes: boolean;
	/** What happens to tickets between two requests; those that come late were created before. */
	readonly changes: 'none' | 'comeAndGo' | 'comeLate';
	/** How many requests it takes: all, some in each second, or one for each token of a bucket; and whether it says when to come again. */
	readonly takes: 'all' | 'window' | 'tokens';
	readonly saysWhen: boolean;
	/** Ms for a response, and for each further request in progress. */
	readonly latency: readonly [ms: number, moreMs: number];
	/** Which comparisons of text pass over case. */
	readonly passesOverCase: 'none' | 'all' | 'eq';
	/** The longest list of values that it takes; a longer one is refused, or ignored. */
	readonly maxValues: number;
	readonly longerList: 400 | 413 | 'ignored';
}

/** A service of any personality whose tickets stay as they are. */
export const personalitiesAtRest = (): fc.Arbitrary<Personality> =>
	personalities.map((one) => ({
		...one,
		changes: 'none',
		ends: one.ends === 'early' ? 'late' : one.ends,
		takes: 'all',
	}));

/** A service of any personality. */
export const personalities: fc.Arbitrary<Personality> = fc.record({
	cap: fc.constantFrom(100, 100, 50, 7),
	hidden: fc.constantFrom(0, 0, 0, 20, 60),
	leavesOutIds: fc.constantFrom(false, false, false, true),
	numbersAsText: fc.boolean(),
	times: fc.constantFrom('utc', 'noZone', 'offset', 'wholeSeconds', 'days', 'epochMs'),
	nullsFirst: fc.constantFrom('never', 'always', 'ascending', 'descending'),
	priorities: fc.shuffledSubarray(['urgent', 'high', 'medium', 'low'], { minLength: 4 }),
	caseInsensitive: fc.boolean(),
	defaultOrder: fc.constantFrom('stored', 'newest', 'number'),
	sort: fc.constantFrom('field', 'column'),
	select: fc.constantFrom('object', 'list'),
	otherSpelling: fc.constantFrom<Personality['otherSpelling'][]>('ignored', 'named', 400, 422),
	maxRules: fc.constantFrom(9, 9, 1),
	refusal: fc.constantFrom(400, 422),
	givesDetails: fc.boolean(),
	ignores: fc.constantFrom<Personality['ignores'][]>(
		...(['nothing', 'nothing', 'nothing', 'nothing', 'nothing'] as const),
		...(['sort', 'select', 'filters'] as const),
	),
	ends: fc.constantFrom<Personality['ends'][]>('exactly', 'exactly', 'late', 'late', 'early'),
	escapes: fc.boolean(),
	changes: fc.constantFrom<Personality['changes'][]>(
		'none',
		'none',
		'none',
		'comeAndGo',
		'comeLate',
	),
	takes: fc.constantFrom<Personality['takes'][]>('all', 'all', 'all', 'window', 'tokens'),
	saysWhen: fc.boolean(),
	latency: fc.constantFrom<Personality['latency'][]>([0, 0], [0, 0], [0, 0], [20, 0], [5, 9]),
	passesOverCase: fc.constantFrom('none', 'none', 'all', 'eq'),
	maxValues: fc.constantFrom(1_000, 1_000, 7, 1),
	longerList: fc.constantFrom<Personality['longerList'][]>(400, 413, 'ignored'),
});

/** Whether whole pages may be hidden that are smaller than the interface's own default: how far to go on from there, nothing tells. */
export const mayHidePages = ({ hidden, cap }: Personality): boolean => hidden > 50 && cap < 25;

/** A ticket as it is stored: times in ms. */
export interface Stored {
	readonly id: string;
	readonly ticketNumber: number;
	readonly title: string;
	readonly priority: string;
	readonly isShared: boolean;
	readonly createdAt: number;
	readonly closedAt: number | null;
	readonly customerId?: string | null;
}

type Value = string | number | boolean | null;

interface Rule {
	readonly column: string;
	readonly direction: Direction;
}

const BY_NUMBER: Rule = { column: 'ticketNumber', direction: 'asc' };
const NEWEST_FIRST: Rule = { column: 'ticketNumber', direction: 'desc' };
const DEFAULT_ORDERS = {
	stored: [],
	newest: [{ column: 'createdAt', direction: 'desc' }],
	number: [BY_NUMBER],
} as const satisfies Record<Personality['defaultOrder'], readonly Rule[]>;

/** Answers searches among these tickets as the personality does. */
export class PersonalService {
	/** Tickets that came, went or changed. */
	readonly touched = new Set<string>();

	private tickets: readonly Stored[];

	private readonly is: Personality;

	private readonly late: Stored[] = [];

	/** What was found and sorted, until something changes. */
	private readonly found = new Map<string, readonly Stored[]>();

	private readonly hasToken = createTokenBucket({ perSecond: 10, burst: 3 });

	private readonly inSecond = { second: NaN, count: 0 };

	private answered = 0;

	constructor(tickets: readonly Stored[], personality: Personality) {
		const isLate = (_: Stored, i: number) => personality.changes === 'comeLate' && i % 5 === 0;
		this.tickets = tickets.filter((one, i) => !isLate(one, i));
		this.late.push(...tickets.filter(isLate));
		for (const { id } of this.late) this.touched.add(id);
		this.is = personality;
	}

	/** The tickets that a search should give, in its order, whatever the pages. */
	expected(filters: object, sort: readonly Rule[]): Stored[] {
		const shown = this.tickets.filter(this.testOf(filters, true)).filter(this.isShown);
		return this.sorted(shown, [...sort, sort.length > 0 ? BY_NUMBER : NEWEST_FIRST]);
	}

	/** How long a response takes, by what is in progress. */
	readonly latencyMs = (_: number, inProgress: number): number => {
		const [ms, moreMs] = this.is.latency;
		return ms + moreMs * inProgress;
	};

	answer(body: unknown, atMs = 0): HttpResponse {
		const waitMs = this.waitMs(atMs);
		if (waitMs > 0) {
			const headers: Record<string, string> = {};
			if (this.is.saysWhen) headers['retry-after'] = String(Math.ceil(waitMs / 1000));
			return reply(429, '', headers);
		}
		const response = this.search(body);
		this.change();
		return response;
	}

	private waitMs(atMs: number): number {
		if (this.is.takes === 'tokens') return this.hasToken(atMs) ? 0 : 100;
		const second = Math.floor(atMs / 1000);
		if (this.is.takes === 'all') return 0;
		if (this.inSecond.second !== second) Object.assign(this.inSecond, { second, count: 0 });
		this.inSecond.count += 1;
		return this.inSecond.count > 4 ? 1000 - (atMs % 1000) : 0;
	}

	private search(body: unknown): HttpResponse {
		const { refusal, longerList, givesDetails, otherSpelling } = this.is;
		const details = (message: string) => (givesDetails ? { message } : '');
		const asked = members(body);
		const isLong = this.hasLongList(asked['filters']);
		if (isLong && longerList !== 'ignored')
			return reply(longerList === 400 ? refusal : longerList, details('Too many values'));
		const rules = listOf(body, 'sort').map(members);
		const selected = asked['select'];
		const isSelectRight =
			selected === undefined || Array.isArray(selected) === (this.is.select === 'list');
		const isSortRight = rules.every((rule) => this.is.sort in rule);
		const wrong = [...(isSortRight ? [] : ['sort']), ...(isSelectRight ? [] : ['select'])];
		if (wrong.length > 0 && otherSpelling === 'named')
			return reply(400, { message: `Invalid ${wrong.join(', ')}` });
		if (wrong.length > 0 && typeof otherSpelling === 'number') return reply(otherSpelling, '');
		if (rules.length > this.is.maxRules) return reply(refusal, details('Too many rules'));
		const { ignores } = this.is;
		const sort = isSortRight && ignores !== 'sort' ? rules : [];
		return this.page(asked, sort, isSelectRight && ignores !== 'select');
	}

	private hasLongList(filters: unknown): boolean {
		return Object.values(members(filters)).some(
			(operands) => listOf(operands, 'in').length > this.is.maxValues,
		);
	}

	private page(
		asked: Readonly<Record<string, unknown>>,
		rules: ReadonlyArray<Readonly<Record<string, unknown>>>,
		isSelectRight: boolean,
	): HttpResponse {
		const { cap, ends, ignores } = this.is;
		const filters = ignores === 'filters' ? {} : members(asked['filters']);
		const sort = rules.map((rule) => ({
			column: String(rule[this.is.sort]),
			direction: rule['direction'] as Direction,
		}));
		const sorted = this.find(filters, sort);
		const { limit, offset } = members(asked['pagination']) as { limit: number; offset: number };
		const end = offset + Math.min(limit, cap);
		const rows = sorted.slice(offset, end).filter(this.isShown);
		const chosen = asked['select'];
		const names = Array.isArray(chosen) ? chosen.map(String) : Object.keys(members(chosen));
		const data = rows.map((ticket) => this.toWire(ticket, isSelectRight ? names : []));
		const follows = { exactly: end < sorted.length, late: end <= sorted.length };
		const hasNextPage = ends === 'early' ? follows.exactly && data.length === limit : follows[ends];
		return reply(200, { data, metadata: { hasNextPage } });
	}

	private find(filters: object, sort: readonly Rule[]): readonly Stored[] {
		const key = JSON.stringify([filters, sort]);
		const before = this.found.get(key);
		if (before) return before;
		const found = this.sorted(this.tickets.filter(this.testOf(filters, this.is.escapes)), sort);
		this.found.set(key, found);
		return found;
	}

	/** What happens to tickets after a request. */
	private change(): void {
		this.answered += 1;
		const { changes } = this.is;
		if (changes === 'none' || this.answered > 60) return;
		const late = this.late.shift();
		if (late) this.tickets = [...this.tickets, late];
		const n = this.tickets.length;
		const one = changes === 'comeAndGo' ? this.tickets[(this.answered * 7919) % n] : undefined;
		if (one) {
			this.touched.add(one.id);
			const rest = this.tickets.filter((other) => other !== one);
			const kind = this.answered % 3;
			const ticketNumber = 1_000_000 + this.answered;
			const id = kind === 0 ? `new${this.answered}` : one.id;
			this.touched.add(id);
			if (kind === 0) this.tickets = [...this.tickets, { ...one, id, ticketNumber }];
			if (kind === 1) this.tickets = rest;
			if (kind === 2) this.tickets = [...rest, { ...one, title: 'moved', isShared: !one.isShared }];
		}
		if (late || one) this.found.clear();
	}

	private readonly isShown = ({ ticketNumber }: Stored): boolean =>
		(Math.abs(ticketNumber) * 37) % 100 >= this.is.hidden;

	private sorted(tickets: readonly Stored[], rules: readonly Rule[]): Stored[] {
		const all = rules.length > 0 ? rules : DEFAULT_ORDERS[this.is.defaultOrder];
		const keyed = tickets.map((ticket) => ({
			ticket,
			keys: all.map(({ column }) => this.keyOf(ticket, column)),
		}));
		const orders = all.map(({ direction }) => this.orderOf(direction));
		keyed.sort((a, b) => {
			for (const [i, order] of orders.entries()) {
				const compared = order(a.keys[i] ?? null, b.keys[i] ?? null);
				if (compared !== 0) return compared;
			}
			return 0;
		});
		return keyed.map(({ ticket }) => ticket);
	}

	private orderOf(direction: Direction): (left: Value, right: Value) => number {
		const { nullsFirst } = this.is;
		const isFirst =
			nullsFirst === 'always' || nullsFirst === (direction === 'asc' ? 'ascending' : 'descending');
		const sign = direction === 'asc' ? 1 : -1;
		return (left, right) => {
			if (left === right) return 0;
			if (left === null) return isFirst ? -1 : 1;
			if (right === null) return isFirst ? 1 : -1;
			return (left < right ? -1 : 1) * sign;
		};
	}

	private keyOf(ticket: Stored, column: string): Value {
		const value = valueOf(ticket, column);
		if (column === 'priority') return this.is.priorities.indexOf(String(value));
		return column === 'title' && this.is.caseInsensitive ? String(value).toLowerCase() : value;
	}

	private testOf(filters: object, escapes: boolean): (ticket: Stored) => boolean {
		const tests = Object.entries(filters).flatMap(([column, operands]) =>
			Object.entries(members(operands)).map(([operator, operand]) => {
				const test = this.testOne({ column, operator, operand }, escapes);
				return (ticket: Stored) => test(valueOf(ticket, column));
			}),
		);
		return (ticket) => tests.every((test) => test(ticket));
	}

	private testOne(
		{ column, operator, operand }: { column: string; operator: string; operand: unknown },
		escapes: boolean,
	): (value: Value) => boolean {
		const { passesOverCase, longerList, maxValues } = this.is;
		const isFolded =
			column === 'title' && (passesOverCase === 'all' || passesOverCase === operator);
		const fold = (one: Value): Value => (isFolded ? String(one).toLowerCase() : one);
		const read = (one: unknown): Value =>
			(column.endsWith('At') && typeof one === 'string' ? Date.parse(one) : one) as Value;
		if (operator === 'isNull') return (value) => (value === null) === operand;
		const list = listOf({ operand }, 'operand').map((one) => fold(read(one)));
		if (operator === 'in') {
			if (list.length > maxValues && longerList === 'ignored') return () => true;
			return (value) => list.includes(fold(value));
		}
		if (operator === 'notIn') return (value) => !list.includes(value);
		if (/like$/i.test(operator)) {
			const matches = likeOf(String(operand), { escapes, isFolded: /ilike/i.test(operator) });
			return (value) => value !== null && matches(String(value)) !== operator.startsWith('not');
		}
		const other = fold(read(operand));
		return (value) => {
			if (value === null || other === null) return false;
			if (operator === 'eq') return fold(value) === other;
			if (operator === 'ne') return value !== other;
			if (operator === 'gte') return value >= other;
			return operator === 'lte' ? value <= other : false;
		};
	}

	private toWire(ticket: Stored, names: readonly string[]): object {
		const wire: Record<string, unknown> = {
			...ticket,
			ticketNumber: this.is.numbersAsText ? String(ticket.ticketNumber) : ticket.ticketNumber,
			createdAt: this.timeOf(ticket.createdAt),
			closedAt: ticket.closedAt === null ? null : this.timeOf(ticket.closedAt),
			source: 'api',
			summary: null,
			description: null,
		};
		if (this.is.leavesOutIds) delete wire['id'];
		if (names.length === 0) return wire;
		return Object.fromEntries(Object.entries(wire).filter(([name]) => names.includes(name)));
	}

	private timeOf(ms: number): unknown {
		const iso = new Date(ms).toISOString();
		switch (this.is.times) {
			case 'utc':
				return iso;
			case 'noZone':
				return iso.slice(0, -1);
			case 'offset':
				return new Date(ms + 7_200_000).toISOString().replace('Z', '+02:00');
			case 'wholeSeconds':
				return iso.replace(/\.\d+/, '');
			case 'days':
				return iso.slice(0, 10);
			case 'epochMs':
				return ms;
		}
	}
}

const valueOf = (ticket: Stored, column: string): Value =>
	(Reflect.get(ticket, column) as Value | undefined) ?? null;

/** Tests text against a pattern, in which a backslash is an escape or stands for itself. */
function likeOf(
	pattern: string,
	{ escapes, isFolded }: { escapes: boolean; isFolded: boolean },
): (text: string) => boolean {
	const source = pattern.replace(/\\([^])|[^]/g, (part, escaped?: string) => {
		if (escaped !== undefined && escapes) return quoted(escaped);
		return [...part].map((one) => ({ '%': '[^]*', _: '[^]' })[one] ?? quoted(one)).join('');
	});
	const expression = new RegExp(`^${source}$`, isFolded ? 'i' : '');
	return (text) => expression.test(text);
}

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
