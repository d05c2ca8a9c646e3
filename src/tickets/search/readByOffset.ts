import isEqual from 'lodash/isEqual';
import type { CallError } from '../../core/client';
import { isRejection } from '../service/dialect';
import type { PageReader, PageSpan } from '../service/fetchPage';
import { isEndless, measurePageSize } from '../service/pageSize';
import { identityOf } from '../service/values';
import type { Ticket } from '../ticket';
import type { PagesAhead } from './pagesAhead';
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

/**
 * Reads pages by offset (interface: metadata.hasNextPage). Each page but the first begins with the last row of the one
 * before. Where it does not, rows came or went meanwhile, and pages further back are read again until one has a row that
 * is known and stayed in its place: nothing that follows it can have been missed.
 */
export async function readByOffset(
	query: Query,
	range: OffsetRange,
	reader: PageReader,
): Promise<ReadResult> {
	const ahead = createPagesAhead(query, reader, range.offset + (range.limit ?? Infinity));
	const result = await readPages({ query, reader, ahead }, range);
	await ahead.close();
	return result;
}

interface OffsetReading {
	readonly query: Query;
	readonly reader: PageReader;
	readonly ahead: PagesAhead;
}

/** How far reading has come. */
interface Progress {
	readonly start: number;
	readonly limit: number;
	/** Each row as it came last, by what tells it apart, in the order in which they came first. */
	readonly rows: Map<string, Ticket>;
	/** The offset of the next row, and the furthest so far: on the way there, pages are read again. */
	position: number;
	reached: number;
	/** By how many places a page overlaps the one before. */
	overlap: number;
	/** Pages in turn that could not be shown to follow what came before. */
	unproven: number;
	/** Requests in turn that brought nothing new: the one measure of progress. */
	withoutNew: number;
}

/** Where a service hides tickets, a page overlaps the one before by more places, so one that is shown is among them. */
const OVERLAP_OF_HIDDEN = 10;

async function readPages(
	{ query, reader, ahead }: OffsetReading,
	{ offset, limit = Infinity, isEnough }: OffsetRange,
): Promise<ReadResult> {
	const progress: Progress = {
		...{ start: offset, limit, rows: new Map<string, Ticket>(), position: offset, reached: offset },
		...{ overlap: 1, unproven: 0, withoutNew: 0 },
	};
	const { known } = reader;
	const isEnded = async (): Promise<boolean> =>
		progress.withoutNew >= MAX_WITHOUT_NEW ||
		(progress.withoutNew > 0 &&
			progress.position >= progress.reached &&
			(await isEndless(query, reader)));
	while (!(await isEnded())) {
		const span = nextSpan(progress, reader);
		const taken = await ahead.take(progress.position, span);
		if (!taken.page.ok) return stopped(progress, taken.page.failure);
		const { data, metadata } = taken.page.value;
		const isFollowing = taken.offset === offset || isProven(data, progress, query);
		if (!isFollowing && !mayFollow(progress, reader)) {
			ahead.slowDown();
			goBack(progress, taken.offset, reader);
			continue;
		}
		const isShort = metadata.hasNextPage && data.length < taken.limit;
		if (isShort && known.pageSize === undefined) {
			const failure = await measurePageSize(query, taken, data, reader);
			if (failure) return stopped(progress, failure);
		}
		const size = Math.min(taken.limit, known.pageSize ?? taken.limit);
		takeIn(progress, data, taken.offset + (metadata.hasNextPage ? size : data.length));
		if (progress.withoutNew > 0) ahead.slowDown();
		if (progress.rows.size >= limit || !metadata.hasNextPage) return resultOf(progress);
		if (isEnough?.([...progress.rows.values()]) === true)
			return { ...resultOf(progress), isPartial: true };
	}
	known.isEndless = Promise.resolve(true);
	return stopped(progress, ENDLESS);
}

/** The page that leads on: a page of one row could not. What overlaps has to be seen, however few rows are wanted. */
function nextSpan(progress: Progress, { pageSize, known }: PageReader): PageSpan {
	const { start, limit, rows, position, overlap } = progress;
	const most = Math.min(Math.max(2, pageSize), known.pageSize ?? Infinity);
	const hidden = known.hides === true ? OVERLAP_OF_HIDDEN : 1;
	const back = Math.min(Math.max(overlap, hidden), Math.floor(most / 2));
	const offset = Math.max(start, position - back);
	const rest = limit - rows.size + position - offset;
	// What a short page does not show, a full one may: the service cuts its pages, or hides tickets.
	const isFull = limit <= most || progress.overlap > 1 || known.hides === true;
	return { offset, limit: isFull ? most : Math.min(most, rest) };
}

/** Whether a page has a row that is known and has kept its place in the sort. */
const isProven = (data: readonly Ticket[], { rows }: Progress, { sort }: Query): boolean =>
	data.some((row) => {
		const before = rows.get(identityOf(row));
		return before !== undefined && sort.every(({ column }) => isEqual(before[column], row[column]));
	});

/** Whether to go on without a proof: where tickets are hidden or come one by one, there may be none that both pages show. */
const mayFollow = ({ unproven }: Progress, { known }: PageReader): boolean =>
	(known.hides === true || known.pageSize === 1) && unproven > 0;

/** Looks further back for rows that stayed, with pages that overlap more. */
function goBack(progress: Progress, offset: number, { pageSize, known }: PageReader): void {
	progress.unproven += 1;
	progress.withoutNew += 1;
	progress.overlap *= 2;
	const step = Math.min(pageSize, known.pageSize ?? pageSize);
	const isOpen = known.hides === true || step === 1;
	progress.position = Math.max(progress.start, offset - (isOpen ? 0 : step));
}

/** Adds the rows of a page. */
function takeIn(progress: Progress, data: readonly Ticket[], next: number): void {
	const { rows, limit } = progress;
	const before = rows.size;
	for (const row of data) {
		const identity = identityOf(row);
		// Also those that changed: else the way back would end at them again and again.
		if (rows.has(identity) || rows.size < limit) rows.set(identity, row);
	}
	progress.withoutNew = rows.size > before ? 0 : progress.withoutNew + 1;
	progress.unproven = rows.size > before ? 0 : progress.unproven;
	progress.position = next;
	progress.reached = Math.max(progress.reached, next);
}

const resultOf = ({ rows }: Progress): ReadResult => ({ rows: [...rows.values()] });

/** What came before an error. While pages are read again, nothing says which rows lie before the next one. */
const stopped = (progress: Progress, failure: CallError): ReadResult =>
	progress.position < progress.reached
		? { rows: [], position: { offset: progress.start }, failure }
		: { ...resultOf(progress), position: { offset: progress.position }, failure };
