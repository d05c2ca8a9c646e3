import maxBy from 'lodash/maxBy';
import type { CallError } from '../../core/client';
import type { PageReader, PageSpan } from '../service/fetchPage';
import { fetchPage } from '../service/fetchPage';
import { identityOf, numberOf } from '../service/values';
import type { Ticket } from '../ticket';
import type { Query } from './query';
import { keysetQuery } from './query';
import { readInTotalOrder } from './readByOffset';

/** What ranges are read with; the tickets that came are noted in `seen`, each once. */
export interface RangesReading {
	readonly query: Query;
	readonly reader: PageReader;
	readonly seen: Map<string, Ticket>;
	/** Whether the service was seen to sort by number, so the last ticket of a page leads on. */
	readonly isSorted: boolean;
	/** How many tickets a page was seen to have. */
	readonly pageSize: number;
}

/** Why reading ended before the end: after a failure, tickets may be missing from a number on. */
export type RangesEnd = 'unfit' | { readonly failure: CallError; readonly unreadFrom: number };

/** A range of ticket numbers that is read upwards: from `cursor` to `to`, both included. */
export interface NumberRange {
	readonly from: number;
	cursor: number;
	to: number;
	/** The tickets below the cursor. */
	rows: number;
}

/** A range that is not read yet. */
export const unread = (from: number, to: number): NumberRange => ({
	from,
	cursor: from,
	to,
	rows: 0,
});

/** Reads the tickets of one number that a page does not have; nothing says that numbers are unique. */
async function readRest(
	part: Query,
	{ limit, offset }: PageSpan,
	{ reader, seen }: RangesReading,
): Promise<CallError | undefined> {
	// Some services say that more follow until a page is empty.
	const next = await fetchPage(part, { limit, offset }, reader);
	if (next.ok && next.value.data.length === 0 && !next.value.metadata.hasNextPage) return undefined;
	const { rows, failure } = await readInTotalOrder({ ...part, sort: [] }, { offset: 0 }, reader);
	for (const row of rows) seen.set(identityOf(row), row);
	return failure;
}

/** Requests that may be spent beyond those that pages need. */
const SPARE_REQUESTS = 10;
/** Split a range for another reader only while it has more pages than this. */
const MIN_PAGES_TO_SPLIT = 4;

/** Reads ranges with as many readers as the pace allows; where the last ticket of a page does not lead on, a range is cut until the service gives all of one. */
export async function readRanges(
	ranges: readonly NumberRange[],
	reading: RangesReading,
): Promise<RangesEnd | undefined> {
	const { reader, seen, isSorted } = reading;
	/** The ranges that are not read to their end. */
	const open = new Set(ranges);
	const active = new Map<NumberRange, Promise<void>>();
	let requests = 2;
	let end: 'unfit' | CallError | undefined;

	/** Leaves to a range the numbers up to one, and those behind it to another range. */
	const cut = (range: NumberRange, at: number): void => {
		if (at >= range.to) return;
		open.add(unread(at + 1, range.to));
		range.to = at;
	};

	/** About how many numbers a page takes up, by how dense the read part of a range is. */
	const pageSpanOf = ({ from, cursor, rows }: NumberRange): number =>
		Math.max(1, reader.pageSize - 1) * ((cursor - from) / rows);
	const pagesLeft = (range: NumberRange): number => (range.to - range.cursor) / pageSpanOf(range);

	/** Ranges without tickets cost a request each: there may be as many as pages were filled, and a few. */
	const split = (): void => {
		const maySplit = requests < 2 * Math.floor(seen.size / reader.pageSize) + SPARE_REQUESTS;
		const largest = maxBy(
			// Where all that was read has one number, nothing is known of how dense the rest is.
			[...active.keys()].filter(({ from, cursor }) => cursor > from),
			pagesLeft,
		);
		if (!maySplit || !largest || pagesLeft(largest) <= MIN_PAGES_TO_SPLIT) return;
		// The lower part ends where a page does.
		const half = Math.round(pagesLeft(largest) / 2) * pageSpanOf(largest);
		cut(largest, Math.floor(largest.cursor + half));
	};

	/** Reads the tickets of a range as far as a page goes; those of a single number all. */
	const step = async (range: NumberRange): Promise<typeof end> => {
		const { cursor, to } = range;
		requests += 1;
		// Some services say of each range with a ticket that more follow.
		if (!isSorted && requests > (4 * seen.size) / reading.pageSize + 3 * SPARE_REQUESTS)
			return 'unfit';
		const part = keysetQuery(reading.query, { gte: cursor, lte: to });
		// A page of one ticket, the last one of the page before, would not lead on.
		const limit = Math.max(2, reader.pageSize);
		const page = await fetchPage(part, { limit, offset: 0 }, reader);
		if (!page.ok) return page.failure;
		const numbers = page.value.data.map((row) => numberOf(row) ?? NaN);
		if (!numbers.every((number) => number >= cursor && number <= to)) return 'unfit';
		for (const row of page.value.data) seen.set(identityOf(row), row);
		const last = numbers.at(-1) ?? cursor;
		const isWhole = !page.value.metadata.hasNextPage;
		if (isWhole || cursor === to) {
			const span = { limit, offset: numbers.length };
			const failure = isWhole ? undefined : await readRest(part, span, reading);
			if (!failure) range.cursor = range.to + 1;
			return failure;
		}
		if (isSorted && last > cursor) {
			if (!isAscending(numbers)) return 'unfit';
			range.cursor = last;
			range.rows += numbers.length - 1;
		} else {
			const middle = Math.floor((cursor + range.to) / 2);
			cut(range, Math.min(middle, numbers.length > 0 ? Math.max(...numbers) : middle));
		}
		return undefined;
	};

	const read = async (range: NumberRange): Promise<void> => {
		while (end === undefined && range.cursor <= range.to) {
			end ??= await step(range);
			if (active.size > reader.concurrency.limit()) return;
			fill();
		}
		if (end === undefined) open.delete(range);
	};

	const nextRange = (): NumberRange | undefined => [...open].find((range) => !active.has(range));

	const fill = (): void => {
		while (end === undefined && active.size < Math.max(1, reader.concurrency.limit())) {
			if (!nextRange()) split();
			const range = nextRange();
			if (!range) return;
			const work = read(range).then(() => {
				active.delete(range);
				fill();
			});
			active.set(range, work);
		}
	};

	fill();
	while (active.size > 0) await Promise.race(active.values());
	if (end === undefined || end === 'unfit') return end;
	return { failure: end, unreadFrom: Math.min(...[...open].map(({ cursor }) => cursor)) };
}

/** Whether numbers stand in their order. */
export const isAscending = (numbers: ReadonlyArray<number | undefined>): boolean =>
	numbers.every((number = NaN, i) => i === 0 || (numbers[i - 1] ?? NaN) <= number);
