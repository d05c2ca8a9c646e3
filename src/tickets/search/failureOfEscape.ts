import type { CallError } from '../../core/client';
import { escapedColumns, matchesEscapes, withoutEscapes } from './escapes';
import type { PageReader } from './fetchPage';
import { fetchFirstRows, ignoredFilter } from './fetchPage';
import type { Query } from './query';
import { MAX_PAGE_SIZE } from './query';
import { readInTotalOrder } from './totalOrder';

/** So many tickets are looked at for one that should have been found. */
const MAX_LOOKED_AT = 2 * MAX_PAGE_SIZE;

/** Why a search that found nothing should have found something: the service takes a backslash for itself. */
export async function failureOfEscape(
	query: Query,
	reader: PageReader,
): Promise<CallError | undefined> {
	const [column] = escapedColumns(query.filters);
	if (column === undefined) return undefined;
	const filters = withoutEscapes(query.filters);
	const isEnough = (rows: ReadonlyArray<Record<string, unknown>>): boolean =>
		rows.some((row) => matchesEscapes(query.filters, row));
	const looking = { ...reader, filters, pageSize: MAX_PAGE_SIZE };
	const range = { offset: 0, limit: MAX_LOOKED_AT, isEnough };
	const { rows } = await readInTotalOrder({ ...query, filters, sort: [] }, range, looking);
	reader.requests = looking.requests;
	if (!isEnough(rows)) return undefined;
	// It may have come only now.
	const again = await fetchFirstRows({ ...query, sort: [] }, reader);
	const isStillEmpty = again.ok && again.value.data.length === 0;
	return isStillEmpty ? ignoredFilter(column, query.filters) : undefined;
}
