import { hash } from 'crypto';
import { sortBy } from 'lodash';
import { z } from 'zod/v4';
import type { CallError } from '../../core/client';
import { fail, ok, type Result } from '../../core/result';
import { readRange } from '../search/readRange';
import { parseTime, ticketKey, type Ticket } from '../ticket';
import type { Poll } from './input';

/** A time in ms that a date can show, with days to spare on both sides. */
const time = z.number().min(-8.63e15).max(253_402_300_799_999);

const stateSchema = z.object({
	/** The event, filter and service that it watches. */
	watching: z.string(),
	/** Everything up to here was returned or is old. The next poll reads from here, minus the overlap. */
	cursorMs: time,
	/** Changes before this time are old. */
	floorMs: time,
	/** The changes since the floor that were returned or are old, by key, with their times in ms. */
	seen: z.record(z.string(), time),
	/** Whether there were too many changes to remember, which was reported. */
	isCrowded: z.boolean(),
});

/** The saved state of a trigger. */
export type TriggerState = z.infer<typeof stateSchema>;

/** Reads a saved state; undefined if it is damaged. */
export const readTriggerState = (saved: unknown): TriggerState | undefined =>
	stateSchema.safeParse(saved).data;

/** Limited, because n8n writes the whole memory to its database after each poll that returned something. */
const MAX_CHANGES = 10_000;

/** Keeps the changes since `floorMs`. Of more than MAX_CHANGES, keeps the newest, above a higher floor. */
function limitMemory(
	memory: TriggerState['seen'],
	floorMs: number,
): Pick<TriggerState, 'seen' | 'floorMs'> {
	const since = sortBy(Object.entries(memory), 1).filter(([, atMs]) => atMs >= floorMs);
	const newestDropped = since.at(-MAX_CHANGES - 1);
	return {
		seen: Object.fromEntries(since.slice(-MAX_CHANGES)),
		floorMs: newestDropped === undefined ? floorMs : newestDropped[1] + 1,
	};
}

/** The state of a trigger, without what it watches. */
type Progress = Omit<TriggerState, 'watching'>;

/** A change of a ticket: its time in ms, and a key of the ticket at that time. */
interface Change {
	readonly atMs: number;
	readonly key: string;
	readonly ticket: Ticket;
}

/** Lists the changes that rows show, without those to which the event does not apply. */
const toChanges = ({ column, applies }: Poll, rows: readonly Ticket[]): Change[] =>
	rows.filter(applies).map((ticket) => {
		// `readRange` returns only tickets with a readable time.
		const atMs = parseTime(ticket[column]) ?? 0;
		// 48 bits of a hash, because a state keeps thousands.
		const digest = hash('sha256', JSON.stringify([ticketKey(ticket), atMs]), 'base64url');
		return { atMs, key: digest.slice(0, 8), ticket };
	});

const toMemory = (changes: readonly Change[]): TriggerState['seen'] =>
	Object.fromEntries(changes.map(({ key, atMs }) => [key, atMs]));

/** Whether a change is new to a state: at or after its floor, and not in its memory yet. */
const isNewTo =
	({ seen, floorMs }: Progress) =>
	({ atMs, key }: Change): boolean =>
		atMs >= floorMs && !Object.hasOwn(seen, key);

/**
 * Reads the first state of a trigger, in which all existing tickets are old. An event begins at the newest ticket, a wait at
 * those that are due. The state remembers the overlap before it, because later polls read it again.
 */
export async function readFirstState(poll: Poll): Promise<Result<Progress, CallError>> {
	const { column, query, dueMs, overlapMs, startMs, reader, isLate } = poll;
	let cursorMs = dueMs;
	if (cursorMs === undefined) {
		const anyTicket = { filters: {}, sort: [], select: [column] };
		const newest = { column, direction: 'desc', min: 0, limit: 1 } as const;
		const { rows, failure } = await readRange(anyTicket, newest, reader);
		if (failure) return fail(failure);
		// A ticket dated in the future must not silence the trigger until then.
		cursorMs = Math.min(parseTime(rows[0]?.[column]) ?? 0, startMs);
	}
	const overlap = { column, direction: 'desc', min: cursorMs - overlapMs, max: dueMs } as const;
	const read = await readRange(query, { ...overlap, isEnough: isLate }, reader);
	if (read.failure) return fail(read.failure);
	// The oldest time of an incomplete read may be incomplete, so the floor is above it.
	const oldestMs = parseTime(read.rows.at(-1)?.[column]) ?? overlap.min;
	const floorMs = read.isPartial ? oldestMs + 1 : overlap.min;
	const kept = limitMemory(toMemory(toChanges(poll, read.rows)), floorMs);
	return ok({ cursorMs, ...kept, isCrowded: kept.floorMs > overlap.min });
}

/** The changes that a poll read, up to a time in ms. */
interface ReadChanges {
	readonly changes: readonly Change[];
	readonly readUpToMs: number;
	/** Whether the time of the poll was over before it came to a change that is new. */
	readonly isStuck: boolean;
	readonly failure?: CallError | undefined;
}

/** Reads changes since the cursor minus the overlap, until there are as many new ones as a poll may return. */
export async function readNewChanges(poll: Poll, before: TriggerState): Promise<ReadChanges> {
	const { column, query, dueMs, overlapMs, maxTickets, reader, isLate } = poll;
	const newKeys = new Set<string>();
	const isEnough = (page: readonly Ticket[]): boolean => {
		for (const { key } of toChanges(poll, page).filter(isNewTo(before))) newKeys.add(key);
		return newKeys.size >= maxTickets || isLate();
	};
	// A change within the overlap may have become visible late. All changes before the floor are old.
	const min = Math.max(before.floorMs, before.cursorMs - overlapMs);
	const range = { column, direction: 'asc', min, max: dueMs, isEnough } as const;
	const { rows, failure, isPartial } = await readRange(query, range, reader);
	const lastMs = parseTime(rows.at(-1)?.[column]) ?? -Infinity;
	return {
		changes: toChanges(poll, rows),
		// A wait has read everything that was due, even if nothing was.
		readUpToMs: failure || isPartial || dueMs === undefined ? lastMs : dueMs,
		isStuck: isPartial === true && newKeys.size === 0,
		failure,
	};
}

/** Returns the new changes and the next state. Another poll may have saved the current state meanwhile. */
export function settleChanges(
	{ changes, readUpToMs, isStuck }: ReadChanges,
	{ overlapMs, maxTickets, startMs }: Poll,
	current: TriggerState,
): { readonly fresh: readonly Ticket[]; readonly after: Progress } {
	const unseen = changes.filter(isNewTo(current));
	const fresh = unseen.slice(0, maxTickets);
	const lastFreshMs = fresh.at(-1)?.atMs ?? -Infinity;
	const returnedUpToMs = fresh.length < unseen.length ? lastFreshMs : readUpToMs;
	// A ticket dated in the future must not silence the trigger until then.
	const cursorMs = Math.max(current.cursorMs, Math.min(returnedUpToMs, startMs));
	// The next poll after one that was stuck begins where it ended, because it would be stuck there again.
	const floorMs = Math.max(isStuck ? readUpToMs : current.floorMs, cursorMs - overlapMs);
	const kept = limitMemory({ ...current.seen, ...toMemory(fresh) }, floorMs);
	return {
		fresh: fresh.map(({ ticket }) => ticket),
		// In a crowded state, changes that become visible late may be missed.
		after: { cursorMs, ...kept, isCrowded: isStuck || kept.floorMs > floorMs },
	};
}
