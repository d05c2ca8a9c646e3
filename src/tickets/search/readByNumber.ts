import type { CallError } from '../../core/client';
import type { PageReader } from '../service/fetchPage';
import { fetchPage } from '../service/fetchPage';
import { isRefusal } from '../service/dialect';
import { isEndless } from '../service/pageSize';
import { identityOf, numberOf } from '../service/values';
import { ticketNumberRange } from '../columns';
import type { Ticket } from '../ticket';
import type { Query } from './query';
import { ENDLESS, keysetQuery } from './query';
import { readRanges } from './readRanges';

/** The tickets that were read, and where reading stopped if it did not reach the end. */
export interface ReadResult {
	readonly rows: readonly Ticket[];
	readonly failure?: CallError;
	/** Where to go on after a failure, as facts for the details of the error. */
	readonly position?: Readonly<Record<string, number>>;
	/** Whether reading stopped though more may follow. */
	readonly isPartial?: boolean;
}

/** Why tickets cannot be read by number at all, so another way is needed. */
export interface Unfit {
	readonly unfit: string;
	readonly failure?: CallError;
}

/** So many tickets at both ends in order show that the service sorts; fewer may be in order by chance. */
const ENOUGH_TO_SHOW = 5;

/**
 * Reads every matching ticket by its number, which never changes, so tickets that come, go or change meanwhile shift no
 * others. Where both ends show that the service sorts, what lies between is shared among parallel readers. Where they do
 * not, ranges are made smaller until the service says of each that it gave all of it.
 */
export async function readByNumber(
	query: Query,
	reader: PageReader,
	mayTrustOrder = true,
): Promise<ReadResult | Unfit> {
	// Smaller pages could not show how the service sorts.
	const span = { limit: Math.max(Math.ceil(ENOUGH_TO_SHOW / 2), reader.pageSize), offset: 0 };
	const lowest = await fetchPage(keysetQuery(query, {}), span, reader);
	if (!lowest.ok)
		return isRefusal(lowest.failure) && reader.known.rulesTaken === 0
			? { unfit: 'the service rejected it', failure: lowest.failure }
			: { rows: [], failure: lowest.failure, position: { offset: 0 } };
	const first = numbersOf(lowest.value.data);
	if (first.includes(undefined)) return { unfit: 'the service left out ticket numbers' };
	if (!lowest.value.metadata.hasNextPage) return { rows: lowest.value.data };
	const highest = await fetchPage(keysetQuery(query, { direction: 'desc' }), span, reader);
	if (!highest.ok) {
		const from = showOrder(first) ? (first.at(-1) ?? 0) : ticketNumberRange.min;
		return stoppedAt(lowest.value.data, from, highest.failure);
	}
	const last = numbersOf([...highest.value.data].reverse());
	if (last.includes(undefined)) return { unfit: 'the service left out ticket numbers' };
	const isSorted = mayTrustOrder && showOrder(first, last);
	if (!isSorted && (await isEndless(query, reader)))
		return stoppedAt([], ticketNumberRange.min, ENDLESS);
	const seen = new Map([...lowest.value.data, ...highest.value.data].map(withIdentity));
	const middle = isSorted
		? { from: first.at(-1) ?? 0, to: last[0] ?? 0 }
		: { from: ticketNumberRange.min, to: ticketNumberRange.max };
	const largest = Math.max(1, first.length, last.length);
	const ended = await readRanges(middle, { query, reader, seen, isSorted, largest });
	if (ended.kind === 'unsorted') return await readByNumber(query, reader, false);
	if (ended.kind === 'unbound')
		return { unfit: 'the service did not keep to the bounds of a page' };
	const rows = [...seen.values()].sort((a, b) => (numberOf(a) ?? 0) - (numberOf(b) ?? 0));
	return ended.kind === 'failed' ? stoppedAt(rows, ended.unreadFrom, ended.failure) : { rows };
}

/** What comes before the first gap, so a search from the number on that is named brings nothing twice. */
const stoppedAt = (
	rows: readonly Ticket[],
	ticketNumber: number,
	failure: CallError,
): ReadResult => ({
	rows: rows.filter((row) => (numberOf(row) ?? 0) < ticketNumber),
	failure,
	position: { ticketNumber },
});

const numbersOf = (rows: readonly Ticket[]): Array<number | undefined> => rows.map(numberOf);

/** Whether the lowest and the highest page, as far as they came, show that the service sorts. */
const showOrder = (...pages: ReadonlyArray<ReadonlyArray<number | undefined>>): boolean =>
	pages.flat().length >= ENOUGH_TO_SHOW &&
	pages.every(isAscending) &&
	isAscending(pages.flatMap((page) => page.slice(0, 1))) &&
	isAscending(pages.flatMap((page) => page.slice(-1)));

const isAscending = (numbers: ReadonlyArray<number | undefined>): boolean =>
	numbers.every((number = NaN, i) => i === 0 || (numbers[i - 1] ?? NaN) <= number);

const withIdentity = (row: Ticket): readonly [string, Ticket] => [identityOf(row), row];
