import type { CallError } from '../../core/client';
import type { PageReader } from '../service/fetchPage';
import { fetchPage } from '../service/fetchPage';
import { identityOf, numberOf } from '../service/values';
import { textOf } from '../../core/text';
import type { Ticket } from '../ticket';
import type { Query } from './query';
import { ENDLESS, keysetQuery } from './query';

/** What ranges are read with; the tickets that came are noted in `seen`, each once. */
export interface RangesReading {
	readonly query: Query;
	readonly reader: PageReader;
	readonly seen: Map<string, Ticket>;
	/** Whether the service was seen to sort by number, so the last ticket of a page leads on. */
	readonly isSorted: boolean;
	/** The most tickets that came with a page. */
	readonly largest: number;
}

/** How reading ended: after a failure, tickets may be missing from a number on. */
export type RangesEnd =
	| { readonly kind: 'read' | 'unbound' | 'unsorted' }
	| { readonly kind: 'failed'; readonly failure: CallError; readonly unreadFrom: number };

/** A range of ticket numbers that is read upwards: from `cursor` to `to`, both included, no more than `width` at once. */
interface NumberRange {
	readonly from: number;
	cursor: number;
	to: number;
	width: number;
	/** The tickets that it had so far. */
	rows: number;
	/** Requests in a row that brought nothing new of the one number that is left. */
	stuck: number;
	/** Parts in a row that the service gave as a whole. */
	passes: number;
	/** Up to where there are tickets, as far as pages show. */
	likelyEnd: number;
}

/** Requests that may be spent beyond those that pages need. */
const SPARE_REQUESTS = 10;
/** Split a range for another reader only while it has more pages than this. */
const MIN_PAGES_TO_SPLIT = 4;

/** Reads a range with as many readers as the pace allows; an idle reader takes half of the largest rest. */
export async function readRanges(
	bounds: { readonly from: number; readonly to: number },
	reading: RangesReading,
): Promise<RangesEnd> {
	const { reader, seen, isSorted } = reading;
	if (bounds.to < bounds.from) return { kind: 'read' };
	const likelyEnd = Math.max(...numbersIn(seen));
	// Where the ends are not known, numbers below 1 are the exception.
	const isOpen = !isSorted && bounds.from < 1 && bounds.to > 0;
	const parts = isOpen
		? [
				{ ...bounds, to: 0 },
				{ ...bounds, from: 1 },
			]
		: [bounds];
	const whole = parts.map(({ from, to }): NumberRange => {
		const width = isSorted || likelyEnd < from ? Infinity : likelyEnd - from;
		return { from, to, cursor: from, width, likelyEnd, ...NOTHING_READ };
	});
	const density = seen.size / spanOf(seen, bounds);
	const waiting = [...whole];
	const active = new Map<NumberRange, Promise<void>>();
	const unread = new Set(whole);
	const ends: Array<Exclude<Step, 'more' | 'read'>> = [];
	// The lowest and the highest page are read already.
	let requests = 2;

	/** Ranges without tickets cost a request each: there may be as many as pages were filled, and a few. */
	const next = (): NumberRange | undefined => {
		const queued = waiting.shift();
		if (queued) return queued;
		// What was split off holds nobody knows how much before its first page.
		const [largest] = [...active.keys()]
			.filter((range) => whole.includes(range) || range.rows > 0)
			.sort((a, b) => rowsLeft(b, density) - rowsLeft(a, density));
		const maySplit = requests < 2 * Math.floor(seen.size / reader.pageSize) + SPARE_REQUESTS;
		if (!largest || largest.to <= largest.cursor || !maySplit) return undefined;
		if (rowsLeft(largest, density) <= MIN_PAGES_TO_SPLIT * reader.pageSize) return undefined;
		const upper = splitRange(largest);
		unread.add(upper);
		return upper;
	};

	/** Where nothing leads on, parts are made smaller no more often than so. */
	const isSpent = (): boolean =>
		!isSorted && requests > (4 * seen.size) / reading.largest + 5 * SPARE_REQUESTS;

	const read = async (range: NumberRange): Promise<void> => {
		while (ends.length === 0) {
			requests += 1;
			const step = isSpent() ? ENDLESS : await readStep(range, reading);
			if (step === 'read') unread.delete(range);
			else if (step !== 'more') ends.push(step);
			if (step !== 'more') return;
			if (active.size > reader.concurrency.limit()) {
				waiting.push(range);
				return;
			}
			fill();
		}
	};

	const fill = (): void => {
		while (ends.length === 0 && active.size < Math.max(1, reader.concurrency.limit())) {
			const range = next();
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
	const [end] = ends;
	if (end === undefined) return { kind: 'read' };
	if (typeof end === 'string') return { kind: end };
	const unreadFrom = Math.min(...[...unread].map(({ cursor }) => cursor));
	return { kind: 'failed', failure: end, unreadFrom };
}

type Step = 'read' | 'more' | 'unbound' | 'unsorted' | CallError;

/** So many requests may ask for the tickets of one number without a new one. */
const MAX_STUCK = 3;

/** Requests what is left of a range, or a part of it, and moves on by what came. */
async function readStep(
	range: NumberRange,
	{ query, reader, seen, isSorted }: RangesReading,
): Promise<Step> {
	const { cursor: gte, stuck } = range;
	const lte = Math.min(range.to, gte + range.width);
	const isOne = gte === lte;
	// Nothing says that numbers are unique.
	const excludedIds = isOne && stuck > 0 ? idsOf(gte, seen) : [];
	const offset = Math.max(0, stuck - 1) * reader.pageSize;
	const keyset = keysetQuery(query, { gte, lte, excludedIds });
	const page = await fetchPage(keyset, { limit: reader.pageSize, offset }, reader);
	if (!page.ok) return page.failure;
	const { data, metadata } = page.value;
	const numbers = data.map((row) => numberOf(row) ?? NaN);
	if (!numbers.every((number) => number >= gte && number <= lte)) return 'unbound';
	const before = seen.size;
	for (const row of data) seen.set(identityOf(row), row);
	range.rows += seen.size - before;
	if (!metadata.hasNextPage) return passed(range, lte);
	const last = numbers.at(-1) ?? gte;
	const isInOrder = numbers.every((number, i) => i === 0 || (numbers[i - 1] ?? gte) <= number);
	if (isSorted && !isInOrder) return 'unsorted';
	// Another reader may have taken what lies behind the end meanwhile.
	if (isSorted && last > range.to) return 'read';
	if (isSorted && last > gte) range.cursor = last;
	else if (!isOne) narrow(range, lte - gte, numbers);
	else range.stuck = seen.size > before ? 1 : stuck + 1;
	return range.stuck > MAX_STUCK ? ENDLESS : 'more';
}

const NOTHING_READ = { rows: 0, stuck: 0, passes: 0 } as const;

/** The service said that this was all up to a number. */
function passed(range: NumberRange, lte: number): Step {
	if (lte >= range.to) return 'read';
	range.passes += 1;
	range.stuck = 0;
	range.cursor = lte + 1;
	const wider = Math.ceil((range.width + 1) * (range.passes < 4 ? 1.25 : 4));
	const rest = range.likelyEnd - range.cursor;
	range.width = rest < 0 ? Infinity : Math.min(wider, rest);
	return 'more';
}

/** A part held too much. What came of it shows how far tickets go. */
function narrow(range: NumberRange, width: number, numbers: readonly number[]): void {
	range.likelyEnd = Math.max(range.likelyEnd, ...numbers);
	const likely = range.likelyEnd - range.cursor;
	range.width = Math.min(narrower(width), likely > 0 ? likely : Infinity);
	range.passes = 0;
}

/** Numbers that are spread over all that there may be are approached faster. */
const narrower = (width: number): number => Math.floor(width / (width > 1_000_000 ? 64 : 2));

const idsOf = (number: number, seen: ReadonlyMap<string, Ticket>): string[] =>
	[...seen.values()]
		.filter((row) => numberOf(row) === number && row['id'] !== undefined)
		.map((row) => textOf(row['id']));

const numbersIn = (seen: ReadonlyMap<string, Ticket>): number[] =>
	[...seen.values()].map((row) => numberOf(row) ?? 0);

/** About how many numbers the tickets at both ends take up. */
const spanOf = (seen: ReadonlyMap<string, Ticket>, { from, to }: { from: number; to: number }) => {
	const numbers = numbersIn(seen);
	const below = numbers.filter((number) => number <= from);
	const above = numbers.filter((number) => number >= to);
	const span = (some: readonly number[]): number =>
		some.length === 0 ? 0 : Math.max(...some) - Math.min(...some) + 1;
	return Math.max(1, span(below) + span(above));
};

/** Splits off the upper half of a range. */
function splitRange(range: NumberRange): NumberRange {
	const middle = Math.floor((range.cursor + likelyEndOf(range)) / 2);
	const from = middle + 1;
	const upper: NumberRange = { ...range, from, cursor: from, ...NOTHING_READ };
	range.to = middle;
	return upper;
}

/** About how many rows a range still holds, by how dense its read part is, or `density` (rows a number) before that. */
function rowsLeft(range: NumberRange, density: number): number {
	const read = range.cursor - range.from;
	const own = read > 0 && range.rows > 0 ? range.rows / read : density;
	return (likelyEndOf(range) - range.cursor) * own;
}

/** Where its tickets end, as far as is known: nothing is gained by sharing what is likely empty. */
const likelyEndOf = ({ cursor, to, likelyEnd }: NumberRange): number =>
	Math.max(cursor, Math.min(to, likelyEnd));
