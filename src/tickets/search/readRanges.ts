import type { CallError } from '../../core/client';
import { ticketNumberRange } from '../columns';
import type { PageReader } from '../service/fetchPage';
import { fetchPage } from '../service/fetchPage';
import { identityOf, numberOf } from '../service/values';
import type { Ticket } from '../ticket';
import type { Query } from './query';
import { ENDLESS, keysetQuery } from './query';
import { readInTotalOrder } from './readByOffset';

/** What ranges are read with; the tickets that came are noted in `seen`, each once. */
export interface RangesReading {
	readonly query: Query;
	readonly reader: PageReader;
	readonly seen: Map<string, Ticket>;
	/** The numbers of the lowest and the highest page, which are read already. */
	readonly first: readonly number[];
	readonly last: readonly number[];
	/** Whether the service was seen to sort by number, so the last ticket of a page leads on. */
	readonly isSorted: boolean;
}

/** Why reading ended before the end: after a failure, tickets may be missing from a number on. */
export type RangesEnd =
	'unbound' | 'unsorted' | { readonly failure: CallError; readonly unreadFrom: number };

/** What came of the tickets between two numbers: all of them, or the first page. */
interface Part {
	readonly numbers: readonly number[];
	readonly isWhole: boolean;
	/** How many tickets are new. */
	readonly added: number;
}

/** Reads the tickets from one number to another, both included, as far as a page goes; those of a single number all. */
async function readPart(
	gte: number,
	lte: number,
	{ query, reader, seen }: RangesReading,
): Promise<Part | { readonly failure: CallError | 'unbound' }> {
	const part = keysetQuery(query, { gte, lte });
	// A page of one ticket, the last one of the page before, would not lead on.
	const limit = Math.max(2, reader.pageSize);
	const page = await fetchPage(part, { limit, offset: 0 }, reader);
	if (!page.ok) return { failure: page.failure };
	const { data, metadata } = page.value;
	const numbers = data.map((row) => numberOf(row) ?? NaN);
	if (!numbers.every((number) => number >= gte && number <= lte)) return { failure: 'unbound' };
	const before = seen.size;
	for (const row of data) seen.set(identityOf(row), row);
	const added = seen.size - before;
	if (!metadata.hasNextPage || gte < lte) return { numbers, isWhole: !metadata.hasNextPage, added };
	// Nothing says that numbers are unique, and some services say that more follow until a page is empty.
	const next = await fetchPage(part, { limit, offset: data.length }, reader);
	if (next.ok && next.value.data.length === 0 && !next.value.metadata.hasNextPage)
		return { numbers, isWhole: true, added };
	const { rows, failure } = await readInTotalOrder({ ...part, sort: [] }, { offset: 0 }, reader);
	for (const row of rows) seen.set(identityOf(row), row);
	return failure ? { failure } : { numbers, isWhole: true, added };
}

/** A range of ticket numbers that is read upwards: from `cursor` to `to`, both included, no more than `width` at once. */
interface NumberRange {
	readonly from: number;
	cursor: number;
	to: number;
	width: number;
	/** The tickets that it had so far. */
	rows: number;
	/** Whether its first page came. */
	isKnown: boolean;
}

/** Requests that may be spent beyond those that pages need. */
const SPARE_REQUESTS = 10;
/** Split a range for another reader only while it has more pages than this. */
const MIN_PAGES_TO_SPLIT = 4;

/**
 * Reads what lies between both ends with as many readers as the pace allows; an idle reader takes half of the largest rest.
 * Where the last ticket of a page does not lead on, the range is read in parts that are made smaller until the service
 * says that it gave all of one.
 */
export async function readRanges(reading: RangesReading): Promise<RangesEnd | undefined> {
	const { reader, seen, first, last, isSorted } = reading;
	const { min, max } = ticketNumberRange;
	const bounds = isSorted
		? [[first.at(-1) ?? 0, last[0] ?? 0] as const]
		: // Numbers below 1 are the exception.
			([
				[min, 0],
				[1, max],
			] as const);
	const waiting = bounds.map(([from, to]): NumberRange => newRange(from, to, true));
	const active = new Map<NumberRange, Promise<void>>();
	const unread = new Set(waiting);
	const density = seen.size / (spanOf(first) + spanOf(last));
	const pageRows = Math.max(1, first.length, last.length);
	/** Behind the highest number that was seen there is likely nothing. */
	let likelyEnd = Math.max(...first, ...last);
	let requests = 2;
	let end: 'unbound' | 'unsorted' | CallError | undefined;

	/** About how many pages a range still holds, by how dense its read part is. */
	const pageSpanOf = ({ from, cursor, rows }: NumberRange): number =>
		Math.max(1, reader.pageSize - 1) /
		(cursor > from && rows > 0 ? rows / (cursor - from) : density);
	const pagesLeft = (range: NumberRange): number => (range.to - range.cursor) / pageSpanOf(range);

	/** Ranges without tickets cost a request each: there may be as many as pages were filled, and a few. */
	const split = (): NumberRange | undefined => {
		const maySplit = requests < 2 * Math.floor(seen.size / reader.pageSize) + SPARE_REQUESTS;
		const [largest] = [...active.keys()]
			.filter(({ isKnown }) => isKnown)
			.sort((a, b) => pagesLeft(b) - pagesLeft(a));
		if (!isSorted || !maySplit || !largest) return undefined;
		if (pagesLeft(largest) <= MIN_PAGES_TO_SPLIT) return undefined;
		// The lower part ends where a page does.
		const half = Math.round(pagesLeft(largest) / 2) * pageSpanOf(largest);
		const middle = Math.floor(largest.cursor + half);
		const upper = newRange(middle + 1, largest.to, false);
		largest.to = middle;
		unread.add(upper);
		return upper;
	};

	/** Where nothing leads on, parts are made smaller no more often than so. */
	const isSpent = (): boolean =>
		!isSorted && requests > (4 * seen.size) / pageRows + 5 * SPARE_REQUESTS;

	const step = async (range: NumberRange): Promise<typeof end> => {
		const { cursor, width } = range;
		const rest = isSorted ? Infinity : likelyEnd - cursor;
		const lte = Math.min(range.to, cursor + (rest < 0 ? Infinity : Math.min(width, rest)));
		requests += 1;
		if (isSpent()) return ENDLESS;
		const part = await readPart(cursor, lte, reading);
		if (!('numbers' in part)) return part.failure;
		range.rows += part.added;
		range.isKnown ||= range.rows > 0;
		likelyEnd = Math.max(likelyEnd, ...part.numbers);
		const lastOne = part.numbers.at(-1) ?? cursor;
		if (part.isWhole) {
			range.cursor = lte + 1;
			range.width = isSorted ? Infinity : wider(lte - cursor);
		} else if (isSorted && lastOne > cursor) {
			if (!isAscending(part.numbers)) return 'unsorted';
			range.cursor = lastOne;
		} else range.width = isSorted && part.numbers.length > 0 ? 0 : narrower(lte - cursor);
		return undefined;
	};

	const read = async (range: NumberRange): Promise<void> => {
		while (end === undefined && range.cursor <= range.to) {
			end ??= await step(range);
			if (active.size > reader.concurrency.limit()) {
				waiting.push(range);
				return;
			}
			fill();
		}
		if (end === undefined) unread.delete(range);
	};

	const fill = (): void => {
		while (end === undefined && active.size < Math.max(1, reader.concurrency.limit())) {
			const range = waiting.shift() ?? split();
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
	if (end === undefined || typeof end === 'string') return end;
	return { failure: end, unreadFrom: Math.min(...[...unread].map(({ cursor }) => cursor)) };
}

const newRange = (from: number, to: number, isKnown: boolean): NumberRange => ({
	...{ from, cursor: from, to, width: Infinity, rows: 0, isKnown },
});

/** How many numbers a page takes up. */
const spanOf = (numbers: readonly number[]): number =>
	numbers.length === 0 ? 0 : (numbers.at(-1) ?? 0) - (numbers[0] ?? 0) + 1;

/** Numbers that are spread over all that there may be are approached faster. */
const narrower = (width: number): number => Math.floor(width / (width > 1_000_000 ? 64 : 2));

const wider = (width: number): number => Math.ceil((width + 1) * 1.5);

/** Whether numbers stand in their order. */
export const isAscending = (numbers: ReadonlyArray<number | undefined>): boolean =>
	numbers.every((number = NaN, i) => i === 0 || (numbers[i - 1] ?? NaN) <= number);
