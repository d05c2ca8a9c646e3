import type { CallError } from '../../core/client';
import type { Query } from '../search/query';
import type { Ticket } from '../ticket';
import type { PageReader, PageSpan } from './fetchPage';
import { fetchPage } from './fetchPage';
import { identityOf } from './values';

/**
 * Measures how many tickets a page may have, once a page was shorter than was asked for though more follow: the service
 * cuts its pages shorter, or hides tickets after it cut them. A page that begins in the middle of what was asked for
 * brings tickets that the first one did not have, unless the first one went all the way.
 */
export async function measurePageSize(
	query: Query,
	{ offset, limit }: PageSpan,
	rows: readonly Ticket[],
	reader: PageReader,
): Promise<CallError | undefined> {
	const { known } = reader;
	const shown = new Set(rows.map(identityOf));
	const isShown = (row: Ticket): boolean => shown.has(identityOf(row));
	if (rows.length > 0) {
		const next = await fetchPage(query, { limit, offset: offset + rows.length - 1 }, reader);
		if (!next.ok) return next.failure;
		const [first, ...others] = next.value.data;
		if (first && isShown(first) && others.length > 0 && !others.some(isShown)) {
			known.pageSize = rows.length;
			return undefined;
		}
	}
	known.hides = true;
	for (let size = limit; ; size = Math.floor(size / 2)) {
		known.pageSize = size;
		const half = Math.floor(size / 2);
		if (half < 1) return undefined;
		const page = await fetchPage(query, { limit: size - half, offset: offset + half }, reader);
		if (!page.ok) return page.failure;
		// Where nothing follows the middle, the first page, behind which more followed, did not go there.
		const { data, metadata } = page.value;
		if (metadata.hasNextPage && data.every(isShown)) return undefined;
	}
}
