import sortBy from 'lodash/sortBy';
import { z } from 'zod/v4';

/** The changes that were returned, by key, with the minutes of the wait at which each was due last. */
export type Memory = Readonly<Record<string, number>>;

/** Stands for a ticket that waited before the trigger began, so it is never due. */
export const OLD = -1;

/** A memory as it was saved. */
export const memorySchema = z.record(
	z.string().regex(/^[^@]{1,6}@-?[0-9a-z]{1,11}$/),
	z.int().min(OLD),
);

/** n8n writes the whole memory to its database after each poll that returned something. */
const MAX_CHANGES = 10_000;

const timeIn = (key: string): number => parseInt(key.slice(key.indexOf('@') + 1), 36);

/** The part of a memory from `floorMs` on; where that is too much, the newest part, and a later floor. */
export function limitMemory(
	memory: Memory,
	floorMs: number,
): { readonly seen: Memory; readonly floorMs: number } {
	const entries = Object.entries(memory).filter(([key]) => timeIn(key) >= floorMs);
	if (entries.length <= MAX_CHANGES) return { seen: Object.fromEntries(entries), floorMs };
	const sorted = sortBy(entries, ([key]) => timeIn(key));
	const [newestDropped = ''] = sorted.at(-MAX_CHANGES - 1) ?? [];
	return {
		seen: Object.fromEntries(sorted.slice(-MAX_CHANGES)),
		floorMs: timeIn(newestDropped) + 1,
	};
}
