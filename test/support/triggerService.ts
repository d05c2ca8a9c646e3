import type { HttpResult } from '../../src/core/http';
import { uuidOf } from './samples';
import type { Habits } from './searchService';
import { answerSearch } from './searchService';
import type { TicketRow } from './tickets';
import { parseTime } from '../../src/tickets/ticket';

/** The properties of the service behind a trigger. */
export interface Manners extends Habits {
	/** The lead of its clock over ours in ms. */
	readonly skewMs: number;
	/** The unit in ms to which it rounds times down, which makes many equal. */
	readonly grainMs: number;
	/** How it writes times. */
	readonly times: 'ms' | 'noZone' | 'offset' | 'seconds';
}

/** A service as the formal schema describes it. */
export const plain: Manners = {
	spelling: 'formal',
	refusal: 400,
	skewMs: 0,
	grainMs: 1,
	times: 'ms',
};

/** The state of a ticket from one moment on, as clients see it. */
export interface Standing {
	readonly number: number;
	/** When it changed, in ms of the service's clock. */
	readonly atMs: number;
	/** From when on it can be read. */
	readonly visibleMs: number;
	readonly urgent: boolean;
	/** How the wait of the customer ended, which began with the change. */
	readonly ended?: 'answered' | 'closed' | undefined;
}

const SECOND = 1_000;

/** A service whose tickets change. */
export class TriggerService {
	readonly standings: Standing[] = [];

	readonly manners: Manners;

	private readonly clock: () => number;

	private count = 0;

	constructor(manners: Manners, clock: () => number) {
		this.manners = manners;
		this.clock = clock;
	}

	/** The time of the service. */
	now(): number {
		return this.clock() + this.manners.skewMs;
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

	/** An agent answers or closes one of the tickets, or opens it again. */
	end(index: number, ended: Standing['ended']): void {
		const last = this.standings.findLast(({ number }) => number === (index % this.count) + 1);
		if (last) this.standings.push({ ...last, visibleMs: this.now(), ended });
	}

	private change(number: number, urgent: boolean, { lateMs = 0, aheadMs = 0 }): void {
		const { grainMs } = this.manners;
		const atMs = Math.floor((this.now() + aheadMs) / grainMs) * grainMs;
		this.standings.push({ number, atMs, visibleMs: this.now() + lateMs, urgent });
	}

	/** The tickets that are readable at a moment, each in its newest visible state. */
	shown(nowMs = this.now()): Standing[] {
		const visible = new Map<number, Standing>();
		for (const one of this.standings) if (one.visibleMs <= nowMs) visible.set(one.number, one);
		return [...visible.values()].sort((a, b) => a.number - b.number);
	}

	/** The change that a returned row stands for. */
	keyOf({ number, atMs }: Pick<Standing, 'number' | 'atMs'>): string {
		const grainMs = this.manners.times === 'seconds' ? SECOND : 1;
		return `${number}@${Math.floor(atMs / grainMs) * grainMs}`;
	}

	/** The change that a row contains. */
	readonly keyOfRow = (row: TicketRow): string =>
		this.keyOf({ number: Number(row['ticketNumber']), atMs: parseTime(row['updatedAt']) ?? NaN });

	/** Answers a search: filters and sorts by the ms, and writes times in its own way. */
	readonly respond = (body: unknown): HttpResult => {
		const rows = this.shown().map(({ number, atMs, urgent, ended, visibleMs }) => ({
			id: uuidOf(number),
			ticketNumber: number,
			priority: urgent ? 'urgent' : 'low',
			createdAt: new Date(number).toISOString(),
			updatedAt: new Date(atMs).toISOString(),
			lastCustomerActivityAt: new Date(atMs).toISOString(),
			// A ticket whose time lies ahead is answered after it.
			lastAgentActivityAt:
				ended === 'answered' ? new Date(Math.max(atMs, visibleMs)).toISOString() : null,
			closedAt: ended === 'closed' ? new Date(visibleMs).toISOString() : null,
		}));
		const answer = answerSearch(rows, body, this.manners);
		const text = answer.text.replace(
			/"(updatedAt|last\w+At)":"([^"]*)"/g,
			(_, column: string, time: string) => `"${column}":"${this.written(time)}"`,
		);
		return { ...answer, text };
	};

	private written(time: string): string {
		const { times } = this.manners;
		if (times === 'noZone') return time.slice(0, -1);
		if (times === 'seconds') return `${time.slice(0, 19)}Z`;
		if (times === 'ms') return time;
		const ahead = new Date(Date.parse(time) + 2 * 3_600_000).toISOString();
		return `${ahead.slice(0, -1)}+02:00`;
	}
}
