import type { CallError } from '../../core/client';
import type { Operands } from '../filters/combine';
import { addOperand } from '../filters/combine';
import { readWhole } from '../search/readTickets';
import type { Query } from '../search/query';
import { keysetQuery, MAX_WITHOUT_NEW, searchContractError } from '../search/query';
import type { PageReader } from '../service/fetchPage';
import { fetchPage } from '../service/fetchPage';
import { numberOf } from '../service/values';
import type { Ticket } from '../ticket';
import type { Change, EventColumn } from './changes';
import { changeOf } from './changes';
import { byPosition } from './memory';

/** Which changes to read, in ms of the service's clock. */
export interface ChangesWanted {
	readonly column: EventColumn;
	readonly fromMs: number;
	/** Whether to stop here, though there are more. */
	readonly isEnough: (changes: readonly Change[]) => boolean;
	/** The numbers of the tickets that were handed out in a stretch of time. */
	readonly knownIn: (fromMs: number, toMs: number) => readonly number[];
}

/** The changes that were read in the order of their times, and why reading ended. */
export interface ChangesResult {
	readonly changes: readonly Change[];
	/** Whether reading came to the end of what there is. */
	readonly isComplete: boolean;
	/** Up to here all was read. */
	readonly frontierMs: number;
	/** Rows that no change could be read from. */
	readonly malformed: readonly Ticket[];
	readonly failure?: CallError;
}

/** What one reading collects on its way. */
interface Reading {
	readonly query: Query;
	readonly column: EventColumn;
	readonly wanted: ChangesWanted;
	readonly reader: PageReader;
	readonly found: Map<string, Change>;
	readonly malformed: Map<string, Ticket>;
}

/**
 * Reads changes in the order of their times, from the time of the last one on instead of by offset: a ticket that
 * changes meanwhile moves to the end, and with offsets each one behind it would slip past the next page. Tickets of one
 * moment that fill a page are read by their numbers, and so is everything where the service does not sort by time.
 */
export async function readChanges(
	query: Query,
	wanted: ChangesWanted,
	reader: PageReader,
): Promise<ChangesResult> {
	const { column, fromMs, isEnough } = wanted;
	const reading: Reading = {
		...{ query, column, wanted, reader, found: new Map<string, Change>() },
		malformed: new Map(),
	};
	let frontierMs = fromMs;
	const ended = (isComplete: boolean, failure?: CallError): ChangesResult => ({
		changes: [...reading.found.values()].sort(byPosition),
		isComplete,
		frontierMs,
		malformed: [...reading.malformed.values()],
		...(failure && { failure }),
	});
	for (;;) {
		const step = await timeStep(reading, frontierMs);
		if (step === 'end') return ended(true);
		if (step === 'enough') return ended(false);
		if (step === 'unsorted') {
			reading.found.clear();
			const end = await readSpan(reading, { fromMs });
			if (end !== 'read') reading.found.clear();
			return ended(end === 'read', end === 'enough' ? tooMany(column) : failureOf(end));
		}
		if ('kind' in step) return ended(false, step);
		frontierMs = step.nextMs;
		if (isEnough([...reading.found.values()])) return ended(false);
	}
}

type Step = { readonly nextMs: number } | 'end' | 'enough' | 'unsorted' | CallError;

const failureOf = (end: 'read' | CallError): CallError | undefined =>
	end === 'read' ? undefined : end;

/** Reads a page of changes in the order of their times. */
async function timeStep(reading: Reading, fromMs: number): Promise<Step> {
	const { column, reader, query } = reading;
	const filters = withTimes(query, column, { gte: isoOf(fromMs) });
	const sort = [{ column, direction: 'asc' as const }];
	for (let offset = 0, pages = 0; pages < MAX_WITHOUT_NEW; pages++) {
		const page = await fetchPage(
			{ ...query, filters, sort },
			{ limit: reader.pageSize, offset },
			reader,
		);
		if (!page.ok) return page.failure;
		const changes = changesIn(reading, page.value.data, { fromMs });
		if ('kind' in changes) return changes;
		if (!isAscending(changes)) return 'unsorted';
		if (!page.value.metadata.hasNextPage) return collect(reading, changes) ?? 'end';
		if (changes.length > 0) return await onwards(reading, changes, fromMs);
		// A service may hide rows after it cut a page.
		offset += reader.pageSize;
	}
	return emptyPages(column);
}

/** Goes on from the last moment of a page, of which a part may be missing; one that fills the page is read by numbers. */
async function onwards(
	reading: Reading,
	changes: readonly Change[],
	fromMs: number,
): Promise<Step> {
	const firstMs = changes[0]?.atMs ?? fromMs;
	const lastMs = changes.at(-1)?.atMs ?? fromMs;
	if (lastMs > firstMs && lastMs > fromMs) {
		collect(
			reading,
			changes.filter(({ atMs }) => atMs < lastMs),
		);
		return { nextMs: lastMs };
	}
	// Services that show whole seconds or minutes keep fractions, and filter by them.
	const isKnownCrowd = reading.wanted.knownIn(lastMs, lastMs + 1).length >= CROWD;
	const grainMs = isKnownCrowd ? 1 : SECOND_MS;
	const toMs = lastMs + (lastMs < fromMs ? COARSEST_GRAIN_MS : grainMs);
	const end = await readSpan(reading, { fromMs: Math.min(fromMs, lastMs), toMs });
	return end === 'read' ? { nextMs: toMs > fromMs ? toMs : fromMs + SECOND_MS } : end;
}

const SECOND_MS = 1_000;
const COARSEST_GRAIN_MS = 60_000;

/** A stretch of time, without its end. */
interface Span {
	readonly fromMs: number;
	readonly toMs?: number;
}

/** From so many on, the tickets of a moment that were handed out are not read again. */
const CROWD = 200;

/**
 * Reads the changes of a stretch by the numbers of their tickets, from the last one on that was handed out where there are
 * many. Says 'enough' where there are more.
 */
async function readSpan(reading: Reading, span: Span): Promise<'read' | 'enough' | CallError> {
	const { query, column, reader, wanted, found } = reading;
	const times = {
		gte: isoOf(span.fromMs),
		...(span.toMs !== undefined && { lt: isoOf(span.toMs) }),
	};
	const timed = { ...query, filters: withTimes(query, column, times), sort: [] };
	const known = span.toMs === undefined ? [] : wanted.knownIn(span.fromMs, span.toMs);
	const lastKnown = known.length < CROWD ? undefined : Math.max(...known);
	let offset = lastKnown === undefined ? 0 : known.length - 1;
	let gte: number | undefined;
	for (;;) {
		const part = keysetQuery(timed, gte === undefined ? {} : { gte });
		const page = await fetchPage(part, { limit: reader.pageSize, offset }, reader);
		if (!page.ok) return page.failure;
		const { data, metadata } = page.value;
		// Where the last known ticket stands where it stood, none came before it.
		const isMoved = offset > 0 && numberOf(data[0] ?? {}) !== lastKnown;
		offset = 0;
		if (isMoved) continue;
		const numbers = data.map((row) => numberOf(row) ?? NaN);
		const last = numbers.at(-1);
		const isLeading =
			numbers.every((number, i) => number >= (numbers[i - 1] ?? gte ?? -Infinity)) &&
			last !== undefined &&
			last !== gte;
		// Where numbers do not lead on, ranges of them do.
		const rest = metadata.hasNextPage && !isLeading ? await readWhole(part, reader) : undefined;
		if (rest?.failure) return rest.failure;
		const changes = changesIn(reading, rest?.rows ?? data, span);
		if ('kind' in changes) return changes;
		collect(reading, changes);
		if (rest !== undefined || !metadata.hasNextPage) return 'read';
		if (wanted.isEnough([...found.values()])) return 'enough';
		gte = last;
	}
}

const isAscending = (changes: readonly Change[]): boolean =>
	changes.every(({ atMs }, i) => i === 0 || (changes[i - 1]?.atMs ?? atMs) <= atMs);

/** The changes in rows; fails where one lies outside of the times that were asked for, or none can be read. */
function changesIn(
	{ column, malformed }: Reading,
	rows: readonly Ticket[],
	{ fromMs, toMs = Infinity }: Span,
): readonly Change[] | CallError {
	const changes: Change[] = [];
	for (const row of rows) {
		const change = changeOf(row, column);
		if (change) changes.push(change);
		else malformed.set(JSON.stringify([row['id'], row['ticketNumber'], row[column]]), row);
	}
	const strayed = changes.find(
		({ atMs }) => atMs < fromMs - COARSEST_GRAIN_MS || atMs > toMs + COARSEST_GRAIN_MS,
	);
	if (strayed) return ignoredBounds(column, strayed.atMs, fromMs);
	return changes.length === 0 && rows.length > 1
		? searchContractError(`It returned tickets without a number and ID, or a time in ${column}`)
		: changes;
}

/** Adds changes to those found. */
function collect({ found }: Reading, changes: readonly Change[]): undefined {
	for (const change of changes) found.set(`${change.atMs}:${change.number}`, change);
}

/** A time as the service takes it in a filter. */
export const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Filters with times on one column: what the user wants there has to match as well. */
export const withTimes = (
	{ filters }: Query,
	column: EventColumn,
	times: Operands,
): Query['filters'] => ({ ...filters, [column]: addOperand(filters[column], times) });

/** The error where a ticket is returned from outside of the times that were asked for. */
export const ignoredBounds = (column: EventColumn, atMs: number, fromMs: number): CallError =>
	searchContractError(
		`It ignored the filter on ${column}: a ticket of ${isoOf(atMs)} was returned where tickets from ${isoOf(fromMs)} on were requested`,
	);

const tooMany = (column: EventColumn): CallError =>
	searchContractError(`It does not sort tickets by ${column}, and there are too many for one poll`);

const emptyPages = (column: EventColumn): CallError =>
	searchContractError(
		`It returned ${MAX_WITHOUT_NEW} empty pages of tickets by ${column} and said that more follow, so reading cannot go on`,
	);
