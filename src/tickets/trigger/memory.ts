import { z } from 'zod/v4';
import { isRecord } from '../../core/json';
import type { Change } from './changes';

/** What was handed out: by moment the keys of its tickets, and how many minutes after it each was due last. */
export type Memory = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** A memory as it was saved; it may be large, so a few plain loops check it. */
export const memorySchema = z.custom<Memory>(
	(saved) =>
		isRecord(saved) &&
		Object.keys(saved).every((atMs) => /^-?\d{1,15}$/.test(atMs)) &&
		Object.values(saved).every(
			(numbers) => isRecord(numbers) && Object.values(numbers).every(isMinutes),
		),
);

const isMinutes = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= OLD;

/** Stands for a ticket that is old, so it is never due. */
export const OLD = -1;

/** The most changes of a memory; n8n writes all of it to its database after each poll that found something. */
const MAX_CHANGES = 11_000;

/** How many minutes after its moment a change was due last, or undefined where it was not handed out. */
export const lastDue = (memory: Memory, { atMs, key }: Change): number | undefined =>
	memory[atMs]?.[key];

/** From so many on, the tickets of a moment that were handed out are not read again. */
const CROWD = 500;

/** The moments after one with many tickets that were handed out, and their keys, the last one last. */
export const crowdsIn = (
	memory: Memory,
	fromMs: number,
): ReadonlyArray<{ readonly atMs: number; readonly keys: readonly string[] }> =>
	Object.entries(memory)
		.map(([atMs, tickets]) => ({ atMs: Number(atMs), keys: Object.keys(tickets) }))
		.filter(({ atMs, keys }) => atMs > fromMs && keys.length >= CROWD)
		.sort((a, b) => a.atMs - b.atMs);

/** A memory from `floorMs` on with more changes, each due so many minutes after its moment; its oldest moments go where that is too much. */
export function remember(
	memory: Memory,
	changes: readonly Change[],
	{
		floorMs,
		minutes = () => 0,
	}: { readonly floorMs: number; readonly minutes?: (change: Change) => number },
): { readonly seen: Memory; readonly floorMs: number } {
	const all = new Map(
		Object.entries(memory).map(([atMs, numbers]) => [Number(atMs), { ...numbers }]),
	);
	for (const change of changes) {
		const tickets = all.get(change.atMs) ?? {};
		tickets[change.key] = minutes(change);
		all.set(change.atMs, tickets);
	}
	const moments = [...all].filter(([atMs]) => atMs >= floorMs).sort(([a], [b]) => a - b);
	let count = moments.reduce((sum, [, numbers]) => sum + Object.keys(numbers).length, 0);
	let completeMs = floorMs;
	while (count > MAX_CHANGES) {
		const [atMs, numbers] = moments.shift() ?? [0, {}];
		count -= Object.keys(numbers).length;
		completeMs = atMs + 1;
	}
	return { seen: Object.fromEntries(moments), floorMs: completeMs };
}
