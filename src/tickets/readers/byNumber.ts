import type { CallError } from '../../core/client';
import type { Query } from '../query';
import type { Ticket } from '../ticket';
import type { Means } from './askPage';
import { askPage } from './askPage';
import type { Range } from './ranges';
import { placeOf, rangeOf } from './ranges';
import type { Reading } from './reading';
import { readRanges } from './readRanges';
import { sliceOf } from './slice';

/** Why tickets cannot be read by number at all, so that another way is needed. */
export interface Unfit {
	readonly unfit: string;
}

/**
 * Reads every matching ticket by its number, which never changes, so that rows which come, go or change meanwhile shift
 * no others. The lowest and the highest page are the bounds; what lies between is shared among parallel readers.
 */
export async function readByNumber(query: Query, means: Means): Promise<Reading | Unfit> {
	const page = { limit: means.pageSize, offset: 0 };
	const lowest = await askPage(sliceOf(query, {}), page, means);
	if (!lowest.ok) {
		return isRefusal(lowest.failure)
			? { unfit: 'the service refused it' }
			: { rows: [], failure: lowest.failure };
	}
	const first = lowest.value.data;
	const unfit = whyUnfit(first);
	if (unfit !== undefined) return { unfit };
	if (!lowest.value.metadata.hasNextPage || first.length === 0) return { rows: first };
	const highest = await askPage(sliceOf(query, { direction: 'desc' }), page, means);
	if (!highest.ok) return { rows: first, failure: highest.failure };
	const last = [...highest.value.data].reverse();
	// A service that ignores the direction would give the lowest page once more, and the rest would be missing.
	const unfitEnd = whyUnfit(last);
	if (unfitEnd !== undefined) return { unfit: unfitEnd };
	const middle = between(first, last);
	const seen = new Set(first.map(idOf));
	const above = last.filter((row) => !seen.has(idOf(row)));
	if (!middle) return { rows: [...first, ...above] };
	const { parts, keptToBounds, failure, unreadFrom } = await readRanges(
		middle,
		densityOf(first, last),
		{
			query,
			means,
		},
	);
	if (!keptToBounds) return { unfit: 'the service did not keep to the bounds of a page' };
	const rows = [first, ...parts.map((part) => part.rows), above].flat();
	return failure
		? { rows, failure, position: { ...(unreadFrom !== undefined && { ticketNumber: unreadFrom }) } }
		: { rows };
}

const isRefusal = (failure: CallError): boolean => failure.kind === 'api' && failure.status === 400;

/** Why rows in ascending order are of no use, or undefined where they are. */
function whyUnfit(rows: readonly Ticket[]): string | undefined {
	if (!rows.every(placeOf)) return 'the service left out ticket numbers or IDs';
	return isAscending(rows) ? undefined : 'the service did not sort by ticket number';
}

const isAscending = (rows: readonly Ticket[]): boolean =>
	rows.every((row, i) => i === 0 || numberOf(rows[i - 1]) <= numberOf(row));

const idOf = (row: Ticket): string => placeOf(row)?.id ?? '';

const numberOf = (row: Ticket | undefined): number => (row && placeOf(row)?.number) ?? 0;

/** What lies between the lowest and the highest page, both ends included, or undefined where they overlap. */
function between(first: readonly Ticket[], last: readonly Ticket[]): Range | undefined {
	const from = numberOf(first.at(-1));
	const to = numberOf(last[0]);
	if (last.length === 0 || to < from) return undefined;
	const at = (rows: readonly Ticket[], number: number) =>
		rows.filter((row) => numberOf(row) === number).map(idOf);
	return rangeOf({ from, to, here: at(first, from), end: at(last, to) });
}

/** Rows a number in both pages together. */
function densityOf(...pages: ReadonlyArray<readonly Ticket[]>): number {
	const span = pages.reduce((sum, page) => sum + numberOf(page.at(-1)) - numberOf(page[0]) + 1, 0);
	return pages.flat().length / Math.max(1, span);
}
