import type { HttpResult } from '../../src/core/http';
import { readTime } from '../../src/tickets/trigger/changes';
import type { TicketRow } from './tickets';
import type { Kept, World } from './world';
import { friendly, kept, WorldService } from './world';

/** What the service of a trigger is like, in its world and in its time. */
export interface Manners extends World {
	/** Ms by which its clock is ahead of ours. */
	readonly skewMs: number;
	/** Ms to which it rounds times down, so many are the same. */
	readonly grainMs: number;
	/** Whether its responses say what time it is. */
	readonly date: boolean;
}

/** A service without any peculiarity. */
export const plain: Manners = { ...friendly, skewMs: 0, grainMs: 1, date: true };

/** A ticket as it stands from one moment on, seen from outside. */
export interface Standing {
	readonly number: number;
	/** When it changed, in ms of the service's clock. */
	readonly atMs: number;
	/** From when on it can be read. */
	readonly visibleMs: number;
	readonly urgent: boolean;
	readonly ticket: Kept;
}

/** A service whose tickets change. */
export class TriggerService {
	readonly standings: Standing[] = [];

	readonly manners: Manners;

	private readonly world: WorldService;

	private readonly clock: () => number;

	private count = 0;

	/** What can be read, from and until when, unless something changes. */
	private last: { count: number; fromMs: number; endMs: number; newest: Standing[] } | undefined;

	/** What the world has. */
	private given: readonly Standing[] = [];

	constructor(manners: Manners, clock: () => number) {
		this.manners = manners;
		this.world = new WorldService([], manners);
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

	private change(number: number, urgent: boolean, { lateMs = 0, aheadMs = 0 }): void {
		const { grainMs } = this.manners;
		const atMs = Math.floor((this.now() + aheadMs) / grainMs) * grainMs;
		const priority = urgent ? 'urgent' : 'low';
		const ticket = kept(number, { priority, createdAt: number, updatedAt: atMs * 1_000 });
		this.standings.push({ number, atMs, visibleMs: this.now() + lateMs, urgent, ticket });
	}

	/** What can be read at a moment: the newest visible standing of each ticket. */
	shown(nowMs = this.now()): Standing[] {
		const { last, standings } = this;
		if (last?.count === standings.length && nowMs >= last.fromMs && nowMs < last.endMs)
			return last.newest;
		let [fromMs, endMs] = [-Infinity, Infinity];
		const visible = new Map<number, Standing>();
		for (const one of standings) {
			if (one.visibleMs > nowMs) endMs = Math.min(endMs, one.visibleMs);
			else {
				fromMs = Math.max(fromMs, one.visibleMs);
				visible.set(one.number, one);
			}
		}
		const newest = [...visible.values()].sort((a, b) => a.number - b.number);
		this.last = { count: standings.length, fromMs, endMs, newest };
		return newest;
	}

	/** Whether a trigger can see a ticket as it should be. */
	isReadable({ ticket }: Standing): boolean {
		return this.world.isShown(ticket) && !this.world.isSpoiled(ticket);
	}

	/** The change that a returned row stands for. */
	keyOf({ number, atMs }: Pick<Standing, 'number' | 'atMs'>): string {
		const grainMs = ['seconds', 'epochSeconds'].includes(this.manners.times) ? 1_000 : 1;
		return `${number}@${Math.floor(atMs / grainMs) * grainMs}`;
	}

	/** The change that a row shows. */
	readonly keyOfRow = (row: TicketRow): string =>
		this.keyOf({ number: Number(row['ticketNumber']), atMs: readTime(row['updatedAt']) ?? NaN });

	/** Answers a search. */
	readonly respond = (body: unknown): HttpResult => {
		const shown = this.shown();
		if (shown !== this.given) this.world.change(shown.map(({ ticket }) => ticket));
		this.given = shown;
		const response = this.world.answer(body, this.now());
		if (!this.manners.date || response.kind !== 'response') return response;
		return { ...response, headers: { date: new Date(this.now()).toUTCString() } };
	};
}
