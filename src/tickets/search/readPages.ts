import isEmpty from 'lodash/isEmpty';
import isUndefined from 'lodash/isUndefined';
import omitBy from 'lodash/omitBy';
import uniqBy from 'lodash/uniqBy';
import type { CallError } from '../../core/client';
import type { Column } from '../columns';
import { columns } from '../columns';
import { addBounds } from '../filters/combine';
import type { PageReader } from '../service/fetchPage';
import { fetchPage } from '../service/fetchPage';
import type { Ticket } from '../ticket';
import { sortValue, ticketKey } from '../ticket';
import type { Query } from './query';
import { searchContractError } from './query';

/** The tickets that were read, and where reading stopped before the end. */
export interface ReadResult {
	readonly rows: readonly Ticket[];
	readonly failure?: CallError;
	/** Where to continue after a failure, for the details of the error. */
	readonly position?: Readonly<Record<string, number>>;
	/** Whether reading stopped though more may follow. */
	readonly isPartial?: boolean;
}

/** The order of a number or a time (ms), between two bounds that belong to it. */
export interface TicketRange {
	readonly column: Column;
	readonly direction: 'asc' | 'desc';
	readonly from?: number;
	readonly to?: number;
}

/** The part to read: of a range, or of the order of the query. Without a limit, everything. */
export interface PageRange {
	readonly stretch?: TicketRange;
	readonly offset?: number;
	readonly limit?: number | undefined;
	/** Whether reading may stop after these rows. */
	readonly isEnough?: (rows: readonly Ticket[]) => boolean;
}

const MAX_SHIFTS = 3;

/** The error of a search whose tickets keep moving. */
export const SHIFTED = searchContractError(
	'The tickets moved between pages four times in a row, so a page could not be joined to the one before',
	'Search again, or use Return All without a sort',
);

/** The error of a service that says more tickets follow and returns the same ones again. */
const NOTHING_NEW = searchContractError(
	'A page said to have more tickets had only tickets of the pages before',
	'Search again, or use Return All without a sort',
);

/**
 * Reads pages until the end, the limit, or enough rows, each row once. In a range, each page starts at the last value of the
 * previous page. So new or deleted tickets cause no gap. Other pages start with the last ticket of the previous page.
 * If that ticket has moved, the value, or the whole order, is read again.
 */
export async function readPages(
	query: Query,
	{ stretch, offset: start = 0, limit = Infinity, isEnough }: PageRange,
	reader: PageReader,
): Promise<ReadResult> {
	const rows: Ticket[] = [];
	const seen = new Set<unknown>();
	let [from, offset, shifts] = [stretch?.from, start, 0];
	let anchor: unknown;
	for (;;) {
		const overlap = rows.length > 0 ? 1 : 0;
		const size = Math.min(Math.max(2, reader.pageSize), limit - rows.length + overlap);
		const request = stretch ? stretchQuery(query, { ...stretch, from }) : query;
		const page = await fetchPage(request, { limit: size, offset }, reader);
		const position = { offset: start + rows.length };
		if (!page.ok) return { rows, failure: page.failure, position };
		const { data, metadata } = page.value;
		const values = data.map((row) => stretch && sortValue(row, stretch.column));
		const keys = data.map((row, i) => `${String(ticketKey(row))}@${values[i]}`);
		const isNameless = data.some((row) => ticketKey(row) === undefined);
		if (isNameless || (stretch && values.includes(undefined))) {
			const label = isNameless || !stretch ? 'ID' : columns[stretch.column].label;
			const message = `A ticket came without ${label}, by which the tickets were requested`;
			return { rows, failure: searchContractError(message), position };
		}
		if (anchor !== undefined && keys[0] !== anchor) {
			if (!stretch) {
				rows.length = 0;
				seen.clear();
			}
			if (++shifts > MAX_SHIFTS) return { rows, failure: SHIFTED, position };
			[offset, anchor] = [start, undefined];
			continue;
		}
		const fresh = data.filter((_, i) => !seen.has(keys[i]));
		for (const key of keys) seen.add(key);
		rows.push(...fresh);
		const hasMore = metadata.hasNextPage && data.length > 0;
		if (rows.length >= limit)
			return { rows: rows.slice(0, limit), isPartial: hasMore || rows.length > limit };
		// A short page without a new ticket is the end, even if hasNextPage is true.
		if (!hasMore || (fresh.length === 0 && data.length < size)) return { rows };
		if (isEnough?.(rows)) return { rows, isPartial: true };
		const last = values.at(-1);
		const isSameValue = last === from;
		// After a shift, known tickets may be returned again, up to where reading had ended.
		const isRing = !isSameValue || offset - start >= seen.size;
		if (fresh.length === 0 && isRing) return { rows, failure: NOTHING_NEW, position };
		offset = isSameValue ? offset + data.length - 1 : start;
		anchor = isSameValue ? keys.at(-1) : undefined;
		from = last;
	}
}

function stretchQuery(
	{ filters, select }: Query,
	{ column, direction, from, to }: TicketRange,
): Query {
	const isTime = columns[column].kind === 'timestamp';
	const [gte, lte] = (direction === 'asc' ? [from, to] : [to, from]).map((value) =>
		value !== undefined && isTime ? new Date(value).toISOString() : value,
	);
	const operands = addBounds(filters[column], omitBy({ gte, lte }, isUndefined));
	return {
		filters: omitBy({ ...filters, [column]: operands }, isEmpty),
		sort: totalOrder([{ column, direction }]),
		select,
	};
}

/** Adds the rules that leave no two tickets in a tie. */
export function totalOrder(sort: Query['sort']): Query['sort'] {
	const direction = sort.length > 0 ? 'asc' : 'desc';
	const ties = [
		{ column: 'ticketNumber', direction },
		{ column: 'id', direction },
	] as const;
	return uniqBy([...sort, ...ties], 'column');
}
