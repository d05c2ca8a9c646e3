import type { HttpResult } from '../../src/core/http';
import { readTime } from '../../src/tickets/trigger/changes';
import { reply } from './fakeRuntime';
import { listOf, members } from './samples';
import type { TicketRow } from './tickets';

/** How a service may be where the interface leaves it open. */
export interface Personality {
	/** Ms by which its clock is ahead of ours. */
	readonly skewMs: number;
	/** Ms to which it rounds times down, so many are the same. */
	readonly grainMs: number;
	/** Whether its responses say what time it is. */
	readonly date: boolean;
	readonly times:
		'iso' | 'noZone' | 'offset' | 'wholeSeconds' | 'epochMs' | 'epochSeconds' | 'epochText';
	/** The most rows of one page. */
	readonly cap: number;
	/** Every so many tickets one is hidden after the page was cut; 0 for none. */
	readonly hides: number;
	/** Every so many tickets one has no readable time; 0 for none. */
	readonly spoils: number;
	readonly numbersAsText: boolean;
	/** How it wants sort rules and columns written, and what it answers to the other spelling, with or without a reason. */
	readonly spelling: 'formal' | 'narrative';
	readonly refusal: 400 | 422;
	readonly givesDetails: boolean;
	readonly fault:
		| 'none'
		| 'ignoresFilter'
		| 'ignoresPriority'
		| 'ignoresSort'
		| 'ignoresNumbers'
		| 'repeatsPage'
		| 'alwaysMore';
}

/** A ticket as it stands from one moment on, seen from outside. */
export interface Standing {
	readonly number: number;
	/** When it changed, in ms of the service's clock. */
	readonly atMs: number;
	/** From when on it can be read. */
	readonly visibleMs: number;
	readonly urgent: boolean;
}

/** A service with a personality, whose tickets change. */
export class TriggerService {
	readonly standings: Standing[] = [];

	readonly personality: Personality;

	private readonly clock: () => number;

	private count = 0;

	/** What was shown last, until something changes. */
	private last: { readonly place: string; readonly newest: Standing[] } | undefined;

	constructor(personality: Personality, clock: () => number) {
		this.personality = personality;
		this.clock = clock;
	}

	/** The time of the service. */
	now(): number {
		return this.clock() + this.personality.skewMs;
	}

	/** Creates tickets at one moment. */
	create(count: number, urgent: boolean, lateMs = 0): void {
		for (let i = 0; i < count; i++) this.change(++this.count, urgent, { lateMs });
	}

	/** Creates an urgent ticket whose time lies ahead. */
	createAhead(aheadMs: number): void {
		this.change(++this.count, true, { aheadMs });
	}

	/** Changes one of the tickets. */
	update(index: number, urgent: boolean, lateMs = 0): void {
		if (this.count > 0) this.change((index % this.count) + 1, urgent, { lateMs });
	}

	private change(number: number, urgent: boolean, { lateMs = 0, aheadMs = 0 }): void {
		const { grainMs } = this.personality;
		const atMs = Math.floor((this.now() + aheadMs) / grainMs) * grainMs;
		this.standings.push({ number, atMs, visibleMs: this.now() + lateMs, urgent });
	}

	/** What can be read at a moment: the newest visible standing of each ticket. */
	shown(nowMs = this.now()): Standing[] {
		const place = `${nowMs}:${this.standings.length}`;
		if (this.last?.place !== place) {
			const visible = this.standings.filter(({ visibleMs }) => visibleMs <= nowMs);
			const newest = [...new Map(visible.map((one) => [one.number, one])).values()];
			this.last = { place, newest: newest.sort((a, b) => a.number - b.number) };
		}
		return this.last.newest;
	}

	/** Whether a trigger can see a ticket as it should be. */
	isReadable({ number }: Standing): boolean {
		const { hides, spoils } = this.personality;
		return !isEvery(number, hides) && !isEvery(number, spoils);
	}

	/** The change that a returned row stands for. */
	keyOf({ number, atMs }: Pick<Standing, 'number' | 'atMs'>): string {
		return `${number}@${Math.floor(atMs / this.grainMs()) * this.grainMs()}`;
	}

	/** The change that a row shows. */
	readonly keyOfRow = (row: TicketRow): string =>
		this.keyOf({ number: Number(row['ticketNumber']), atMs: readTime(row['updatedAt']) ?? NaN });

	/** Answers a search. */
	readonly respond = (body: unknown): HttpResult => {
		const { cap, hides, fault, date } = this.personality;
		const filters = members(members(body)['filters']);
		const [rule] = listOf(body, 'sort').map(members);
		const refused = this.refuse(members(body)['select'], rule);
		if (refused) return refused;
		const { limit, offset } = members(members(body)['pagination']);
		const isTime = fault === 'ignoresFilter' ? () => true : within(filters['updatedAt']);
		const isNumber = fault === 'ignoresNumbers' ? () => true : within(filters['ticketNumber']);
		const found = this.shown()
			.filter(({ urgent }) => urgent || !('priority' in filters) || fault === 'ignoresPriority')
			.filter(({ atMs, number }) => isTime(atMs) && isNumber(number));
		const sign = rule?.['direction'] === 'desc' ? -1 : 1;
		const byTime = (rule?.['field'] ?? rule?.['column']) === 'updatedAt';
		if (fault === 'ignoresSort') found.sort((a, b) => b.number - a.number);
		else found.sort((a, b) => sign * (byTime ? a.atMs - b.atMs : a.number - b.number));
		const start = fault === 'repeatsPage' ? 0 : Number(offset);
		const page = found.slice(start, start + Math.min(Number(limit), cap));
		const hasNextPage = fault === 'alwaysMore' || start + page.length < found.length;
		const data = page.filter(({ number }) => !isEvery(number, hides)).map((one) => this.row(one));
		const headers: Record<string, string> = {};
		if (date) headers['date'] = new Date(this.now()).toUTCString();
		return reply(200, { data, metadata: { hasNextPage } }, headers);
	};

	private refuse(
		select: unknown,
		rule: Readonly<Record<string, unknown>> | undefined,
	): HttpResult | undefined {
		const { spelling, refusal, givesDetails } = this.personality;
		const isNarrative = spelling === 'narrative';
		const isSelectRight = select === undefined || Array.isArray(select) === isNarrative;
		const isSortRight = rule === undefined || (isNarrative ? 'column' : 'field') in rule;
		const wrong = [...(isSelectRight ? [] : ['select']), ...(isSortRight ? [] : ['sort'])];
		if (wrong.length === 0) return undefined;
		return reply(refusal, givesDetails ? { message: `Invalid ${wrong.join(', ')}` } : '');
	}

	private row({ number, atMs, urgent }: Standing): object {
		const { spoils, numbersAsText } = this.personality;
		const updatedAt = isEvery(number, spoils) ? 'some day' : this.shownTime(atMs);
		const ticketNumber = numbersAsText ? String(number) : number;
		const priority = urgent ? 'urgent' : 'low';
		return { id: `t${(7_919 * number) % 1_000_003}`, ticketNumber, updatedAt, priority };
	}

	private shownTime(atMs: number): unknown {
		const iso = new Date(atMs).toISOString();
		switch (this.personality.times) {
			case 'iso':
				return iso;
			case 'noZone':
				return iso.slice(0, -1);
			case 'offset':
				return new Date(atMs - 5 * 3_600_000).toISOString().replace('Z', '-05:00');
			case 'wholeSeconds':
				return `${iso.slice(0, 19)}Z`;
			case 'epochMs':
				return atMs;
			case 'epochSeconds':
				return Math.floor(atMs / 1_000);
			case 'epochText':
				return String(atMs);
		}
	}

	private grainMs(): number {
		return ['wholeSeconds', 'epochSeconds'].includes(this.personality.times) ? 1_000 : 1;
	}
}

const isEvery = (number: number, every: number): boolean => every > 0 && number % every === 0;

/** Tests values against bounds, which are times or numbers. */
function within(operands: unknown): (value: number) => boolean {
	const { gte, lt, lte } = members(operands);
	const bound = (operand: unknown, none: number) =>
		typeof operand === 'string' ? Date.parse(operand) : Number(operand ?? none);
	const [min, end, max] = [bound(gte, -Infinity), bound(lt, Infinity), bound(lte, Infinity)];
	return (value) => value >= min && value < end && value <= max;
}
