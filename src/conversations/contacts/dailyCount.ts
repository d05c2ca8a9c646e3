import { clamp, difference, range } from 'lodash';
import { DateTime } from 'luxon';
import type { StoredTexts } from '../../core/dedupeStore';

/** A day of Maximum per Day. */
export interface Day {
	readonly text: string;
	/** The last moment of the day. */
	readonly endMs: number;
	/** The texts of days whose counts may be removed. Yesterday is not among them, because a clock may be set back. */
	readonly past: readonly string[];
}

const PAST_DAYS = 10;

/** Builds the day of a moment in the time zone of the workflow. Yesterday is not among its past days, whose counts are removed. */
export function findDay(nowMs: number, { zone, account }: { zone: string; account: string }): Day {
	const today = DateTime.fromMillis(nowMs, { zone });
	const toDayText = (daysBack: number): string =>
		`${account}!${today.minus({ days: daysBack }).toISODate() ?? ''}`;
	const past = range(2, PAST_DAYS + 2).map(toDayText);
	return { text: toDayText(0), endMs: today.endOf('day').toMillis(), past };
}

/** The store has one text per bit that is 1 in a count, so few texts are looked up. No count has all bits. */
const BITS = 20;
const MAX_COUNT = 2 ** BITS - 2;

/** Builds one text per bit of a count, the lowest bit first. */
const toBitTexts = (text: string): string[] => range(BITS).map((bit) => `${text}:${bit}`);
/** Returns the texts of the bits that are 1 in a count. */
const selectBits = (count: number, bitTexts: readonly string[]): string[] =>
	bitTexts.filter((_, bit) => Math.floor(count / 2 ** bit) % 2 === 1);
/** Returns the count whose bits are among the stored texts. */
const readBits = (stored: ReadonlySet<string>, bitTexts: readonly string[]): number =>
	bitTexts.reduce((count, text, bit) => count + (stored.has(text) ? 2 ** bit : 0), 0);

/**
 * Adds a number, which may be negative, to the count of a day, and returns the count before.
 * The store reads a text only by recording it, so reading a copy of the count sets all its bits.
 * The new count is therefore recorded in a second copy before the wrong bits of both are removed.
 * A first copy with all bits means an interrupted change: the second copy then has the count or more.
 */
export async function changeCount(
	stored: StoredTexts,
	day: Day,
	toAdd: (count: number) => number,
): Promise<number> {
	const first = toBitTexts(`${day.text}:a`);
	const second = toBitTexts(`${day.text}:b`);
	const present = await stored.record(first);
	const wasInterrupted = present.size === BITS;
	const count = wasInterrupted
		? readBits(await stored.record(second), second)
		: readBits(present, first);
	const next = clamp(count + toAdd(count), 0, MAX_COUNT);
	await stored.record(selectBits(next, second));
	const kept = [...selectBits(next, first), ...selectBits(next, second)];
	// At the first calls of a day, the counts of past days are removed.
	const past = count === 0 ? day.past.flatMap((text) => [`${text}:a`, `${text}:b`]) : [];
	await stored.remove(difference([...first, ...second, ...past.flatMap(toBitTexts)], kept));
	return count;
}
