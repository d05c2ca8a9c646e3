import maxBy from 'lodash/maxBy';
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

/** A range of ticket numbers that is read upwards: from `cursor` to `to`, both included. */
interface NumberRange {
	readonly from: number;
	cursor: number;
	to: number;
	/** The tickets below the cursor. */
	rows: number;
}

/** What came of the tickets of a range: all of them, or the first page. */
interface Part {
	readonly numbers: readonly number[];
	readonly isWhole: boolean;
	/** Whether the last one is where to go on. */
	readonly isLeading: boolean;
}

/** Reads the tickets of a range as far as a page goes; those of a single number all. */
async function readPart(
	[gte, lte]: readonly [from: number, to: number],
	{ query, reader, seen, isSorted }: RangesReading,
): Promise<Part | { readonly failure: CallError | 'unbound' }> {
	const part = keysetQuery(query, { gte, lte });
	// A page of one ticket, the last one of the page before, would not lead on.
	const limit = Math.max(2, reader.pageSize);
	const page = await fetchPage(part, { limit, offset: 0 }, reader);
	if (!page.ok) return { failure: page.failure };
	const { data, metadata } = page.value;
	const numbers = data.map((row) => numberOf(row) ?? NaN);
	if (!numbers.every((number) => number >= gte && number <= lte)) return { failure: 'unbound' };
	for (const row of data) seen.set(identityOf(row), row);
	const isLeading = isSorted && (numbers.at(-1) ?? gte) > gte;
	if (!metadata.hasNextPage || gte < lte)
		return { numbers, isLeading, isWhole: !metadata.hasNextPage };
	// Nothing says that numbers are unique, and some services say that more follow until a page is empty.
	const next = await fetchPage(part, { limit, offset: data.length }, reader);
	if (next.ok && next.value.data.length === 0 && !next.value.metadata.hasNextPage)
		return { numbers, isLeading, isWhole: true };
	const { rows, failure } = await readInTotalOrder({ ...part, sort: [] }, { offset: 0 }, reader);
	for (const row of rows) seen.set(identityOf(row), row);
	return failure ? { failure } : { numbers, isLeading, isWhole: true };
}

/** Requests that may be spent beyond those that pages need. */
const SPARE_REQUESTS = 10;
/** Split a range for another reader only while it has more pages than this. */
const MIN_PAGES_TO_SPLIT = 4;

/**
 * Reads what lies between both ends with as many readers as the pace allows; an idle reader takes half of the largest rest.
 * Where the last ticket of a page does not lead on, the range is cut until the service says that it gave all of one.
 */
export async function readRanges(reading: RangesReading): Promise<RangesEnd | undefined> {
	const { reader, seen, first, last } = reading;
	const [from = 0, cursor = 0, to = 0] = [first[0], first.at(-1), last[0]];
	/** The ranges that are not read to their end. */
	const open = new Set<NumberRange>([{ from, cursor, to, rows: first.length - 1 }]);
	const active = new Map<NumberRange, Promise<void>>();
	let requests = 2;
	let end: 'unbound' | 'unsorted' | CallError | undefined;

	/** Leaves to a range the numbers up to one, and those behind it to another range. */
	const cut = (range: NumberRange, at: number): void => {
		if (at >= range.to) return;
		open.add({ from: at + 1, cursor: at + 1, to: range.to, rows: 0 });
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
			[...active.keys()].filter(({ from, cursor }) => cursor > from),
			pagesLeft,
		);
		if (!maySplit || !largest || pagesLeft(largest) <= MIN_PAGES_TO_SPLIT) return;
		// The lower part ends where a page does.
		const half = Math.round(pagesLeft(largest) / 2) * pageSpanOf(largest);
		cut(largest, Math.floor(largest.cursor + half));
	};

	const step = async (range: NumberRange): Promise<typeof end> => {
		const { cursor, to } = range;
		requests += 1;
		const part = await readPart([cursor, to], reading);
		if ('failure' in part) return part.failure;
		const { numbers, isWhole, isLeading } = part;
		if (isWhole) range.cursor = to + 1;
		else if (isLeading) {
			if (!isAscending(numbers)) return 'unsorted';
			range.cursor = numbers.at(-1) ?? cursor;
			range.rows += numbers.length - 1;
		} else cut(range, numbers.length > 0 ? cursor : Math.floor((cursor + to) / 2));
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
	return end && endedAt(end, Math.min(...[...open].map((range) => range.cursor)));
}

const endedAt = (end: 'unbound' | 'unsorted' | CallError, unreadFrom: number): RangesEnd =>
	typeof end === 'string' ? end : { failure: end, unreadFrom };

/**
 * Reads all numbers in parts, where nothing leads on: each part as wide as may be for the service to say that it gave all of
 * it. Numbers below 1 are the exception, and behind the highest one that was seen there is likely nothing.
 */
export async function readParts(reading: RangesReading): Promise<RangesEnd | undefined> {
	const { min, max } = ticketNumberRange;
	let highest = Math.max(...reading.first, ...reading.last);
	let [from, width, requests] = [min, Infinity, 0];
	while (from <= max) {
		const end = from < 1 ? 0 : from <= highest ? highest : max;
		const to = Math.min(end, from + width);
		requests += 1;
		if (requests > mostParts(reading)) return endedAt(ENDLESS, from);
		const part = await readPart([from, to], reading);
		if ('failure' in part) return endedAt(part.failure, from);
		highest = Math.max(highest, ...part.numbers);
		if (!part.isWhole) width = narrower(to - from);
		else {
			width = to < highest ? Math.ceil((to - from + 1) * 1.5) : Infinity;
			from = to + 1;
		}
	}
	return undefined;
}

/** Where nothing leads on, parts are made smaller no more often than so. */
const mostParts = ({ seen, first, last }: RangesReading): number =>
	(4 * seen.size) / Math.max(1, first.length, last.length) + 5 * SPARE_REQUESTS;

/** Numbers that are spread over all that there may be are approached faster. */
const narrower = (width: number): number => Math.floor(width / (width > 1_000_000 ? 64 : 2));

/** Whether numbers stand in their order. */
export const isAscending = (numbers: ReadonlyArray<number | undefined>): boolean =>
	numbers.every((number = NaN, i) => i === 0 || (numbers[i - 1] ?? NaN) <= number);
