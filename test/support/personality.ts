import fc from 'fast-check';
import type { HttpResponse } from '../../src/core/http';
import { reply } from './fakeRuntime';
import { listOf, members } from './samples';

type Direction = 'asc' | 'desc';

/** How a service fills what its interface leaves open. */
export interface Personality {
	/** The most rows of a page. */
	readonly cap: number;
	/** How many in a hundred rows are hidden after the page was cut. */
	readonly hidden: number;
	readonly leavesOutIds: boolean;
	readonly numbersAsText: boolean;
	readonly times: 'utc' | 'noZone' | 'offset' | 'wholeSeconds' | 'epochMs';
	readonly nullsFirst: 'never' | 'always' | 'ascending' | 'descending';
	readonly priorities: readonly string[];
	readonly caseInsensitive: boolean;
	readonly defaultOrder: 'stored' | 'newest' | 'number';
	/** The spelling that it takes, and what it answers to the other. */
	readonly sort: 'field' | 'column';
	readonly select: 'object' | 'list';
	readonly otherSpelling: 'ignored' | 'named' | 400 | 422;
	readonly maxRules: number;
	readonly ignores: 'nothing' | 'sort' | 'filters';
	/** Whether it says that a page follows where an empty one does. */
	readonly isLate: boolean;
	/** Which comparisons of text pass over case. */
	readonly passesOverCase: 'none' | 'all' | 'eq';
	/** The longest list of values that it takes; a longer one is refused, or ignored. */
	readonly maxValues: number;
	readonly longerList: 400 | 413 | 'ignored';
}

/** A service of any personality. */
export const personalities: fc.Arbitrary<Personality> = fc.record({
	cap: fc.constantFrom(100, 100, 50, 7),
	hidden: fc.constantFrom(0, 0, 0, 20, 60),
	leavesOutIds: fc.constantFrom(false, false, false, true),
	numbersAsText: fc.boolean(),
	times: fc.constantFrom('utc', 'noZone', 'offset', 'wholeSeconds', 'epochMs'),
	nullsFirst: fc.constantFrom('never', 'always', 'ascending', 'descending'),
	priorities: fc.shuffledSubarray(['urgent', 'high', 'medium', 'low'], { minLength: 4 }),
	caseInsensitive: fc.boolean(),
	defaultOrder: fc.constantFrom('stored', 'newest', 'number'),
	sort: fc.constantFrom('field', 'column'),
	select: fc.constantFrom('object', 'list'),
	otherSpelling: fc.constantFrom<Personality['otherSpelling'][]>('ignored', 'named', 400, 422),
	maxRules: fc.constantFrom(9, 9, 1),
	ignores: fc.constantFrom('nothing', 'nothing', 'nothing', 'nothing', 'sort', 'filters'),
	isLate: fc.boolean(),
	passesOverCase: fc.constantFrom('none', 'none', 'all', 'eq'),
	maxValues: fc.constantFrom(1_000, 1_000, 7, 1),
	longerList: fc.constantFrom<Personality['longerList'][]>(400, 413, 'ignored'),
});

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

/** Answers searches among these tickets as the personality does. */
export class PersonalService {
	private readonly tickets: readonly Stored[];

	private readonly is: Personality;

	constructor(tickets: readonly Stored[], personality: Personality) {
		this.tickets = tickets;
		this.is = personality;
	}

	/** The tickets that a search should give, in its order, whatever the pages. */
	expected(
		filters: object,
		sort: ReadonlyArray<{ column: string; direction: Direction }>,
	): Stored[] {
		const shown = this.tickets.filter(
			(ticket) => this.matches(ticket, filters) && this.isShown(ticket),
		);
		return this.sorted(shown, [...sort, { column: 'ticketNumber', direction: 'asc' }]);
	}

	answer(body: unknown): HttpResponse {
		const asked = members(body);
		const isLong = this.hasLongList(asked['filters']);
		if (isLong && this.is.longerList !== 'ignored')
			return reply(this.is.longerList, { message: 'Too many values' });
		const rules = listOf(body, 'sort').map(members);
		const selected = asked['select'];
		const isSelectRight =
			selected === undefined || Array.isArray(selected) === (this.is.select === 'list');
		const isSortRight = rules.every((rule) => this.is.sort in rule);
		const wrong = [...(isSortRight ? [] : ['sort']), ...(isSelectRight ? [] : ['select'])];
		if (wrong.length > 0 && this.is.otherSpelling === 'named')
			return reply(400, { message: `Invalid ${wrong.join(', ')}` });
		if (wrong.length > 0 && typeof this.is.otherSpelling === 'number')
			return reply(this.is.otherSpelling, '');
		if (rules.length > this.is.maxRules) return reply(400, { message: 'Too many rules' });
		return this.page(asked, isSortRight && this.is.ignores !== 'sort' ? rules : [], isSelectRight);
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
		const { ignores, cap, isLate } = this.is;
		const filters = ignores === 'filters' ? {} : members(asked['filters']);
		const found = this.tickets.filter((ticket) => this.matches(ticket, filters));
		const sorted = this.sorted(
			found,
			rules.map((rule) => ({
				column: String(rule[this.is.sort]),
				direction: rule['direction'] as Direction,
			})),
		);
		const { limit, offset } = members(asked['pagination']) as { limit: number; offset: number };
		const end = offset + Math.min(limit, cap);
		const rows = sorted.slice(offset, end).filter((ticket) => this.isShown(ticket));
		const chosen = asked['select'];
		const names = Array.isArray(chosen) ? chosen.map(String) : Object.keys(members(chosen));
		const data = rows.map((ticket) => this.toWire(ticket, isSelectRight ? names : []));
		return reply(200, {
			data,
			metadata: {
				hasNextPage: isLate ? end <= sorted.length : end < sorted.length,
			},
		});
	}

	private isShown({ ticketNumber }: Stored): boolean {
		return (Math.abs(ticketNumber) * 37) % 100 >= this.is.hidden;
	}

	private sorted(
		tickets: readonly Stored[],
		rules: ReadonlyArray<{ column: string; direction: Direction }>,
	): Stored[] {
		const { defaultOrder } = this.is;
		const otherwise = {
			stored: [],
			newest: [{ column: 'createdAt', direction: 'desc' as const }],
			number: [{ column: 'ticketNumber', direction: 'asc' as const }],
		}[defaultOrder];
		const all = rules.length > 0 ? rules : otherwise;
		return [...tickets].sort((a, b) => {
			for (const rule of all) {
				const compared = this.compare(a, b, rule);
				if (compared !== 0) return compared;
			}
			return 0;
		});
	}

	private compare(
		a: Stored,
		b: Stored,
		{ column, direction }: { column: string; direction: Direction },
	): number {
		const [left, right] = [a, b].map((ticket) => this.keyOf(ticket, column));
		if (left === undefined || right === undefined || left === right) return 0;
		const { nullsFirst } = this.is;
		const isFirst =
			nullsFirst === 'always' || nullsFirst === (direction === 'asc' ? 'ascending' : 'descending');
		if (left === null) return isFirst ? -1 : 1;
		if (right === null) return isFirst ? 1 : -1;
		return (left < right ? -1 : 1) * (direction === 'asc' ? 1 : -1);
	}

	private keyOf(ticket: Stored, column: string): Value {
		const value = (members(ticket)[column] ?? null) as Value;
		if (column === 'priority') return this.is.priorities.indexOf(String(value));
		return column === 'title' && this.is.caseInsensitive ? String(value).toLowerCase() : value;
	}

	private matches(ticket: Stored, filters: object): boolean {
		return Object.entries(filters).every(([column, operands]) => {
			const value = (members(ticket)[column] ?? null) as Value;
			const isTime = column.endsWith('At');
			const isTitle = column === 'title';
			const { passesOverCase, longerList, maxValues } = this.is;
			const folded = (one: Value, operator: string): Value =>
				isTitle && (passesOverCase === 'all' || passesOverCase === operator)
					? String(one).toLowerCase()
					: one;
			return Object.entries(members(operands)).every(([operator, operand]) => {
				const wanted = (one: unknown): Value =>
					(isTime && typeof one === 'string' ? Date.parse(one) : one) as Value;
				if (operator === 'isNull') return (value === null) === operand;
				if (operator === 'in') {
					const list = listOf({ operand }, 'operand').map(wanted);
					if (list.length > maxValues && longerList === 'ignored') return true;
					return list.map((one) => folded(one, 'in')).includes(folded(value, 'in'));
				}
				if (operator === 'notIn')
					return !listOf({ operand }, 'operand').map(wanted).includes(value);
				if (value === null) return false;
				const other = wanted(operand);
				if (other === null) return false;
				if (operator === 'eq') return folded(value, 'eq') === folded(other, 'eq');
				if (operator === 'ne') return value !== other;
				if (operator === 'gte') return value >= other;
				return operator === 'lte' ? value <= other : false;
			});
		});
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
			case 'epochMs':
				return ms;
		}
	}
}
