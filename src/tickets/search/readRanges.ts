import type { CallError } from '../../core/client';
import type { Query } from './query';
import type { PageReader } from './fetchPage';
import { fetchPage, pageStep } from './fetchPage';
import { numberIn } from './rowOrder';
import { ENDLESS, keysetQuery, MAX_PAGES_WITHOUT_NEW } from './query';
import type { Page, Ticket } from '../ticket';

/** Requests that may be spent beyond those that pages need. */
const SPARE_REQUESTS = 10;

/** Split a range for another reader only while it has more pages than this. */
const MIN_PAGES_TO_SPLIT = 2;

/** What became of a range that was read in parts: the parts from low to high, and the failure that stopped them. */
export interface RangesResult {
	readonly parts: readonly NumberRange[];
	/** Whether the service kept to the bounds that it was given. */
	readonly keptToBounds: boolean;
	readonly failure?: CallError;
	/** The lowest ticket number from which on rows may be missing after a failure. */
	readonly unreadFrom?: number;
}

/** Reads a range with as many readers as the pace allows; an idle reader takes half of the largest rest. */
export async function readRanges(
	whole: NumberRange,
	density: number,
	{ query, reader }: { query: Query; reader: PageReader },
): Promise<RangesResult> {
	const parts = [whole];
	const waiting: NumberRange[] = [whole];
	const active = new Map<NumberRange, Promise<void>>();
	const unread = new Set<NumberRange>(parts);
	const failures: CallError[] = [];
	const bounds = { kept: true };
	// The lowest and the highest page are read already.
	const count = { requests: 2, rows: 2 * reader.pageSize };

	/** Empty ranges cost a request each: there may be as many as pages were filled, and a few. */
	const maySplit = (): boolean => {
		const filled = Math.floor(count.rows / (reader.pageRows ?? reader.pageSize));
		return count.requests + waiting.length < 2 * filled + SPARE_REQUESTS;
	};

	const next = (): NumberRange | undefined => {
		const queued = waiting.shift();
		if (queued) return queued;
		const [largest] = [...active.keys()].sort(
			(a, b) => rowsLeft(b, density) - rowsLeft(a, density),
		);
		if (!largest || largest.to <= largest.cursor || !maySplit()) return undefined;
		if (rowsLeft(largest, density) <= MIN_PAGES_TO_SPLIT * reader.pageSize) return undefined;
		const upper = splitRange(largest);
		parts.push(upper);
		unread.add(upper);
		return upper;
	};

	const read = async (range: NumberRange): Promise<void> => {
		while (failures.length === 0 && bounds.kept) {
			const { cursor: gte, to: lte, isStuck, idsAtCursor, idsAtEnd } = range;
			const excludedIds = isStuck ? [...idsAtCursor, ...(gte === lte ? idsAtEnd : [])] : [];
			const slice = keysetQuery(query, { gte, lte, excludedIds });
			const { offset } = range;
			const rowsBefore = range.rows.length;
			count.requests += 1;
			const page = await fetchPage(slice, { limit: reader.pageSize, offset }, reader);
			if (!page.ok) {
				failures.push(page.failure);
				return;
			}
			const taken = addPage(range, page.value, pageStep(reader, reader.pageSize));
			count.rows += range.rows.length - rowsBefore;
			if (taken === 'endless') failures.push(ENDLESS);
			if (taken === 'read') unread.delete(range);
			if (taken === 'unbound') bounds.kept = false;
			if (taken !== 'more') return;
			if (active.size > reader.concurrency.limit()) {
				waiting.push(range);
				return;
			}
			fill();
		}
	};

	const fill = (): void => {
		while (failures.length === 0 && bounds.kept && active.size < reader.concurrency.limit()) {
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
	parts.sort((a, b) => a.from - b.from);
	const [failure] = failures;
	return failure
		? {
				parts,
				keptToBounds: bounds.kept,
				failure,
				unreadFrom: Math.min(...[...unread].map(({ cursor }) => cursor)),
			}
		: { parts, keptToBounds: bounds.kept };
}

/** A range of ticket numbers that is being read upwards: from `cursor` to `to`, both included. */
export interface NumberRange {
	readonly from: number;
	cursor: number;
	to: number;
	/** IDs that were read already at `cursor`: nothing says that numbers are unique. */
	readonly idsAtCursor: Set<string>;
	/** IDs that were read already at `to`. */
	idsAtEnd: ReadonlySet<string>;
	/** Whether the last page did not get beyond `cursor`, so the number alone cannot lead on. */
	isStuck: boolean;
	/** Where the next page begins: rows may be hidden after a page was cut, so it is empty. */
	offset: number;
	pagesWithoutNew: number;
	readonly rows: Ticket[];
}

/** Where a range begins and ends, and the IDs that are known at both ends. */
export interface RangeBounds {
	readonly from: number;
	readonly to: number;
	readonly idsAtStart?: Iterable<string>;
	readonly idsAtEnd?: Iterable<string>;
}

/** A range that was not read yet. */
export const createRange = ({
	from,
	to,
	idsAtStart = [],
	idsAtEnd = [],
}: RangeBounds): NumberRange => ({
	from,
	to,
	cursor: from,
	idsAtCursor: new Set(idsAtStart),
	idsAtEnd: new Set(idsAtEnd),
	isStuck: false,
	offset: 0,
	pagesWithoutNew: 0,
	rows: [],
});

/** The number and ID of a ticket, or undefined where the service left one out. */
export function identityOf(row: Ticket): { number: number; id: string } | undefined {
	const { ticketNumber, id } = row;
	const number = typeof ticketNumber === 'boolean' ? undefined : numberIn(ticketNumber);
	return number !== undefined && typeof id === 'string' ? { number, id } : undefined;
}

/**
 * Takes a page of a range, without what is known or lies behind its end. Says whether the range is read now, or that
 * the service did not keep to the bounds, so it can never be.
 */
export function addPage(
	range: NumberRange,
	{ data, metadata }: Page,
	step = data.length,
): 'read' | 'more' | 'unbound' | 'endless' {
	const before = range.cursor;
	const rowsBefore = range.rows.length;
	if (data.some((row) => (identityOf(row)?.number ?? before) < before)) return 'unbound';
	for (const row of data) {
		const identity = identityOf(row);
		if (!identity) continue;
		// What lies behind the end was split off while this page was being read.
		if (identity.number > range.to) return 'read';
		if (identity.number !== range.cursor) range.idsAtCursor.clear();
		range.cursor = identity.number;
		const known =
			range.idsAtCursor.has(identity.id) ||
			(identity.number === range.to && range.idsAtEnd.has(identity.id));
		range.idsAtCursor.add(identity.id);
		if (!known) range.rows.push(row);
	}
	if (!metadata.hasNextPage) return 'read';
	const moved = range.cursor > before;
	if (moved || range.rows.length > rowsBefore) {
		Object.assign(range, { isStuck: !moved, offset: 0, pagesWithoutNew: 0 });
		return 'more';
	}
	// Known IDs were excluded from a page that was asked for when stuck.
	if (range.isStuck && data.length > 0) return 'unbound';
	range.pagesWithoutNew += 1;
	if (data.length === 0) range.offset += Math.max(1, step);
	else range.isStuck = true;
	return range.pagesWithoutNew > MAX_PAGES_WITHOUT_NEW ? 'endless' : 'more';
}

/** Splits off the upper half of a range. */
export function splitRange(range: NumberRange): NumberRange {
	const middle = Math.floor((range.cursor + range.to) / 2);
	const upper = createRange({ from: middle + 1, to: range.to, idsAtEnd: range.idsAtEnd });
	range.to = middle;
	range.idsAtEnd = new Set();
	return upper;
}

/** About how many rows a range still holds, by how dense its read part is, or `density` (rows a number) before that. */
export function rowsLeft(range: NumberRange, density: number): number {
	const read = range.cursor - range.from;
	const own = read > 0 && range.rows.length > 0 ? range.rows.length / read : density;
	return (range.to - range.cursor) * own;
}
