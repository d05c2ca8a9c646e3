import { sortBy } from 'lodash';
import { z } from 'zod/v4';

/** The changes that were returned, by key, with the minutes of the wait at which each was returned last. */
export type Memory = Readonly<Record<string, number>>;

/** Stands for a change that is never due again: it was returned, or the ticket waited before the trigger began. */
export const OLD = -1;

const memorySchema = z.record(z.string().regex(/^[^@]{8}@-?[0-9a-z]{1,11}$/), z.int().min(OLD));

/** A time in ms that a date can show, with days to spare on both sides. */
const time = z.number().min(-8.63e15).max(253_402_300_799_999);

const stateSchema = z.object({
	/** The event, filter and service that it watches. */
	watching: z.string(),
	/** The latest time of a ticket that was returned or is old. The next poll reads from there, minus the overlap. */
	cursorMs: time,
	/** Tickets before this time are old. */
	floorMs: time,
	seen: memorySchema,
	/** Whether there were too many tickets to remember, which was reported. */
	isCrowded: z.boolean(),
});

/** The saved state of a trigger. */
export type TriggerState = z.infer<typeof stateSchema>;

/** Reads a saved state; undefined if it is damaged. */
export const readTriggerState = (saved: unknown): TriggerState | undefined =>
	stateSchema.safeParse(saved).data;

/** Limited, because n8n writes the whole memory to its database after each poll that returned something. */
const MAX_CHANGES = 10_000;

/** Reads the time in ms of a key: 1750000000000 of `3vQx-a9Z@mbxstdz4`. */
const readKeyTime = (key: string): number => parseInt(key.slice(key.indexOf('@') + 1), 36);

/** Keeps the changes since `floorMs`. Of more than MAX_CHANGES, keeps the newest, and returns a floor above the others, so they count as old. */
export function limitMemory(memory: Memory, floorMs: number): { seen: Memory; floorMs: number } {
	const kept = Object.entries(memory).filter(([key]) => readKeyTime(key) >= floorMs);
	const sorted = sortBy(kept, ([key]) => readKeyTime(key));
	const [newestDropped] = sorted.at(-MAX_CHANGES - 1) ?? [];
	return {
		seen: Object.fromEntries(sorted.slice(-MAX_CHANGES)),
		floorMs: newestDropped === undefined ? floorMs : readKeyTime(newestDropped) + 1,
	};
}
