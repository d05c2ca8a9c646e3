import sortBy from 'lodash/sortBy';
import type { CallError } from '../../core/client';
import { ticketNumberRange } from '../columns';
import type { PageReader } from '../service/fetchPage';
import { fetchPage } from '../service/fetchPage';
import { ENOUGH_TO_SHOW, isRefusal } from '../service/dialect';
import { isEndless } from '../service/pageSize';
import { identityOf, numberOf } from '../service/values';
import type { Ticket } from '../ticket';
import type { Query } from './query';
import { ENDLESS, keysetQuery } from './query';
import type { ReadResult } from './readByOffset';
import { isAscending, readRanges, unread } from './readRanges';

/** Why tickets cannot be read by number at all, so another way is needed. */
export interface Unfit {
	readonly unfit: string;
}

/** Reads every matching ticket by its number, which never changes, so nothing that happens meanwhile shifts others. They come in any order. */
export async function readByNumber(query: Query, reader: PageReader): Promise<ReadResult | Unfit> {
	// Smaller pages could not show how the service sorts.
	const span = { limit: Math.max(Math.ceil(ENOUGH_TO_SHOW / 2), reader.pageSize), offset: 0 };
	const lowest = await fetchPage(keysetQuery(query, {}), span, reader);
	if (!lowest.ok)
		return isRefusal(lowest.failure) && reader.known.rulesTaken === 0 && reader.isList !== true
			? { unfit: 'the service rejected it' }
			: { rows: [], failure: lowest.failure, position: { offset: 0 } };
	const { data, metadata } = lowest.value;
	const first = data.map(numberOf);
	if (first.includes(undefined)) return WITHOUT_NUMBERS;
	const seen = new Map(data.map((row) => [identityOf(row), row]));
	if (!metadata.hasNextPage) return { rows: [...seen.values()] };
	const isShown = first.length >= ENOUGH_TO_SHOW && isAscending(first);
	const from = isShown ? Number(first.at(-1)) : ticketNumberRange.min;
	const highest = await fetchPage(keysetQuery(query, { direction: 'desc' }), span, reader);
	if (!highest.ok) return stoppedAt([...seen.values()], from, highest.failure);
	const last = highest.value.data.map(numberOf).reverse();
	if (last.includes(undefined)) return WITHOUT_NUMBERS;
	// What has no number is in no range of numbers, and a page may show it last in any order.
	const without = keysetQuery(query, { isNull: true });
	const numberless = await fetchPage(without, { limit: 1, offset: 0 }, reader);
	// A service may well not take such a filter on a column that is never empty.
	if (!numberless.ok && !isRefusal(numberless.failure))
		return stoppedAt([...seen.values()], from, numberless.failure);
	const rest = numberless.ok ? numberless.value : undefined;
	// Where tickets are hidden after a page was cut, more follow behind none.
	const isHiding = rest?.data.length === 0 && rest.metadata.hasNextPage;
	if (isHiding && !(await isEndless(query, reader))) return WITHOUT_NUMBERS;
	if (rest?.data.some((row) => numberOf(row) === undefined) === true) return WITHOUT_NUMBERS;
	for (const row of highest.value.data) seen.set(identityOf(row), row);
	const numbers = [...first, ...last].map(Number);
	if (new Set(numbers).size === 1) return { unfit: 'many tickets share a number' };
	const ends = [first[0], last[0], first.at(-1), last.at(-1)].map(Number);
	const isSorted =
		!reader.known.ignored.has('sort') &&
		numbers.length >= ENOUGH_TO_SHOW &&
		[first, last, ends.slice(0, 2), ends.slice(2)].every(isAscending);
	if (!isSorted && (await isEndless(query, reader)))
		return { rows: [], failure: ENDLESS, position: { offset: 0 } };
	// Numbers below 1 are the exception, and behind the highest one that was seen there is likely nothing.
	const highestSeen = Math.max(0, ...numbers);
	const between = { from: Number(first[0]), cursor: Number(first.at(-1)), to: Number(last[0]) };
	const ranges = isSorted
		? [{ ...between, rows: first.length - 1 }]
		: [
				unread(ticketNumberRange.min, 0),
				unread(1, highestSeen),
				unread(highestSeen + 1, ticketNumberRange.max),
			];
	const pageSize = Math.max(1, first.length, last.length);
	const end = await readRanges(ranges, { query, reader, seen, isSorted, pageSize });
	if (end === 'unfit') return { unfit: 'the service did not give whole ranges of them' };
	const rows = [...seen.values()];
	return end ? stoppedAt(rows, end.unreadFrom, end.failure) : { rows };
}

const WITHOUT_NUMBERS: Unfit = { unfit: 'not every ticket has a number' };

/** What comes before the first gap, so a search from the number on that is named brings nothing twice. */
const stoppedAt = (
	rows: readonly Ticket[],
	ticketNumber: number,
	failure: CallError,
): ReadResult => ({
	rows: sortBy(rows, numberOf).filter((row) => (numberOf(row) ?? 0) < ticketNumber),
	failure,
	position: { ticketNumber },
});
