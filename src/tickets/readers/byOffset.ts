import isEqual from 'lodash/isEqual';
import type { CallError } from '../../core/client';
import type { Query } from '../query';
import { LARGEST_PAGE } from '../query';
import type { Ticket } from '../ticket';
import type { Means } from './askPage';
import { askPage } from './askPage';
import type { Reading } from './reading';

/** What to read: at most `limit` rows (all where undefined), from `offset` on. */
export interface Span {
	readonly limit?: number;
	readonly offset: number;
}

/** How often pages are read again because rows came and went meanwhile. */
const MOST_SHIFTS = 1_000;

/** How many pages in a row may hold known rows only; more rows than that do not come in between two requests. */
const MOST_BARREN = 50;

const endless: CallError = {
	kind: 'contract',
	call: 'POST /tickets/search',
	status: 200,
	message: 'The pages repeat themselves or keep shifting, so that the end cannot be reached',
};

/**
 * Reads pages by offset (interface: metadata.hasNextPage). Each page but the first begins with the last row of the one
 * before. Where it does not, rows came or went meanwhile, and pages further back are read again until one begins with a
 * row that is known and stayed in its place: nothing that follows it can have been missed. The sort has to be total.
 */
export async function readByOffset(query: Query, span: Span, means: Means): Promise<Reading> {
	const { limit = Infinity } = span;
	const rows: Ticket[] = [];
	const known = new Map<unknown, Ticket>();
	const stayed = (row: Ticket | undefined): boolean => {
		const before = row && known.get(row['id']);
		return (
			before !== undefined &&
			query.sort.every(({ column }) => isEqual(before[column], row?.[column]))
		);
	};
	let position = span.offset;
	let reached = span.offset;
	let shifts = 0;
	let repeated = 0;
	let barren = 0;
	for (;;) {
		const overlap = position > span.offset ? 1 : 0;
		const offset = position - overlap;
		// A page of one row could not overlap and lead on.
		const size = Math.min(
			LARGEST_PAGE,
			Math.max(means.pageSize, overlap + 1),
			limit - rows.length + overlap,
		);
		const page = await askPage(query, { limit: size, offset }, means);
		if (!page.ok)
			return { rows, shifts, repeated, position: { offset: position }, failure: page.failure };
		const { data, metadata } = page.value;
		if (overlap > 0 && !stayed(data[0]) && shifts <= MOST_SHIFTS) {
			shifts += 1;
			position = Math.max(span.offset, offset - means.pageSize);
			continue;
		}
		const fresh = data.filter((row) => !known.has(row['id']));
		// On the way back to where pages shifted, known rows are what is looked for.
		if (position >= reached) repeated += Math.max(0, data.length - fresh.length - overlap);
		// Also those that changed: else the way back would end at them again and again.
		for (const row of data) known.set(row['id'], row);
		rows.push(...fresh.slice(0, limit - rows.length));
		position = offset + data.length;
		barren = fresh.length === 0 && position > reached ? barren + 1 : 0;
		reached = Math.max(reached, position);
		if (rows.length >= limit || !metadata.hasNextPage || data.length <= overlap)
			return { rows, shifts, repeated };
		if (barren > MOST_BARREN || shifts > MOST_SHIFTS) {
			return { rows, shifts, repeated, position: { offset: position }, failure: endless };
		}
	}
}
