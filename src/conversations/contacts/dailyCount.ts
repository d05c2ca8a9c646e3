import { clamp, difference, range } from 'lodash';
import { DateTime } from 'luxon';
import type { StoredTexts } from '../../core/dedupeStore';

/** A day of Maximum per Day. */
export interface Day {
	readonly text: string;
	/** The last moment of the day. */
	readonly endMs: number;
	/** The texts of the days before yesterday, whose counts may be removed. */
	readonly expired: readonly string[];
}

const EXPIRED_DAYS = 10; // The count of an older day stays, which takes little space.

/** Builds the day of a moment in the workflow's time zone, with the earlier days whose counts have expired. */
export function toDay(nowMs: number, { zone, account }: { zone: string; account: string }): Day {
	const today = DateTime.fromMillis(nowMs, { zone });
	const toDayText = (daysBack: number): string =>
		`${account}!${today.minus({ days: daysBack }).toISODate() ?? ''}`;
	// The count of yesterday is kept, because a clock may be set back.
	const expired = range(2, EXPIRED_DAYS + 2).map(toDayText);
	return { text: toDayText(0), endMs: today.endOf('day').toMillis(), expired };
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

/** Adds `toAdd(count)`, which may be negative, to the count of a day. Returns the count before. */
export async function changeCount(
	stored: StoredTexts,
	day: Day,
	toAdd: (count: number) => number,
): Promise<number> {
	const first = toBitTexts(`${day.text}:a`);
	const second = toBitTexts(`${day.text}:b`);
	// The store reads a text only by recording it, so reading a copy of the count sets all its bits.
	const present = await stored.record(first);
	// All bits mean an interrupted change. The second copy then has the count, or more if it was changing.
	const wasInterrupted = present.size === BITS;
	const count = wasInterrupted
		? readBits(await stored.record(second), second)
		: readBits(present, first);
	const next = clamp(count + toAdd(count), 0, MAX_COUNT);
	// The second copy keeps the new count if a crash prevents the removal of the wrong bits.
	await stored.record(selectBits(next, second));
	const kept = [...selectBits(next, first), ...selectBits(next, second)];
	// At the first calls of a day, expired counts are removed.
	const expired = count === 0 ? day.expired.flatMap((text) => [`${text}:a`, `${text}:b`]) : [];
	await stored.remove(difference([...first, ...second, ...expired.flatMap(toBitTexts)], kept));
	return count;
}
