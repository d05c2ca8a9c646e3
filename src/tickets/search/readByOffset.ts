import type { PageReader } from '../service/fetchPage';
import { fetchPage } from '../service/fetchPage';
import { ticketKey } from '../service/values';
import type { Ticket } from '../ticket';
import type { Query } from './query';
import type { ReadResult } from './readStretch';
import { MAX_SHIFTS, SHIFTED } from './readStretch';

/** The part of an order to read: from an offset on, all or at most `limit` tickets. */
export interface OffsetRange {
	readonly offset: number;
	readonly limit?: number;
}

/** Reads pages in the order of the service; starts anew if tickets moved between two pages. */
export async function readByOffset(
	query: Query,
	range: OffsetRange,
	reader: PageReader,
): Promise<ReadResult> {
	for (let shifts = 0; shifts <= MAX_SHIFTS; shifts++) {
		const read = await readInOnePass(query, range, reader);
		if (read !== 'shifted') return read;
	}
	return { rows: [], failure: SHIFTED, position: { offset: range.offset } };
}

/** Each page begins with the last ticket of the page before, which shows that nothing shifted. */
async function readInOnePass(
	query: Query,
	{ offset: start, limit = Infinity }: OffsetRange,
	reader: PageReader,
): Promise<ReadResult | 'shifted'> {
	const rows = new Map<unknown, Ticket>();
	let next = start;
	let anchor: unknown;
	for (;;) {
		const overlap = next > start ? 1 : 0;
		const wanted = Math.max(limit - rows.size + overlap, 1 + overlap);
		const span = { offset: next - overlap, limit: Math.min(Math.max(reader.pageSize, 2), wanted) };
		const page = await fetchPage(query, span, reader);
		if (!page.ok)
			return { rows: [...rows.values()], failure: page.failure, position: { offset: next } };
		const { data, metadata } = page.value;
		if (overlap > 0 && (!data[0] || ticketKey(data[0]) !== anchor)) return 'shifted';
		for (const row of data) if (!rows.has(ticketKey(row))) rows.set(ticketKey(row), row);
		const isEnd = !metadata.hasNextPage || data.length <= overlap;
		if (rows.size >= limit)
			return { rows: [...rows.values()].slice(0, limit), isPartial: !isEnd || rows.size > limit };
		if (isEnd) return { rows: [...rows.values()] };
		next += data.length - overlap;
		anchor = data.at(-1) && ticketKey(data.at(-1) ?? {});
	}
}
