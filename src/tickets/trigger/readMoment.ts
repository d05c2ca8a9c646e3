import type { CallError } from '../../core/client';
import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import type { Query } from '../search/query';
import { searchContractError } from '../search/query';
import { fetchPage, pageStep } from '../search/fetchPage';
import type { Change } from './changes';
import type { PartEnd, Reading } from './readChanges';
import {
	COARSEST_GRAIN_MS,
	CROWD,
	MAX_EMPTY_PAGES,
	collect,
	ignoredBounds,
	isOutside,
	isoOf,
	readRows,
	repeatedPage,
	withOperands,
} from './readChanges';
import { NO_NUMBER } from './watermark';

/**
 * Reads all changes of one moment in the order of their numbers (of all moments where none is given). `shown` are those
 * of a page that the moment fills. Where most of them are not found at the moment itself, they changed meanwhile, or
 * else the service shows times that are rounded down, and the moment lasts longer.
 */
export async function readMoment(
	reading: Reading,
	atMs: number | undefined,
	shown: readonly Change[] = [],
): Promise<PartEnd | 'doubtful'> {
	const seen = [...((atMs !== undefined && reading.wanted.seen.get(atMs)) || [])];
	const known = seen.length < CROWD ? [] : seen.sort((a, b) => a - b);
	const end = await readNumbers(reading, { atMs, known });
	if (end !== 'read' || atMs === undefined) return end;
	const numbers = new Set([...known, ...[...reading.found.values()].map(({ number }) => number)]);
	const found = shown.filter(({ number }) => numbers.has(number)).length;
	if (2 * found >= shown.length) return 'read';
	if (reading.doubtMs !== atMs) {
		reading.doubtMs = atMs;
		return 'doubtful';
	}
	reading.doubtMs = undefined;
	if (reading.grainMs >= COARSEST_GRAIN_MS) return missing(reading);
	reading.grainMs = reading.grainMs < 1_000 ? 1_000 : COARSEST_GRAIN_MS;
	return 'doubtful';
}

interface Numbers {
	readonly atMs: number | undefined;
	/** The numbers that were handed out, in their order. */
	readonly known: readonly number[];
}

async function readNumbers(reading: Reading, { atMs, known }: Numbers): Promise<PartEnd> {
	const { column, from, isEnough } = reading.wanted;
	const start = atMs === from.atMs && from.number > NO_NUMBER ? from.number : undefined;
	const fetch = async (gte: number | undefined, offset: number) =>
		await fetchNumbers(reading, { atMs, gte, offset });
	const lastKnown = known.at(-1);
	// Where the last known ticket stands where it stood, none came before it.
	let page = await fetch(start, lastKnown === undefined ? 0 : known.length - 1);
	if (lastKnown !== undefined && page.ok && page.value.changes[0]?.number !== lastKnown)
		page = await fetch(start, 0);
	let offset = 0;
	let pagesWithoutNew = 0;
	let gte = start;
	for (;;) {
		if (!page.ok) return page.failure;
		const { changes, hasNextPage } = page.value;
		const isNew = collect(reading, changes);
		if (!hasNextPage) return 'read';
		const last = changes.at(-1);
		// Rows may be hidden after a page was cut.
		offset = isNew ? 0 : offset + pageStep(reading.reader, reading.reader.pageSize);
		pagesWithoutNew = isNew ? 0 : pagesWithoutNew + 1;
		if (isNew && last) gte = last.number;
		if (pagesWithoutNew > MAX_EMPTY_PAGES) return repeatedPage(column);
		if (isEnough([...reading.found.values()])) return 'enough';
		page = await fetch(gte, offset);
	}
}

interface NumbersPage {
	readonly changes: readonly Change[];
	readonly hasNextPage: boolean;
}

async function fetchNumbers(
	{ query, wanted, reader, grainMs, ...reading }: Reading,
	{ atMs, gte, offset }: { atMs: number | undefined; gte: number | undefined; offset: number },
): Promise<Result<NumbersPage, CallError>> {
	const { column, from, toMs } = wanted;
	const fromMs = atMs ?? from.atMs;
	const times = {
		gte: isoOf(fromMs),
		...(atMs !== undefined && { lt: isoOf(atMs + grainMs) }),
		...(toMs !== undefined && { lte: isoOf(toMs) }),
	};
	const timed: Query = { ...query, filters: withOperands(query, column, times) };
	const filters = gte === undefined ? timed.filters : withOperands(timed, 'ticketNumber', { gte });
	const sort = [{ column: 'ticketNumber' as const, direction: 'asc' as const }];
	const page = await fetchPage(
		{ ...query, filters, sort },
		{ limit: reader.pageSize, offset },
		reader,
	);
	if (!page.ok) return page;
	const changes = readRows({ query, wanted, reader, grainMs, ...reading }, page.value);
	if ('kind' in changes) return fail(changes);
	const end = atMs === undefined ? toMs : atMs + grainMs;
	const strayed = changes.find((change) => isOutside(change.atMs, fromMs, end));
	if (strayed) return fail(ignoredBounds(column, strayed.atMs, fromMs));
	if (changes.some(({ number }, i) => number < (changes[i - 1]?.number ?? gte ?? number)))
		return fail(unsorted(column));
	return ok({ changes, hasNextPage: page.value.metadata.hasNextPage });
}

const unsorted = (column: string): CallError =>
	searchContractError(
		`It sorts tickets neither by ${column} nor by ticketNumber, so reading cannot go on`,
	);

const missing = ({ wanted }: Reading): CallError =>
	searchContractError(
		`It does not find tickets by the time in ${wanted.column} that it shows for them`,
	);
