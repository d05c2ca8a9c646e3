import type { CallError } from '../../core/client';
import type { Result } from '../../core/result';
import { combineOperands } from '../filters/combine';
import type { Operands } from '../filters/combine';
import type { Operator } from '../operators';
import type { Query } from '../search/query';
import { searchContractError } from '../search/query';
import { unmatchedColumn } from '../search/checkRows';
import { fetchPage, ignoredFilter, pageStep } from '../search/fetchPage';
import type { PageReader } from '../search/fetchPage';
import type { Page, Ticket } from '../ticket';
import type { Change, EventColumn } from './changes';
import { changeOf } from './changes';
import { readMoment } from './readMoment';
import type { ChangeKey, SeenChanges } from './seenChanges';
import { byPosition } from './seenChanges';

/** Which changes to read, in ms of the service's clock. */
export interface ChangesWanted {
	readonly column: EventColumn;
	/** From here on. */
	readonly from: ChangeKey;
	/** Up to here, included; for what happens when a time passes. */
	readonly toMs?: number;
	/** What was handed out before: a moment with many of them is not read again from its start. */
	readonly seen: SeenChanges;
	/** What the service rounds down to in the times that it shows. */
	readonly grainMs: number;
	/** Whether to stop here, though there are more. */
	readonly isEnough: (changes: readonly Change[]) => boolean;
}

/** The changes that were read, and why reading ended. */
export interface ChangesResult {
	readonly changes: readonly Change[];
	/** Whether reading came to the end of what there is. */
	readonly isComplete: boolean;
	/** Whether what is missing comes after what was read. */
	readonly isInOrder: boolean;
	/** Up to here all was read. */
	readonly frontierMs: number;
	readonly grainMs: number;
	/** Rows that no change could be read from. */
	readonly malformed: readonly Ticket[];
	readonly failure?: CallError;
}

/** What one reading collects on its way. */
export interface Reading {
	readonly query: Query;
	readonly wanted: ChangesWanted;
	readonly reader: PageReader;
	readonly found: Map<string, Change>;
	readonly malformed: Map<string, Ticket>;
	grainMs: number;
	/** A moment at which the tickets that were shown for it were not found. */
	doubtMs?: number | undefined;
}

/** How a part of the reading ended. */
export type PartEnd = 'read' | 'enough' | CallError;

/** From so many on, the changes of one moment count as a crowd. */
export const CROWD = 200;
/** Services that show whole seconds or minutes keep fractions, and filter by them. */
export const COARSEST_GRAIN_MS = 60_000;

/**
 * Reads changes in the order of their times, from the time of the last one on instead of by offset: a ticket that
 * changes meanwhile moves to the end, and with offsets each one behind it would slip past the next page. Tickets of one
 * moment that fill a page are read by their numbers.
 */
export async function readChanges(
	query: Query,
	wanted: ChangesWanted,
	reader: PageReader,
): Promise<ChangesResult> {
	const reading: Reading = {
		query,
		wanted,
		reader,
		found: new Map(),
		malformed: new Map(),
		grainMs: wanted.grainMs,
	};
	const crowds = [...wanted.seen]
		.filter(([atMs, numbers]) => numbers.size >= CROWD && atMs >= wanted.from.atMs)
		.map(([atMs]) => atMs)
		.sort((a, b) => a - b);
	let frontierMs = wanted.from.atMs;
	const ended = (isComplete: boolean, failure?: CallError, isInOrder = true): ChangesResult => ({
		changes: [...reading.found.values()].sort(byPosition),
		isComplete,
		isInOrder,
		frontierMs,
		grainMs: reading.grainMs,
		malformed: [...reading.malformed.values()],
		...(failure && { failure }),
	});
	for (;;) {
		const crowdMs = crowds.find((atMs) => atMs >= frontierMs);
		const step =
			crowdMs === frontierMs
				? await crowdStep(reading, crowdMs)
				: await timeStep(reading, { fromMs: frontierMs, beforeMs: crowdMs });
		if (step === 'unsorted') return await readUnsorted(reading, ended);
		if (step === 'end' && crowdMs === undefined) return ended(true);
		if (step === 'enough') return ended(false);
		if (typeof step === 'object' && 'kind' in step) return ended(false, step);
		frontierMs = typeof step === 'object' ? step.nextMs : (crowdMs ?? frontierMs);
		if (wanted.isEnough([...reading.found.values()])) return ended(false);
	}
}

type Step = { readonly nextMs: number } | 'end' | 'enough' | 'unsorted' | CallError;

/** A crowd that is known is read from its last known ticket on. */
async function crowdStep(reading: Reading, atMs: number): Promise<Step> {
	const end = await readMoment(reading, atMs);
	return end === 'read' || end === 'doubtful' ? { nextMs: atMs + reading.grainMs } : end;
}

/** Reads a page of changes in the order of their times. */
async function timeStep(
	reading: Reading,
	{ fromMs, beforeMs }: { fromMs: number; beforeMs: number | undefined },
): Promise<Step> {
	const { wanted, reader, query } = reading;
	const { column } = wanted;
	const filters = withOperands(query, column, boundsOf(wanted, fromMs, beforeMs));
	const sort = [{ column, direction: 'asc' as const }];
	const page = await fetchFilled({ ...query, filters, sort }, 0, reader);
	if (!page.ok) return page.failure;
	const read = readRows(reading, page.value);
	if ('kind' in read) return read;
	const strayed = read.find(({ atMs }) => isOutside(atMs, fromMs, beforeMs ?? wanted.toMs));
	if (strayed) return ignoredBounds(column, strayed.atMs, fromMs);
	if (read.some(({ atMs }, i) => atMs < (read[i - 1]?.atMs ?? atMs))) return 'unsorted';
	const [first] = read;
	const last = read.at(-1);
	if (!page.value.metadata.hasNextPage) {
		collect(reading, read);
		return 'end';
	}
	if (!first || !last) return emptyPage(column);
	// Of the last moment a part may be missing.
	if (last.atMs > first.atMs) {
		const isNew = collect(
			reading,
			read.filter(({ atMs }) => atMs < last.atMs),
		);
		return isNew && last.atMs > fromMs ? { nextMs: last.atMs } : repeatedPage(column);
	}
	const end = await readMoment(reading, last.atMs, read);
	if (end === 'doubtful') return { nextMs: fromMs };
	if (end !== 'read') return end;
	const nextMs = last.atMs + reading.grainMs;
	return nextMs > fromMs ? { nextMs } : ignoredBounds(column, last.atMs, fromMs);
}

/** So many pages without a ticket are passed over. */
export const MAX_EMPTY_PAGES = 20;

/** Fetches a page, or the next one with tickets: a service may hide rows after it cut the page. */
export async function fetchFilled(
	query: Query,
	offset: number,
	reader: PageReader,
): Promise<Result<Page, CallError>> {
	let place = offset;
	for (let skipped = 0; ; skipped++) {
		const page = await fetchPage(query, { limit: reader.pageSize, offset: place }, reader);
		if (!page.ok || page.value.data.length > 0 || !page.value.metadata.hasNextPage) return page;
		if (skipped === MAX_EMPTY_PAGES) return page;
		place += pageStep(reader, reader.pageSize);
	}
}

/** Reads everything that matches by number, where the service does not sort by time. */
async function readUnsorted(
	reading: Reading,
	ended: (isComplete: boolean, failure?: CallError, isInOrder?: boolean) => ChangesResult,
): Promise<ChangesResult> {
	const { wanted } = reading;
	const end = await readMoment(reading, undefined);
	if (end === 'read' || end === 'doubtful') return ended(true, undefined, false);
	reading.found.clear();
	const failure =
		end === 'enough'
			? searchContractError(
					`It does not sort tickets by ${wanted.column}, and there are too many for one poll`,
				)
			: end;
	return ended(false, failure, false);
}

/** The bounds of a part of the reading. */
function boundsOf({ toMs }: ChangesWanted, fromMs: number, beforeMs: number | undefined): Operands {
	return {
		gte: isoOf(fromMs),
		...(beforeMs !== undefined && { lt: isoOf(beforeMs) }),
		...(toMs !== undefined && { lte: isoOf(toMs) }),
	};
}

/** The changes in the rows of a page; fails where a row does not match the filters, or none can be read. */
export function readRows(reading: Reading, { data }: Page): readonly Change[] | CallError {
	const { filters } = reading.query;
	const unmatched = unmatchedColumn(filters, data);
	if (unmatched) return ignoredFilter(unmatched, filters);
	const { column } = reading.wanted;
	const changes: Change[] = [];
	for (const row of data) {
		const change = changeOf(row, column);
		if (change) changes.push(change);
		else reading.malformed.set(JSON.stringify([row['id'], row['ticketNumber'], row[column]]), row);
	}
	return changes.length === 0 && data.length > 1
		? searchContractError(`It returned tickets without a number and ID, or a time in ${column}`)
		: changes;
}

/** Adds changes to those found; says whether one of them is new. */
export function collect({ found }: Reading, changes: readonly Change[]): boolean {
	const before = found.size;
	for (const change of changes)
		found.set(`${change.atMs}:${change.number}:${JSON.stringify(change.ticket['id'])}`, change);
	return found.size > before;
}

/** Whether a time is outside of the bounds by more than a service can round. */
export const isOutside = (atMs: number, fromMs: number, toMs = Infinity): boolean =>
	atMs < fromMs - COARSEST_GRAIN_MS || atMs > toMs + COARSEST_GRAIN_MS;

/** A time as the service takes it in a filter. */
export const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Filters with more operators on one column: what the user wants there has to match as well. */
export function withOperands(
	{ filters }: Query,
	column: EventColumn | 'ticketNumber',
	operands: Operands,
): Query['filters'] {
	let combined: Operands = filters[column] ?? {};
	for (const [operator, operand] of Object.entries(operands)) {
		const both = combineOperands(combined, operator as Operator, operand);
		if (both.ok) combined = both.value;
	}
	return { ...filters, [column]: combined };
}

/** The error where a ticket is returned from outside of the times that were asked for. */
export const ignoredBounds = (column: EventColumn, atMs: number, fromMs: number): CallError =>
	searchContractError(
		`It ignored the filter on ${column}: a ticket of ${isoOf(atMs)} was returned where tickets from ${isoOf(fromMs)} on were requested`,
	);

/** The error where a page brings nothing new, though the service says that there is more. */
export const repeatedPage = (column: EventColumn): CallError =>
	searchContractError(
		`It repeated a page of tickets by ${column} and said that more follow, so reading cannot go on`,
	);

const emptyPage = (column: EventColumn): CallError =>
	searchContractError(
		`It returned ${MAX_EMPTY_PAGES} empty pages of tickets by ${column} and said that more follow, so reading cannot go on`,
	);
