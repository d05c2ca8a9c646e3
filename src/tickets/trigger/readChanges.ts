import type { CallError } from '../../core/client';
import type { Result } from '../../core/result';
import { ok } from '../../core/result';
import { readWhole } from '../search/readTickets';
import type { Query } from '../search/query';
import { keysetQuery, MAX_WITHOUT_NEW, searchContractError } from '../search/query';
import type { PageReader } from '../service/fetchPage';
import { fetchPage } from '../service/fetchPage';
import { numberOf } from '../service/values';
import type { Ticket } from '../ticket';
import type { Change, EventColumn, Span } from './changes';
import { byPosition, changesIn, COARSEST_GRAIN_MS, isoOf, keyOf, withTimes } from './changes';

/** Which changes to read, in ms of the service's clock. */
export interface ChangesWanted {
	readonly column: EventColumn;
	readonly fromMs: number;
	/** Whether to stop here, though there are more. */
	readonly isEnough: (changes: readonly Change[]) => boolean;
	/** The keys of the tickets that were handed out in a stretch of time of one moment. */
	readonly knownIn: (fromMs: number, toMs: number) => readonly string[];
}

/** The changes that were read in the order of their times, and why reading ended. */
export interface ChangesResult {
	readonly changes: readonly Change[];
	/** Up to here all was read: to the end of what there is where it is infinite. */
	readonly reachedMs: number;
	/** Rows that no change could be read from. */
	readonly malformed: readonly Ticket[];
	readonly failure?: CallError;
}

/** What one reading collects on its way. */
interface Reading {
	readonly query: Query;
	readonly wanted: ChangesWanted;
	readonly reader: PageReader;
	readonly found: Map<string, Change>;
	readonly malformed: Map<string, Ticket>;
}

const SECOND_MS = 1_000;

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
	const { column, isEnough } = wanted;
	const found = new Map<string, Change>();
	const reading: Reading = { query, wanted, reader, found, malformed: new Map<string, Ticket>() };
	const ended = (reachedMs: number, failure?: CallError): ChangesResult => ({
		changes: [...found.values()].sort(byPosition),
		reachedMs,
		malformed: [...reading.malformed.values()],
		...(failure && { failure }),
	});
	const sort = [{ column, direction: 'asc' as const }];
	let [fromMs, offset, empty] = [wanted.fromMs, 0, 0];
	/** How often in a row times came that are before what was asked for. */
	let early = 0;
	while (empty < MAX_WITHOUT_NEW) {
		const filters = withTimes(query, column, { gte: isoOf(fromMs) });
		const span = { limit: reader.pageSize, offset };
		const page = await fetchPage({ ...query, filters, sort }, span, reader);
		const read = page.ok ? noted(reading, page.value.data, { fromMs }) : page;
		if (!page.ok || !read.ok) return ended(fromMs, read.ok ? undefined : read.failure);
		const changes = read.value;
		const firstMs = changes[0]?.atMs ?? fromMs;
		const lastMs = changes.at(-1)?.atMs ?? fromMs;
		if (!isAscending(changes)) {
			found.clear();
			const end = await readSpan(reading, { fromMs: wanted.fromMs });
			if (end === 'read') return ended(Infinity);
			found.clear();
			return ended(wanted.fromMs, end === 'enough' ? tooMany(column) : end);
		}
		if (!page.value.metadata.hasNextPage) {
			collect(reading, changes);
			return ended(Infinity);
		}
		if (changes.length === 0) {
			// A service may hide rows after it cut a page, or show times that cannot be read.
			offset += page.value.data.length || reader.pageSize;
			empty += 1;
			continue;
		}
		[offset, empty] = [0, 0];
		if (lastMs > firstMs && lastMs > fromMs) {
			collect(
				reading,
				changes.filter(({ atMs }) => atMs < lastMs),
			);
			fromMs = lastMs;
		} else {
			// Services that show whole seconds or minutes keep fractions, and filter by them.
			const isKnownCrowd = wanted.knownIn(lastMs, lastMs + 1).length >= CROWD;
			early = lastMs < fromMs ? early + 1 : 0;
			// In more than one moment, tickets that are known may have changed once more: a minute is tried last.
			const grainMs = early > 1 ? COARSEST_GRAIN_MS : isKnownCrowd && early === 0 ? 1 : SECOND_MS;
			const toMs = lastMs + grainMs;
			const end = await readSpan(reading, { fromMs: Math.min(fromMs, lastMs), toMs });
			if (end !== 'read') return ended(fromMs, end === 'enough' ? undefined : end);
			fromMs = toMs > fromMs ? toMs : fromMs + SECOND_MS;
		}
		if (isEnough([...found.values()])) return ended(fromMs);
	}
	return ended(fromMs, emptyPages(column));
}

/** From so many on, the tickets of a moment that were handed out are not read again. */
const CROWD = 200;

/**
 * Reads the changes of a stretch by the numbers of their tickets, from the last one on that was handed out where there are
 * many. Says 'enough' where there are more.
 */
async function readSpan(reading: Reading, span: Span): Promise<'read' | 'enough' | CallError> {
	const { query, reader, wanted, found } = reading;
	const { fromMs, toMs } = span;
	const times = { gte: isoOf(fromMs), ...(toMs !== undefined && { lt: isoOf(toMs) }) };
	const timed = { ...query, filters: withTimes(query, wanted.column, times), sort: [] };
	const known = toMs === undefined ? [] : wanted.knownIn(fromMs, toMs);
	const lastKnown = known.length < CROWD ? undefined : known.at(-1);
	let offset = lastKnown === undefined ? 0 : known.length - 1;
	let gte: number | undefined;
	for (;;) {
		const part = keysetQuery(timed, gte === undefined ? {} : { gte });
		const page = await fetchPage(part, { limit: reader.pageSize, offset }, reader);
		if (!page.ok) return page.failure;
		const { data, metadata } = page.value;
		// Where the last known ticket stands where it stood, none came before it.
		const isMoved = offset > 0 && keyOf(data[0] ?? {}) !== lastKnown;
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
		const changes = noted(reading, rest?.rows ?? data, span);
		if (!changes.ok) return changes.failure;
		collect(reading, changes.value);
		if (rest !== undefined || !metadata.hasNextPage) return 'read';
		if (wanted.isEnough([...found.values()])) return 'enough';
		gte = last;
	}
}

const isAscending = (changes: readonly Change[]): boolean =>
	changes.every(({ atMs }, i) => i === 0 || (changes[i - 1]?.atMs ?? atMs) <= atMs);

/** The changes in rows; what none can be read from is noted. */
function noted(
	{ wanted: { column }, malformed }: Reading,
	rows: readonly Ticket[],
	span: Span,
): Result<readonly Change[], CallError> {
	const read = changesIn(rows, column, span);
	if (!read.ok) return read;
	for (const row of read.value.malformed)
		malformed.set(JSON.stringify([row['id'], row['ticketNumber'], row[column]]), row);
	return ok(read.value.changes);
}

/** Adds changes to those found. */
function collect({ found }: Reading, changes: readonly Change[]): void {
	for (const change of changes) found.set(`${change.atMs}:${change.key}`, change);
}

const tooMany = (column: EventColumn): CallError =>
	searchContractError(`It does not sort tickets by ${column}, and there are too many for one poll`);

const emptyPages = (column: EventColumn): CallError =>
	searchContractError(
		`It returned ${MAX_WITHOUT_NEW} empty pages of tickets by ${column} and said that more follow, so reading cannot go on`,
	);
