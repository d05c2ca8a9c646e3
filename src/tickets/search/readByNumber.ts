import type { CallError } from '../../core/client';
import type { Query } from './query';
import type { Ticket } from '../ticket';
import type { PageReader, ReadResult } from './fetchPage';
import { fetchFirstRows, isRefusal } from './fetchPage';
import type { NumberRange } from './readRanges';
import { identityOf, createRange, readRanges } from './readRanges';
import { keysetQuery } from './query';

/** How often both ends are read where they do not fit together: tickets may have come and gone between them. */
const MAX_TRIES = 4;

/** Why tickets cannot be read by number at all, so another way is needed. */
export interface Unfit {
	readonly unfit: string;
}

/**
 * Reads every matching ticket by its number, which never changes, so rows which come, go or change meanwhile shift
 * no others. The lowest and the highest page are the bounds; what lies between is shared among parallel readers.
 */
export async function readByNumber(
	query: Query,
	reader: PageReader,
	triesLeft = MAX_TRIES - 1,
): Promise<ReadResult | Unfit> {
	const lowest = await fetchFirstRows(keysetQuery(query, {}), reader);
	if (!lowest.ok) {
		reader.refusal = isRefusal(lowest.failure) ? lowest.failure : undefined;
		return reader.refusal
			? { unfit: 'the service rejected it' }
			: { rows: [], failure: lowest.failure, position: { offset: 0 } };
	}
	const first = lowest.value.data;
	const unfit = whyUnfit(first);
	if (unfit !== undefined) return { unfit };
	if (!lowest.value.metadata.hasNextPage || first.length === 0) return { rows: first };
	const highest = await fetchFirstRows(keysetQuery(query, { direction: 'desc' }), reader);
	if (!highest.ok) return stoppedAt(first, numberOf(first.at(-1)), highest.failure);
	const last = [...highest.value.data].reverse();
	// A service that ignores the direction would give the lowest page once more, and the rest would be missing.
	const unfitEnd = whyUnfit(last);
	if (unfitEnd !== undefined) return { unfit: unfitEnd };
	const middle = rangeBetween(first, last);
	const seen = new Set(first.map(idOf));
	const above = last.filter((row) => !seen.has(idOf(row)));
	if (first.length === 1 && above.length === 0) return { unfit: NOT_SORTED };
	if (!middle) {
		if (overlapFits(first, last)) return { rows: [...first, ...above] };
		return triesLeft > 0 ? readByNumber(query, reader, triesLeft - 1) : { unfit: NOT_SORTED };
	}
	const { parts, keptToBounds, failure, unreadFrom } = await readRanges(
		middle,
		densityOf(first, last),
		{
			query,
			reader,
		},
	);
	if (!keptToBounds) return { unfit: 'the service did not keep to the bounds of a page' };
	const rows = [first, ...parts.map((part) => part.rows), above].flat();
	return failure ? stoppedAt(rows, unreadFrom ?? numberOf(first.at(-1)), failure) : { rows };
}

/** What comes before the first gap, so a search from the number on that is named brings nothing twice. */
const stoppedAt = (
	rows: readonly Ticket[],
	ticketNumber: number,
	failure: CallError,
): ReadResult => ({
	rows: rows.filter((row) => numberOf(row) < ticketNumber),
	failure,
	position: { ticketNumber },
});

/** Why rows in ascending order are of no use, or undefined where they are. */
function whyUnfit(rows: readonly Ticket[]): string | undefined {
	if (!rows.every(identityOf)) return 'the service left out ticket numbers or IDs';
	return isAscending(rows) ? undefined : NOT_SORTED;
}

const NOT_SORTED = 'the service did not sort by ticket number';

const isAscending = (rows: readonly Ticket[]): boolean =>
	rows.every((row, i) => i === 0 || numberOf(rows[i - 1]) <= numberOf(row));

const idOf = (row: Ticket): string => identityOf(row)?.id ?? '';

const numberOf = (row: Ticket | undefined): number => (row && identityOf(row)?.number) ?? 0;

/** What lies between the lowest and the highest page, both ends included, or undefined where they overlap. */
function rangeBetween(first: readonly Ticket[], last: readonly Ticket[]): NumberRange | undefined {
	const from = numberOf(first.at(-1));
	const to = numberOf(last[0]);
	if (last.length === 0 || to < from) return undefined;
	const at = (rows: readonly Ticket[], number: number) =>
		rows.filter((row) => numberOf(row) === number).map(idOf);
	return createRange({ from, to, idsAtStart: at(first, from), idsAtEnd: at(last, to) });
}

/** Whether each page has what it must have of the other one, as it does where the service sorts. */
function overlapFits(first: readonly Ticket[], last: readonly Ticket[]): boolean {
	if (last.length === 0) return false;
	const from = numberOf(last[0]);
	const to = numberOf(first.at(-1));
	const inFirst = new Set(first.map(idOf));
	const inLast = new Set(last.map(idOf));
	return (
		first.every((row) => numberOf(row) <= from || inLast.has(idOf(row))) &&
		last.every((row) => numberOf(row) >= to || inFirst.has(idOf(row)))
	);
}

/** Rows a number in both pages together. */
function densityOf(...pages: ReadonlyArray<readonly Ticket[]>): number {
	const span = pages.reduce((sum, page) => sum + numberOf(page.at(-1)) - numberOf(page[0]) + 1, 0);
	return pages.flat().length / Math.max(1, span);
}
