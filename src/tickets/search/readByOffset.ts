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
export function totalRules(sort: readonly SortRule[], max = Infinity): readonly SortRule[] {
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
 * Reads pages by offset (interface: metadata.hasNextPage). Each page but the first begins with the last row of the one
 * before. Where it does not, rows came or went meanwhile, and pages further back are read again until one has a row that
 * is known and stayed in its place: nothing that follows it can have been missed.
 */
async function readByOffset(
	query: Query,
	{ offset: start, limit = Infinity, isEnough }: OffsetRange,
	reader: PageReader,
): Promise<ReadResult> {
	const { known, pageSize } = reader;
	const ahead = createPagesAhead(query, reader, start + limit);
	/** Each row as it came last, in the order in which they came first. */
	const rows = new Map<string, Ticket>();
	/** The offset of the next row, and the furthest so far: on the way there, pages are read again. */
	let [position, reached] = [start, start];
	/** By how many places a page overlaps the one before, and pages in turn that could not be shown to follow it. */
	let [overlap, unproven] = [1, 0];
	/** Requests in turn that brought nothing new: the one measure of progress. */
	let withoutNew = 0;

	/** The page that leads on: a page of one row could not. What overlaps has to be seen, however few rows are wanted. */
	const nextSpan = (): PageSpan => {
		const most = Math.min(Math.max(2, pageSize), known.pageSize ?? Infinity);
		const hidden = known.hides === true ? OVERLAP_OF_HIDDEN : 1;
		const back = Math.min(Math.max(overlap, hidden), Math.floor(most / 2));
		const offset = Math.max(start, position - back);
		// What a short page does not show, a full one may: the service cuts its pages, or hides tickets.
		const isFull = limit <= most || overlap > 1 || known.hides === true;
		const rest = limit - rows.size + position - offset;
		return { offset, limit: isFull ? most : Math.min(most, rest) };
	};

	/** Whether a page has a row that is known and has kept its place in the sort. */
	const isProven = (data: readonly Ticket[]): boolean =>
		data.some((row) => {
			const before = rows.get(identityOf(row));
			return before && query.sort.every(({ column }) => isEqual(before[column], row[column]));
		});

	/** What came before an error. While pages are read again, nothing says which rows lie before the next one. */
	const stopped = (failure: CallError): ReadResult =>
		position < reached
			? { rows: [], position: { offset: start }, failure }
			: { rows: [...rows.values()], position: { offset: position }, failure };

	const read = async (): Promise<ReadResult> => {
		while (withoutNew < MAX_WITHOUT_NEW) {
			if (withoutNew > 0 && position >= reached && (await isEndless(query, reader))) break;
			const taken = await ahead.take(position, nextSpan());
			if (!taken.page.ok) return stopped(taken.page.failure);
			const { data, metadata } = taken.page.value;
			// Where tickets are hidden or come one by one, there may be none that both pages show.
			const isOpen = known.hides === true || Math.min(pageSize, known.pageSize ?? pageSize) === 1;
			const mayFollow = (known.hides === true || known.pageSize === 1) && unproven > 0;
			if (taken.offset !== start && !isProven(data) && !mayFollow) {
				// Looks further back for rows that stayed, with pages that overlap more.
				ahead.slowDown();
				unproven += 1;
				withoutNew += 1;
				overlap *= 2;
				const step = isOpen ? 0 : Math.min(pageSize, known.pageSize ?? pageSize);
				position = Math.max(start, taken.offset - step);
				continue;
			}
			const isShort = metadata.hasNextPage && data.length < taken.limit;
			if (isShort && known.pageSize === undefined) {
				const failure = await measurePageSize(query, taken, data, reader);
				if (failure) return stopped(failure);
			}
			const before = rows.size;
			for (const row of data) {
				const identity = identityOf(row);
				// Also those that changed: else the way back would end at them again and again.
				if (rows.has(identity) || rows.size < limit) rows.set(identity, row);
			}
			const size = Math.min(taken.limit, known.pageSize ?? taken.limit);
			position = taken.offset + (metadata.hasNextPage ? size : data.length);
			reached = Math.max(reached, position);
			withoutNew = rows.size > before ? 0 : withoutNew + 1;
			if (rows.size > before) unproven = 0;
			else ahead.slowDown();
			const isEnd = rows.size >= limit || !metadata.hasNextPage;
			if (isEnd) return { rows: [...rows.values()] };
			if (isEnough?.([...rows.values()])) return { rows: [...rows.values()], isPartial: true };
		}
		known.isEndless = Promise.resolve(true);
		return stopped(ENDLESS);
	};

	const result = await read();
	await ahead.close();
	return result;
}
