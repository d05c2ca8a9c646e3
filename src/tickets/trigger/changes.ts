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
	/** Changes before this time were returned or are old. The next poll reads from here. */
	floorMs: time,
	/** The changes since the floor that were returned or are old, by key, with their times in ms. */
	seen: z.record(z.string(), time),
	/** The last time of n8n's clock at which a change was new, in ms. */
	quietSinceMs: time,
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

/** Forgets changes before `floorMs`. Of more than MAX_CHANGES, keeps the newest and raises the floor above the others. */
export function limitMemory(
	memory: TriggerState['seen'],
	floorMs: number,
): Pick<TriggerState, 'seen' | 'floorMs'> {
	const since = sortBy(Object.entries(memory), ([, atMs]) => atMs).filter(
		([, atMs]) => atMs >= floorMs,
	);
	const newestDropped = since.at(-MAX_CHANGES - 1);
	return {
		seen: Object.fromEntries(since.slice(-MAX_CHANGES)),
		floorMs: newestDropped === undefined ? floorMs : newestDropped[1] + 1,
	};
}

/** A change of a ticket: its time in ms, and a key of the ticket at that time. */
export interface Change {
	readonly atMs: number;
	readonly key: string;
	readonly ticket: Ticket;
}

/** Lists the changes of the tickets to which a trigger's event applies. A wait must have begun by `dueMs`. */
export const toChanges = (
	{ column, applies, dueMs = Infinity }: Poll,
	rows: readonly Ticket[],
): Change[] =>
	rows.filter(applies).flatMap((ticket) => {
		// `readRange` returns only tickets with a readable time.
		const atMs = parseTime(ticket[column]) ?? 0;
		// `readRange` reads whole seconds, so it may return a wait that began just after `dueMs`.
		if (atMs > dueMs) return [];
		// 48 bits of a hash, because a state keeps thousands of keys.
		const digest = hash('sha256', JSON.stringify([ticketKey(ticket), atMs]), 'base64url');
		return { atMs, key: digest.slice(0, 8), ticket };
	});

/** Converts changes to the times in ms that a state remembers, by key. */
export const toMemory = (changes: readonly Change[]): TriggerState['seen'] =>
	Object.fromEntries(changes.map(({ key, atMs }) => [key, atMs]));

/** Makes a test whether a change is new to a state: not before its floor, and not remembered. */
export const isNewTo =
	({ seen, floorMs }: TriggerState) =>
	({ atMs, key }: Change): boolean =>
		atMs >= floorMs && !Object.hasOwn(seen, key);

/** Makes a first state: existing tickets are old. Those in the overlap are remembered, because the next poll repeats them. */
export async function readFirstState(poll: Poll): Promise<Result<TriggerState, CallError>> {
	const { watching, column, query, dueMs, overlapMs, startMs, reader, isLate } = poll;
	let newestMs = dueMs; // With a wait, the tickets whose wait began by `dueMs` are old.
	if (newestMs === undefined) {
		// Of all tickets, because a filter may match only old ones or none, and set the floor too early.
		const anyTicket = { filters: {}, sort: [], select: [column] };
		const newest = { column, direction: 'desc', min: 0, limit: 1 } as const;
		const { rows, failure } = await readRange(anyTicket, newest, reader);
		if (failure) return fail(failure);
		// A ticket dated in the future must not silence the trigger until then.
		newestMs = Math.min(parseTime(rows[0]?.[column]) ?? 0, startMs);
	}
	const min = newestMs - overlapMs;
	const overlap = { column, direction: 'desc', min, max: dueMs, isEnough: isLate } as const;
	const { rows, failure, isPartial } = await readRange(query, overlap, reader);
	if (failure) return fail(failure);
	// A read that ended early (`isLate`) may lack tickets of its oldest time, so the floor is above it.
	const oldestMs = parseTime(rows.at(-1)?.[column]) ?? min;
	const kept = limitMemory(toMemory(toChanges(poll, rows)), isPartial ? oldestMs + 1 : min);
	return ok({ watching, ...kept, quietSinceMs: startMs, isCrowded: kept.floorMs > min }); // Crowded: some of the overlap is not remembered.
}
