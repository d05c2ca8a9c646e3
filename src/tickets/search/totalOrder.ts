import type { CallError } from '../../core/client';
import { issueText } from '../../core/describeFailure';
import type { ApiError } from '../../core/failures';
import type { PageReader, ReadResult } from './fetchPage';
import { isRefusal, unknownService } from './fetchPage';
import { sortUnsorted } from './localOrder';
import { withNeededColumns } from './neededColumns';
import type { Query, SortRule } from './query';
import type { OffsetRange } from './readByOffset';
import { readByOffset } from './readByOffset';

/** Without a sort, the same tickets come whatever the size of pages is. */
export const IN_ORDER: readonly SortRule[] = [
	{ column: 'ticketNumber', direction: 'asc' },
	{ column: 'id', direction: 'asc' },
];

/** The rules of an order in which no two tickets tie; no more than a service takes, but all of the sort. */
export function totalRules(sort: readonly SortRule[], max = Infinity): readonly SortRule[] {
	const named = sort.map(({ column }) => column);
	const all = [...sort, ...IN_ORDER.filter(({ column }) => !named.includes(column))];
	return all.slice(0, Math.max(sort.length, max));
}

/** Reads by offset in an order in which no two tickets tie; a service that takes few rules gets fewer. */
export async function readInTotalOrder(
	query: Query,
	range: OffsetRange,
	reader: PageReader,
): Promise<ReadResult> {
	const known = (reader.known ??= unknownService());
	const all = totalRules(query.sort).length;
	for (let sort = totalRules(query.sort, known.maxRules); ; sort = sort.slice(0, -1)) {
		const sorted = withNeededColumns({ ...query, sort });
		const result = await readByOffset(sorted, range, reader);
		const mayBeTooMany = sort.length > query.sort.length && result.rows.length === 0;
		if (isRejection(result.failure) && mayBeTooMany) continue;
		if (sort.length < all && result.failure === undefined) known.maxRules = sort.length;
		return known.ignored.has('sort') ? sortUnsorted(result, query, range) : result;
	}
}

/** Whether a search was rejected, and not for its filters. */
export const isRejection = (failure: CallError | undefined): boolean =>
	isRefusal(failure) && !isAboutFilters(failure);

const isAboutFilters = (failure: ApiError): boolean =>
	/\bfilters?\b/i.test([...failure.issues.map(issueText), failure.message].join(' '));
