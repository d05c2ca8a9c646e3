import type { CallError } from '../../core/client';
import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import { escapedColumns, excludedByEscapes, matchesEscapes, withoutEscapes } from './escapes';
import type { PageReader } from './fetchPage';
import { fetchFirstRows, ignoredFilter } from './fetchPage';
import type { Query } from './query';
import { MAX_PAGE_SIZE } from './query';
import { readInTotalOrder } from './totalOrder';

/** So many tickets are looked at for one that should have been found. */
const MAX_LOOKED_AT = 2 * MAX_PAGE_SIZE;

/** How often it is looked: tickets may come, go and change between two requests. */
const LOOKS = 3;

/** Why a search that found nothing should have found something: the service takes a backslash for itself. */
export async function failureOfEscape(
	query: Query,
	reader: PageReader,
): Promise<CallError | undefined> {
	const [column] = escapedColumns(query.filters);
	if (column === undefined) return undefined;
	for (let looks = 0; looks < LOOKS; looks++) {
		const missing = await isOneMissing(query, reader);
		if (!missing.ok) return missing.failure;
		if (!missing.value) return undefined;
	}
	return ignoredFilter(column, query.filters);
}

/** Whether there is a ticket that matches, and the search still finds nothing. */
async function isOneMissing(query: Query, reader: PageReader): Promise<Result<boolean, CallError>> {
	const filters = withoutEscapes(query.filters);
	const isEnough = (rows: ReadonlyArray<Record<string, unknown>>): boolean =>
		rows.some((row) => matchesEscapes(query.filters, row));
	const looking = { ...reader, filters, pageSize: MAX_PAGE_SIZE };
	const range = { offset: 0, limit: MAX_LOOKED_AT, isEnough };
	const looked = await readInTotalOrder({ ...query, filters, sort: [] }, range, looking);
	reader.requests = looking.requests;
	if (!isEnough(looked.rows)) return looked.failure ? fail(looked.failure) : ok(false);
	const again = await fetchFirstRows({ ...query, sort: [] }, reader);
	return again.ok ? ok(again.value.data.length === 0) : again;
}

/** Why the tickets from an offset on are not those that were asked for: one that a pattern takes out stands before them, or may. */
export async function failureBeforeOffset(
	query: Query,
	reader: PageReader,
): Promise<CallError | undefined> {
	for (const filters of excludedByEscapes(query.filters)) {
		const looking: PageReader = { ...reader, filters, pageSize: MAX_PAGE_SIZE };
		const range = { offset: 0, limit: MAX_LOOKED_AT };
		const { failure } = await readInTotalOrder({ ...query, filters, sort: [] }, range, looking);
		reader.requests = looking.requests;
		if (looking.unmatched !== undefined) return ignoredFilter(looking.unmatched, query.filters);
		if (failure) return failure;
	}
	return undefined;
}
