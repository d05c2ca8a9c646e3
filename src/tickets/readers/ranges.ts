import type { Page, Ticket } from '../ticket';

/** A stretch of ticket numbers that is being read upwards: from `cursor` on, up to and with `to`. */
export interface Range {
	readonly from: number;
	cursor: number;
	to: number;
	/** IDs that were read already at `cursor`: nothing says that numbers are unique. */
	readonly here: Set<string>;
	/** IDs that were read already at `to`. */
	end: ReadonlySet<string>;
	/** Whether the last page did not get beyond `cursor`, so that the number alone cannot lead on. */
	stuck: boolean;
	readonly rows: Ticket[];
}

/** Where a range begins and ends, and the IDs that are known at both ends. */
export interface Bounds {
	readonly from: number;
	readonly to: number;
	readonly here?: Iterable<string>;
	readonly end?: Iterable<string>;
}

/** A range of which nothing was read yet. */
export const rangeOf = ({ from, to, here = [], end = [] }: Bounds): Range => ({
	from,
	to,
	cursor: from,
	here: new Set(here),
	end: new Set(end),
	stuck: false,
	rows: [],
});

/** What a reader needs of a row, or undefined where the service left it out. */
export function placeOf(row: Ticket): { number: number; id: string } | undefined {
	const { ticketNumber, id } = row;
	return typeof ticketNumber === 'number' && typeof id === 'string'
		? { number: ticketNumber, id }
		: undefined;
}

/**
 * Takes a page of a range, without what is known or lies behind its end. Says whether the range is read now, or that
 * the service did not keep to the bounds, so that it can never be.
 */
export function takePage(range: Range, { data, metadata }: Page): 'read' | 'more' | 'unbound' {
	const before = range.cursor;
	const rowsBefore = range.rows.length;
	if (data.some((row) => (placeOf(row)?.number ?? before) < before)) return 'unbound';
	for (const row of data) {
		const place = placeOf(row);
		if (!place) continue;
		// What lies behind the end was split off while this page was under way.
		if (place.number > range.to) return 'read';
		if (place.number !== range.cursor) range.here.clear();
		range.cursor = place.number;
		const known =
			range.here.has(place.id) || (place.number === range.to && range.end.has(place.id));
		range.here.add(place.id);
		if (!known) range.rows.push(row);
	}
	if (!metadata.hasNextPage || data.length === 0) return 'read';
	const moved = range.cursor > before;
	// Known IDs were excluded from a page that was asked for when stuck.
	if (range.stuck && !moved && range.rows.length === rowsBefore) return 'unbound';
	range.stuck = !moved;
	return 'more';
}

/** Splits off the upper half of a range. */
export function splitRange(range: Range): Range {
	const middle = Math.floor((range.cursor + range.to) / 2);
	const upper = rangeOf({ from: middle + 1, to: range.to, end: range.end });
	range.to = middle;
	range.end = new Set();
	return upper;
}

/** About how many rows a range still holds, by how dense its read part is, or `density` (rows a number) before that. */
export function rowsLeft(range: Range, density: number): number {
	const read = range.cursor - range.from;
	const own = read > 0 && range.rows.length > 0 ? range.rows.length / read : density;
	return (range.to - range.cursor) * own;
}
