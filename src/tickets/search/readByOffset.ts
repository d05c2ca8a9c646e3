import isEqual from 'lodash/isEqual';
import type { CallError } from '../../core/client';
import { isRejection } from '../service/dialect';
import type { PageReader, PageSpan } from '../service/fetchPage';
import { isEndless, measurePageSize } from '../service/pageSize';
import { identityOf } from '../service/values';
import type { Ticket } from '../ticket';
import { createPagesAhead } from './pagesAhead';
import type { Query, SortRule } from './query';
import { ENDLESS, MAX_WITHOUT_NEW, withNeededColumns } from './query';
import { sortUnsorted } from './sortTickets';

/** The tickets that were read, and where reading stopped if it did not reach the end. */
export interface ReadResult {
	readonly rows: readonly Ticket[];
	readonly failure?: CallError;
	/** Where to go on after a failure, as facts for the details of the error. */
	readonly position?: Readonly<Record<string, number>>;
	/** Whether reading stopped though more may follow. */
	readonly isPartial?: boolean;
}

/** What to read: at most `limit` rows (all where undefined), from `offset` on. */
export interface OffsetRange {
	readonly limit?: number;
	readonly offset: number;
	/** Whether these rows are enough, so reading may stop. */
	readonly isEnough?: (rows: readonly Ticket[]) => boolean;
}

/** Without a sort, the newest tickets come first; in this order no two tickets tie. */
export const NEWEST_FIRST: readonly SortRule[] = [
	{ column: 'ticketNumber', direction: 'desc' },
	{ column: 'id', direction: 'desc' },
];

/** The rules of an order in which no two tickets tie; no more than a service takes, but all of the sort. */
function totalRules(sort: readonly SortRule[], max = Infinity): readonly SortRule[] {
	const named = sort.map(({ column }) => column);
	const rest = NEWEST_FIRST.filter(({ column }) => !named.includes(column));
	const others = rest.map(({ column, direction }): SortRule => ({
		column,
		direction: sort.length > 0 ? 'asc' : direction,
	}));
	return [...sort, ...others].slice(0, Math.max(sort.length, max));
}

/** Reads by offset in an order in which no two tickets tie; a service that takes few rules gets fewer. */
export async function readInTotalOrder(
	query: Query,
	range: OffsetRange,
	reader: PageReader,
): Promise<ReadResult> {
	const { known } = reader;
	const all = totalRules(query.sort).length;
	for (let sort = totalRules(query.sort, known.maxRules); ; sort = sort.slice(0, -1)) {
		const sorted = withNeededColumns({ ...query, sort });
		const result = await readByOffset(sorted, range, reader);
		const mayBeTooMany = sort.length > query.sort.length && result.rows.length === 0;
		const isOpen = sort.length > known.rulesTaken && known.down === undefined;
		if (isRejection(result.failure) && mayBeTooMany && isOpen) continue;
		if (sort.length < all && result.failure === undefined) known.maxRules = sort.length;
		return known.ignored.has('sort') ? sortUnsorted(result, query, range) : result;
	}
}

/** Where a service hides tickets, a page overlaps the one before by more places, so one that is shown is among them. */
const OVERLAP_OF_HIDDEN = 10;

/**
 * Reads pages by offset (interface: metadata.hasNextPage), each overlapping the one before. A page goes on behind its last row
 * that is known and has kept its place in the sort: what was known behind that row gives way to what the page has there. So
 * rows are in order, and nothing that stayed can have been missed, whatever came or went. A page without such a row is not
 * taken: pages further back are read until one has it, or begins where all began.
 */
async function readByOffset(
	query: Query,
	{ offset: start, limit = Infinity, isEnough }: OffsetRange,
	reader: PageReader,
): Promise<ReadResult> {
	const { known, pageSize } = reader;
	const ahead = createPagesAhead(query, reader, start + limit);
	const rows: Ticket[] = [];
	/** Where each row stands in `rows`, and the most rows that there were. */
	const places = new Map<string, number>();
	let longest = 0;
	/** The offset of the next row, and whether it is certain. */
	let [position, isCertain] = [start, true];
	/** The offset of the last page that was not taken, since there were most rows. */
	let failedAt = Infinity;
	/** By how many places a page overlaps the one before, and pages in turn that could not be shown to follow it. */
	let [overlap, unproven] = [1, 0];
	/** Requests since there were most rows: the one measure of progress. */
	let withoutNew = 0;

	/** How many places a page has: one of a single row could not lead on. */
	const sizeOfPage = (): number => Math.min(Math.max(2, pageSize), known.pageSize ?? Infinity);

	const nextSpan = (): PageSpan => {
		const most = sizeOfPage();
		const back = Math.max(overlap, known.hides === true ? OVERLAP_OF_HIDDEN : 1);
		const offset = Math.max(start, position - Math.min(back, Math.floor(most / 2)));
		// Where rows move or are hidden, a short page may bring nothing new.
		const isFull = withoutNew > 0 || overlap > 1 || known.hides === true || limit <= most;
		const rest = limit - rows.length + position - offset;
		return { offset, limit: isFull ? most : Math.min(most, rest) };
	};

	/** Where a row stands that is known and has kept its place in the sort. */
	const placeOf = (row: Ticket): number | undefined => {
		const place = places.get(identityOf(row)) ?? NaN;
		const before = rows[place];
		return before && query.sort.every(({ column }) => isEqual(before[column], row[column]))
			? place
			: undefined;
	};

	/** Goes on with other rows behind the first ones. */
	const replaceFrom = (place: number, others: readonly Ticket[]): void => {
		for (const row of rows.splice(place)) places.delete(identityOf(row));
		for (const row of others) {
			const identity = identityOf(row);
			if (places.has(identity)) continue;
			places.set(identity, rows.length);
			rows.push(row);
		}
	};

	/** What came before an error, where it is certain which row is the next one. */
	const stopped = (failure: CallError): ReadResult =>
		isCertain
			? { rows, position: { offset: position }, failure }
			: { rows: [], position: { offset: start }, failure };

	const read = async (): Promise<ReadResult> => {
		while (withoutNew < MAX_WITHOUT_NEW) {
			if (withoutNew > 0 && isCertain && (await isEndless(query, reader))) break;
			const taken = await ahead.take(position, nextSpan());
			if (!taken.page.ok) return stopped(taken.page.failure);
			const { data, metadata } = taken.page.value;
			const last = data.findLastIndex((row) => placeOf(row) !== undefined);
			// Where tickets are hidden or come one by one, there may be none that both pages show.
			const isOpen = known.hides === true || known.pageSize === 1;
			const isProven = last >= 0 || taken.offset === start;
			if (!isProven && !(isOpen && unproven > 0)) {
				ahead.slowDown();
				if (!isOpen) {
					position = Math.max(start, taken.offset - sizeOfPage() * 2 ** unproven);
					[failedAt, isCertain] = [taken.offset, false];
				}
				unproven += 1;
				withoutNew += 1;
				overlap *= 2;
				continue;
			}
			if (metadata.hasNextPage && data.length < taken.limit && known.pageSize === undefined) {
				const failure = await measurePageSize(query, taken, data, reader);
				if (failure) return stopped(failure);
			}
			const [row] = last < 0 ? [] : data.slice(last);
			const isAnew = last < 0 && taken.offset === start && data.length > 0;
			const place = (row && placeOf(row)) ?? (isAnew ? -1 : rows.length - 1);
			const isNew = (one: Ticket): boolean => (places.get(identityOf(one)) ?? Infinity) > place;
			const news = data.slice(last + 1).filter(isNew);
			if (news.length > 0) replaceFrom(place + 1, news);
			const size = Math.min(taken.limit, known.pageSize ?? taken.limit);
			const end =
				taken.offset + (known.hides === true && metadata.hasNextPage ? size : data.length);
			// What is known behind the page has its places, too, if none of it has gone.
			const behind = news.length > 0 ? 0 : rows.length - 1 - place;
			position = end + Math.min(behind, Math.max(0, Math.floor((failedAt - end) / 2)));
			isCertain = behind === 0;
			if (news.length > 0) unproven = 0;
			else ahead.slowDown();
			withoutNew = rows.length > longest ? 0 : withoutNew + 1;
			if (rows.length > longest) [longest, failedAt] = [rows.length, Infinity];
			const isEnd = rows.length >= limit || !metadata.hasNextPage;
			if (isEnd) return { rows: rows.slice(0, limit) };
			if (isEnough?.(rows)) return { rows, isPartial: true };
		}
		known.isEndless = Promise.resolve(true);
		return stopped(ENDLESS);
	};

	const result = await read();
	await ahead.close();
	return result;
}
