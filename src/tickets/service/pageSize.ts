import type { CallError } from '../../core/client';
import type { Result } from '../../core/result';
import { ticketNumberRange } from '../columns';
import type { Query } from '../search/query';
import { keysetQuery } from '../search/query';
import type { Ticket } from '../ticket';
import type { Page, PageReader, PageSpan } from './fetchPage';
import { fetchPage } from './fetchPage';
import { identityOf } from './values';

/** Measures how many tickets a page may have, once one was short though more follow, and gives the page behind it. Cut pages are full wherever they begin; where tickets are hidden, a page from the middle brings some that the first one did not have. */
export async function measurePageSize(
	query: Query,
	{ offset, limit }: PageSpan,
	rows: readonly Ticket[],
	reader: PageReader,
): Promise<Result<Page, CallError>> {
	const { known } = reader;
	const { length } = rows;
	const behind = { limit: Math.max(1, length), offset: offset + length };
	const next = await fetchPage(query, behind, reader);
	if (!next.ok || isEnd(next.value)) return next;
	if (length > 0 && (!next.value.metadata.hasNextPage || next.value.data.length >= length)) {
		known.pageSize = length;
		return next;
	}
	const shown = new Set(rows.map(identityOf));
	const isShown = (row: Ticket): boolean => shown.has(identityOf(row));
	// Noted at the end: other searches of the run go by it at once.
	let size = limit;
	for (let half = Math.floor(size / 2); half >= 1; half = Math.floor(size / 2)) {
		const page = await fetchPage(query, { limit: size - half, offset: offset + half }, reader);
		if (!page.ok) return page;
		const { data, metadata } = page.value;
		// Where nothing follows the middle, the first page, behind which more followed, did not go there.
		const isReached = metadata.hasNextPage && data.every(isShown);
		if (isReached || data.length > size - half) break;
		size = half;
	}
	Object.assign(known, { hides: true, pageSize: size });
	return next;
}

/** Whether a page says, and shows, that nothing follows. */
export const isEnd = ({ data, metadata }: Page): boolean =>
	data.length === 0 && !metadata.hasNextPage;

/** Whether the service says of a range without a ticket, too, that more follow. It is asked once per run. */
export const isEndless = async (query: Query, reader: PageReader): Promise<boolean> =>
	await (reader.known.isEndless ??= askForEnd(query, reader));

async function askForEnd(query: Query, reader: PageReader): Promise<boolean> {
	const { min } = ticketNumberRange;
	const none = keysetQuery(query, { gte: min, lte: min });
	const page = await fetchPage(none, { limit: reader.pageSize, offset: 0 }, reader);
	return page.ok && page.value.data.length === 0 && page.value.metadata.hasNextPage;
}
