import { DateTime } from 'luxon';
import type { StoredNames } from '../../core/dedupeStore';

/** The day that a moment is on, and those whose counts may go: not the one before, to which a clock may go back. */
export interface Day {
	readonly name: string;
	/** The last moment of the day. */
	readonly endMs: number;
	readonly past: readonly string[];
}

const PAST_DAYS = 10;

/** The day at a moment, where the workflow is. */
export function dayAt(nowMs: number, { zone, account }: { zone: string; account: string }): Day {
	const today = DateTime.fromMillis(nowMs, { zone });
	const name = (daysBack: number): string =>
		`${account}!${today.minus({ days: daysBack }).toISODate() ?? ''}`;
	const endMs = today.endOf('day').toMillis();
	return { name: name(0), endMs, past: Array.from({ length: PAST_DAYS }, (_, i) => name(i + 2)) };
}

/** A count is kept in binary, a name per bit, so few names are asked. No count has all bits. */
const BITS = 20;
const MAX_COUNT = 2 ** BITS - 1;
const bitsOf = (name: string): string[] =>
	Array.from({ length: BITS }, (_, bit) => `${name}:${bit}`);
const setIn = (bits: readonly string[], count: number): string[] =>
	bits.filter((_, bit) => Math.floor(count / 2 ** bit) % 2 === 1);
const countIn = (bits: readonly string[], present: ReadonlySet<string>): number =>
	bits.reduce((count, name, bit) => count + (present.has(name) ? 2 ** bit : 0), 0);

/**
 * Changes the count of a day by what is decided from it. To read is to record, so the count stands twice: where a change was cut off,
 * the first has all bits and the second has the count, or more. Says what the count was.
 */
export async function changeCount(
	names: StoredNames,
	day: Day,
	change: (count: number) => number,
): Promise<number> {
	const first = bitsOf(`${day.name}:a`);
	const second = bitsOf(`${day.name}:b`);
	const present = await names.record(first);
	const isCut = present.size === BITS;
	const count = countIn(isCut ? second : first, isCut ? await names.record(second) : present);
	const next = Math.min(MAX_COUNT, Math.max(0, count + change(count)));
	await names.record(setIn(second, next));
	const stays = new Set([...setIn(first, next), ...setIn(second, next)]);
	const there = [...first, ...(isCut ? second : setIn(second, count))];
	// A day that begins leaves those before it behind.
	const past =
		count === 0 ? day.past.flatMap((each) => bitsOf(`${each}:a`).concat(bitsOf(`${each}:b`))) : [];
	await names.remove([...there.filter((name) => !stays.has(name)), ...past]);
	return count;
}
