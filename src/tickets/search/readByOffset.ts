import type { CallError } from '../../core/client';
import isEqual from 'lodash/isEqual';
import type { Query } from './query';
import { ENDLESS, MAX_PAGE_SIZE, MAX_PAGES_WITHOUT_NEW, searchContractError } from './query';
import type { Ticket } from '../ticket';
import type { PageReader, ReadResult } from './fetchPage';
import { pageStep } from './fetchPage';
import type { PagesAhead } from './pagesAhead';
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
	const { limit = Infinity, before: given = [] } = range;
	const rows: Ticket[] = [...given];
	const known = new Map<unknown, Ticket>(given.map((row) => [identityIn(row), row]));
	const stayed = (row: Ticket | undefined): boolean => {
		const before = row && known.get(identityIn(row));
		return (
			before !== undefined &&
			query.sort.every(({ column }) => isEqual(before[column], row?.[column]))
		);
	};
	let position = range.offset + given.length;
	let reached = position;
	let shifts = 0;
	let repeated = 0;
	let pagesWithoutNew = 0;
	let stalled = 0;
	let overlap = 1;
	// How much larger pages become that bring nothing but what they overlap: others behind it are hidden.
	let widened = 1;
	// What lies behind pages without a row cannot be proved to follow what is known.
	let isProved = true;
	const stopped = (failure: CallError): ReadResult => ({
		// From the position on they come again.
		rows: position < reached ? rows.slice(0, position - range.offset) : rows,
		shifts,
		repeated,
		position: { offset: position },
		failure,
	});
	for (;;) {
		const from = Math.max(range.offset, position - (widened > MAX_PAGE_SIZE ? 0 : overlap));
		const isWide = overlap > 1 || widened > 1;
		// A page of one row could not overlap and lead on; what overlaps has to be seen, however few rows are wanted.
		const wanted = Math.min(
			MAX_PAGE_SIZE,
			Math.max(reader.pageSize, (position - from + 1) * widened),
			isWide ? Infinity : limit - rows.length + position - from,
		);
		const { offset, size, page } = await ahead.take(position, { offset: from, size: wanted });
		const behind = position - offset;
		if (!page.ok) return stopped(page.failure);
		const { data, metadata } = page.value;
		const isHidden = data.length === 0 && metadata.hasNextPage;
		if (behind > 0 && isProved && !isHidden && !data.some(stayed) && shifts <= MAX_SHIFTS) {
			shifts += 1;
			ahead.slowDown();
			const step = pageStep(reader, reader.pageSize);
			// A page has to lead on from what it overlaps.
			overlap = Math.min(overlap * 2, Math.max(1, Math.floor(step / 2)));
			position = Math.max(range.offset, offset - step);
			continue;
		}
		isProved = !isHidden;
		if (hasTwins(data)) return stopped(TWINS);
		const fresh = data.filter((row) => !known.has(identityIn(row)));
		// On the way back to where pages shifted, known rows are what is looked for.
		if (position >= reached) repeated += Math.max(0, data.length - fresh.length - behind);
		// Also those that changed: else the way back would end at them again and again.
		for (const row of data) known.set(identityIn(row), row);
		rows.push(...fresh.slice(0, limit - rows.length));
		const cut = metadata.hasNextPage ? pageStep(reader, size) : 0;
		position = offset + Math.max(data.length, cut);
		pagesWithoutNew = fresh.length === 0 && position > reached ? pagesWithoutNew + 1 : 0;
		if (fresh.length === 0) ahead.slowDown();
		widened = fresh.length === 0 && position === reached ? widened * 2 : 1;
		stalled = position > reached ? 0 : stalled + 1;
		reached = Math.max(reached, position);
		if (rows.length >= limit || !metadata.hasNextPage) return { rows, shifts, repeated };
		if (range.isEnough?.(rows) === true && position >= reached)
			return { rows, shifts, repeated, isPartial: true };
		const isEndless =
			pagesWithoutNew > MAX_PAGES_WITHOUT_NEW || Math.max(shifts, stalled) > MAX_SHIFTS;
		if (isEndless) return stopped(ENDLESS);
	}
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
