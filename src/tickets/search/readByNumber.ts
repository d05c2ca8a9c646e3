import type { CallError } from '../../core/client';
import type { PageReader } from '../service/fetchPage';
import { fetchPage } from '../service/fetchPage';
import { isRefusal } from '../service/dialect';
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

/** So many tickets in order show that the service sorts; fewer may be in order by chance. */
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
	const span = { limit: reader.pageSize, offset: 0 };
	const lowest = await fetchPage(keysetQuery(query, {}), span, reader);
	if (!lowest.ok)
		return isRefusal(lowest.failure)
			? { unfit: 'the service rejected it', failure: lowest.failure }
			: { rows: [], failure: lowest.failure, position: { offset: 0 } };
	const first = numbersOf(lowest.value.data);
	if (first.includes(undefined)) return { unfit: 'the service left out ticket numbers' };
	if (!lowest.value.metadata.hasNextPage) return { rows: lowest.value.data };
	const highest = await fetchPage(keysetQuery(query, { direction: 'desc' }), span, reader);
	if (!highest.ok) {
		const from = showsOrder(first) ? (first.at(-1) ?? 0) : ticketNumberRange.min;
		return stoppedAt(lowest.value.data, from, highest.failure);
	}
	const last = numbersOf([...highest.value.data].reverse());
	if (last.includes(undefined)) return { unfit: 'the service left out ticket numbers' };
	const isSorted = mayTrustOrder && [first, last].every(showsOrder);
	if (!isSorted && (await isEndless(query, reader)))
		return stoppedAt([], ticketNumberRange.min, ENDLESS);
	const seen = new Map([...lowest.value.data, ...highest.value.data].map(withIdentity));
	const middle = isSorted
		? { from: first.at(-1) ?? 0, to: last[0] ?? 0 }
		: { from: ticketNumberRange.min, to: ticketNumberRange.max };
	const ended = await readRanges(middle, { query, reader, seen, isSorted });
	if (ended.kind === 'unsorted') return await readByNumber(query, reader, false);
	if (ended.kind === 'unbound')
		return { unfit: 'the service did not keep to the bounds of a page' };
	const rows = [...seen.values()].sort((a, b) => (numberOf(a) ?? 0) - (numberOf(b) ?? 0));
	return ended.kind === 'failed' ? stoppedAt(rows, ended.unreadFrom, ended.failure) : { rows };
}

/** Whether the service says of a range without a ticket, too, that more follow. It is asked once per run. */
async function isEndless(query: Query, reader: PageReader): Promise<boolean> {
	const { known } = reader;
	if (known.isEndless !== undefined) return known.isEndless;
	const none = keysetQuery(query, { gte: ticketNumberRange.min, lte: ticketNumberRange.min });
	const page = await fetchPage(none, { limit: reader.pageSize, offset: 0 }, reader);
	known.isEndless = page.ok && page.value.data.length === 0 && page.value.metadata.hasNextPage;
	return known.isEndless;
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

const showsOrder = (numbers: ReadonlyArray<number | undefined>): boolean =>
	numbers.length >= ENOUGH_TO_SHOW && isAscending(numbers);

const isAscending = (numbers: ReadonlyArray<number | undefined>): boolean =>
	numbers.every((number = NaN, i) => i === 0 || (numbers[i - 1] ?? NaN) <= number);

const withIdentity = (row: Ticket): readonly [string, Ticket] => [identityOf(row), row];
