import type { CallError } from '../../core/client';
import isEqual from 'lodash/isEqual';
import type { Query } from './query';
import { ENDLESS, MAX_PAGE_SIZE, MAX_PAGES_WITHOUT_NEW, searchContractError } from './query';
import type { Ticket } from '../ticket';
import type { PageReader, ReadResult } from './fetchPage';
import { pageStep } from './fetchPage';
import type { PageSpan, PagesAhead } from './pagesAhead';
import { createPagesAhead } from './pagesAhead';

/** What to read: at most `limit` rows (all where undefined), from `offset` on. */
export interface OffsetRange {
	readonly limit?: number;
	readonly offset: number;
	/** The rows from the offset on that are known already. */
	readonly before?: readonly Ticket[];
	/** Whether these rows are enough, so reading may stop. */
	readonly isEnough?: (rows: readonly Ticket[]) => boolean;
}

/** How often pages are read again because tickets came and went meanwhile. */
const MAX_SHIFTS = 1_000;

/**
 * Reads pages by offset (interface: metadata.hasNextPage). Each page but the first begins with the last row of the one
 * before. Where it does not, rows came or went meanwhile, and pages further back are read again until one begins with a
 * row that is known and stayed in its place: nothing that follows it can have been missed. The sort has to be total. Pages
 * that most likely follow are asked for ahead.
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

async function readPages(
	{ query, reader, ahead }: OffsetReading,
	range: OffsetRange,
): Promise<ReadResult> {
	const progress = startOf(range);
	const { rows, limit } = progress;
	while (!isEndless(progress)) {
		const taken = await ahead.take(progress.position, nextSpan(progress, reader.pageSize));
		if (!taken.page.ok) return stopped(progress, taken.page.failure);
		const { data, metadata } = taken.page.value;
		const isHidden = data.length === 0 && metadata.hasNextPage;
		const isOverlapping = taken.offset < progress.position && progress.hadRows && !isHidden;
		if (isOverlapping && !data.some((row) => hasStayed(row, progress, query))) {
			ahead.slowDown();
			goBack(progress, taken.offset, pageStep(reader, reader.pageSize));
			continue;
		}
		if (hasTwins(data)) return stopped(progress, TWINS);
		const step = metadata.hasNextPage ? pageStep(reader, taken.size) : 0;
		const hasNew = takeIn(progress, data, taken.offset, taken.offset + Math.max(data.length, step));
		if (!hasNew) ahead.slowDown();
		progress.hadRows = !isHidden;
		if (rows.length >= limit || !metadata.hasNextPage) return resultOf(progress);
		if (progress.position === progress.reached && range.isEnough?.(rows) === true)
			return { ...resultOf(progress), isPartial: true };
	}
	return stopped(progress, ENDLESS);
}

/** How far reading has come. */
interface Progress {
	readonly start: number;
	readonly limit: number;
	/** The rows from the start on, as they were when they came first. */
	readonly rows: Ticket[];
	/** Each row as it came last, by what tells it apart. */
	readonly known: Map<unknown, Ticket>;
	/** The offset of the next row, and the furthest so far: on the way there, pages are read again. */
	position: number;
	reached: number;
	/** With how many known rows a page begins. */
	overlap: number;
	/** How much larger pages become that bring nothing but what they overlap: others behind it are hidden. */
	widening: number;
	/** Whether the last page had rows; what lies behind one without cannot be proved to follow what is known. */
	hadRows: boolean;
	shifts: number;
	repeated: number;
	/** Pages in turn that brought nothing new, though they lay further on. */
	pagesWithoutNew: number;
	/** Pages in turn that did not lie further on. */
	pagesWithoutGain: number;
}

function startOf({ offset, limit = Infinity, before = [] }: OffsetRange): Progress {
	const position = offset + before.length;
	return {
		start: offset,
		limit,
		rows: [...before],
		known: new Map(before.map((row) => [identityIn(row), row])),
		position,
		reached: position,
		overlap: 1,
		widening: 1,
		hadRows: true,
		shifts: 0,
		repeated: 0,
		pagesWithoutNew: 0,
		pagesWithoutGain: 0,
	};
}

const isEndless = ({ shifts, pagesWithoutNew, pagesWithoutGain }: Progress): boolean =>
	pagesWithoutNew > MAX_PAGES_WITHOUT_NEW || Math.max(shifts, pagesWithoutGain) > MAX_SHIFTS;

/** The page that leads on: a page of one row could not, and what overlaps has to be seen, however few rows are wanted. */
function nextSpan(progress: Progress, pageSize: number): PageSpan {
	const { start, limit, rows, position, overlap, widening } = progress;
	const offset = Math.max(start, position - (widening > MAX_PAGE_SIZE ? 0 : overlap));
	const known = position - offset;
	const wanted = overlap > 1 || widening > 1 ? Infinity : limit - rows.length + known;
	const size = Math.min(MAX_PAGE_SIZE, Math.max(pageSize, (known + 1) * widening), wanted);
	return { offset, size };
}

/** Whether a row is known and has kept its place in the sort. */
function hasStayed(row: Ticket, { known }: Progress, { sort }: Query): boolean {
	const before = known.get(identityIn(row));
	return before !== undefined && sort.every(({ column }) => isEqual(before[column], row[column]));
}

/** Looks further back for rows that stayed, with pages that overlap more. */
function goBack(progress: Progress, offset: number, step: number): void {
	progress.shifts += 1;
	// A page has to lead on from what it overlaps.
	progress.overlap = Math.min(progress.overlap * 2, Math.max(1, Math.floor(step / 2)));
	progress.position = Math.max(progress.start, offset - step);
}

/** Adds the rows of a page, and says whether one of them is new. */
function takeIn(
	progress: Progress,
	data: readonly Ticket[],
	offset: number,
	next: number,
): boolean {
	const { rows, known, position, reached, limit } = progress;
	const fresh = data.filter((row) => !known.has(identityIn(row)));
	const hasNew = fresh.length > 0;
	// On the way back to where pages shifted, known rows are what is looked for.
	if (position === reached)
		progress.repeated += Math.max(0, data.length - fresh.length - (position - offset));
	// Also those that changed: else the way back would end at them again and again.
	for (const row of data) known.set(identityIn(row), row);
	rows.push(...fresh.slice(0, limit - rows.length));
	progress.pagesWithoutNew = next > reached && !hasNew ? progress.pagesWithoutNew + 1 : 0;
	progress.pagesWithoutGain = next > reached ? 0 : progress.pagesWithoutGain + 1;
	progress.widening = next === reached && !hasNew ? progress.widening * 2 : 1;
	progress.position = next;
	progress.reached = Math.max(reached, next);
	return hasNew;
}

const resultOf = ({ rows, shifts, repeated }: Progress): ReadResult => ({ rows, shifts, repeated });

/** What came before an error. While pages are read again, nothing says which rows lie before the next one. */
function stopped(progress: Progress, failure: CallError): ReadResult {
	const { position, reached, start } = progress;
	return position < reached
		? { ...resultOf(progress), rows: [], position: { offset: start }, failure }
		: { ...resultOf(progress), position: { offset: position }, failure };
}

/** What tells a ticket apart: its ID, or its number where the service leaves IDs out. */
const identityIn = (row: Ticket): unknown =>
	row['id'] ?? (row['ticketNumber'] === undefined ? JSON.stringify(row) : numberKey(row));

const numberKey = (row: Ticket): string => `number ${JSON.stringify(row['ticketNumber'])}`;

/** Whether rows without an ID cannot be told apart. */
function hasTwins(rows: readonly Ticket[]): boolean {
	const unnamed = rows.filter((row) => row['id'] === undefined || row['id'] === null);
	return new Set(unnamed.map(identityIn)).size < unnamed.length;
}

const TWINS = searchContractError(
	'The service returned tickets without an ID, and some have the same number, so the node cannot tell them apart',
);
