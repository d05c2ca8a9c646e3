import { clamp, difference, range } from 'lodash';
import { DateTime } from 'luxon';
import type { StoredTexts } from '../../core/dedupeStore';

/** A day of Maximum per Day. */
export interface Day {
	readonly text: string;
	/** The last moment of the day. */
	readonly endMs: number;
	/** The texts of the days before yesterday, whose counts may be removed. */
	readonly past: readonly string[];
}

const PAST_DAYS = 10;

/** Builds the day of a moment in the time zone of the workflow. */
export function toDay(nowMs: number, { zone, account }: { zone: string; account: string }): Day {
	const today = DateTime.fromMillis(nowMs, { zone });
	const toDayText = (daysBack: number): string =>
		`${account}!${today.minus({ days: daysBack }).toISODate() ?? ''}`;
	// The count of yesterday is kept, because a clock may be set back.
	const past = range(2, PAST_DAYS + 2).map(toDayText);
	return { text: toDayText(0), endMs: today.endOf('day').toMillis(), past };
}

/** The bits of a count. The store has one text per bit that is 1, so lookups are few. */
const BITS = 20;
const MAX_COUNT = 2 ** BITS - 2; // Never all bits, because they mean an interrupted change.

/** Builds one text per bit of a count, the lowest bit first. */
const toBitTexts = (text: string): string[] => range(BITS).map((bit) => `${text}:${bit}`);
/** Returns the texts of the bits that are 1 in a count. */
const selectBits = (count: number, bitTexts: readonly string[]): string[] =>
	bitTexts.filter((_, bit) => Math.floor(count / 2 ** bit) % 2 === 1);
/** Returns the count whose bits are among the stored texts. */
const readBits = (stored: ReadonlySet<string>, bitTexts: readonly string[]): number =>
	bitTexts.reduce((count, text, bit) => count + (stored.has(text) ? 2 ** bit : 0), 0);

/** Adds a number, which may be negative, to the count of a day, and returns the count before. */
export async function changeCount(
	stored: StoredTexts,
	day: Day,
	toAdd: (count: number) => number,
): Promise<number> {
	const first = toBitTexts(`${day.text}:a`);
	const second = toBitTexts(`${day.text}:b`);
	// The store reads a text only by recording it, so reading a copy of the count sets all its bits.
	const present = await stored.record(first);
	// All bits mean an interrupted change: the second copy then has the count or more.
	const wasInterrupted = present.size === BITS;
	const count = wasInterrupted
		? readBits(await stored.record(second), second)
		: readBits(present, first);
	const next = clamp(count + toAdd(count), 0, MAX_COUNT);
	// The second copy keeps the new count if a crash prevents the removal of the wrong bits.
	await stored.record(selectBits(next, second));
	const kept = [...selectBits(next, first), ...selectBits(next, second)];
	// At the first calls of a day, the counts of past days are removed.
	const past = count === 0 ? day.past.flatMap((text) => [`${text}:a`, `${text}:b`]) : [];
	await stored.remove(difference([...first, ...second, ...past.flatMap(toBitTexts)], kept));
	return count;
}
