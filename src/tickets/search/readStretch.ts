import isEmpty from 'lodash/isEmpty';
import isUndefined from 'lodash/isUndefined';
import omitBy from 'lodash/omitBy';
import type { CallError } from '../../core/client';
import { columns } from '../columns';
import type { Column } from '../columns';
import { addBounds } from '../filters/combine';
import type { PageReader } from '../service/fetchPage';
import { fetchPage } from '../service/fetchPage';
import { sortValue, ticketKey } from '../service/values';
import type { Ticket } from '../ticket';
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

/** Tickets in the order of a number or a time (ms), between two bounds that belong to it. */
export interface Stretch {
	readonly column: Column;
	readonly direction: 'asc' | 'desc';
	readonly from?: number;
	readonly to?: number;
	readonly limit?: number;
	/** Whether reading may stop after these rows. */
	readonly isEnough?: (rows: readonly Ticket[]) => boolean;
}

/** How often a read starts anew because tickets moved between its pages. */
export const MAX_SHIFTS = 3;

/** The error of a search whose tickets keep moving. */
export const SHIFTED = searchContractError(
	'The tickets moved between pages four times in a row, so a page could not be joined to the one before',
	'Search again, or use Return All without a sort',
);

/**
 * Reads a stretch page by page, each from the last value of the page before. Tickets that come or go shift nothing.
 * Only a page full of one value is continued by offset, with one overlapping row.
 */
export async function readStretch(
	query: Query,
	stretch: Stretch,
	reader: PageReader,
): Promise<ReadResult> {
	const { column, limit = Infinity, isEnough } = stretch;
	const size = Math.max(2, Math.min(reader.pageSize, limit));
	const rows: Ticket[] = [];
	const known = new Set<unknown>();
	let [from, offset, shifts] = [stretch.from, 0, 0];
	let anchor: unknown;
	for (;;) {
		const span = { limit: size, offset };
		const page = await fetchPage(stretchQuery(query, { ...stretch, from }), span, reader);
		if (!page.ok) return { rows, failure: page.failure };
		const { data, metadata } = page.value;
		const values = data.map((row) => sortValue(row, column));
		if (values.includes(undefined)) {
			const message = `A ticket came without ${columns[column].label}, by which the tickets were requested`;
			return { rows, failure: searchContractError(message) };
		}
		if (offset > 0 && keyIn(data[0], column) !== anchor) {
			if (++shifts > MAX_SHIFTS) return { rows, failure: SHIFTED };
			offset = 0;
			continue;
		}
		const fresh = data.filter((row) => !known.has(keyIn(row, column)));
		for (const row of fresh) known.add(keyIn(row, column));
		rows.push(...fresh);
		const hasMore = metadata.hasNextPage && data.length > 0;
		if (rows.length >= limit)
			return { rows: rows.slice(0, limit), isPartial: hasMore || rows.length > limit };
		// A short page without a new ticket is the end, whatever hasNextPage says.
		if (!hasMore || (fresh.length === 0 && data.length < size)) return { rows };
		if (isEnough?.(rows)) return { rows, isPartial: true };
		const last = values.at(-1);
		offset = last === from ? offset + data.length - 1 : 0;
		from = last;
		anchor = keyIn(data.at(-1), column);
	}
}

/** A ticket at one time, because a changed time makes it another row; a number never changes. */
const keyIn = (row: Ticket | undefined, column: Column): unknown =>
	row && column !== 'ticketNumber'
		? `${String(ticketKey(row))}@${sortValue(row, column)}`
		: ticketKey(row ?? {});

function stretchQuery({ filters, select }: Query, { column, direction, from, to }: Stretch): Query {
	const isTime = columns[column].kind === 'timestamp';
	const [gte, lte] = (direction === 'asc' ? [from, to] : [to, from]).map((value) =>
		value !== undefined && isTime ? new Date(value).toISOString() : value,
	);
	const bounds = omitBy({ gte, lte }, isUndefined);
	const operands = addBounds(filters[column], bounds);
	return {
		filters: omitBy({ ...filters, [column]: operands }, isEmpty),
		sort: totalOrder([{ column, direction }]),
		select,
	};
}

/** Adds the rules that leave no two tickets in a tie. */
export function totalOrder(sort: Query['sort']): Query['sort'] {
	const direction = sort.length > 0 ? 'asc' : 'desc';
	const ties = (['ticketNumber', 'id'] as const).filter(
		(column) => !sort.some((rule) => rule.column === column),
	);
	return [...sort, ...ties.map((column) => ({ column, direction }) as const)];
}
