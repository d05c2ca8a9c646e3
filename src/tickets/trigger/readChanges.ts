import memoize from 'lodash/memoize';
import sortBy from 'lodash/sortBy';
import uniqBy from 'lodash/uniqBy';
import { readInTotalOrder } from '../search/readByOffset';
import { readWhole } from '../search/readTickets';
import type { Query } from '../search/query';
import type { PageReader } from '../service/fetchPage';
import type { Ticket } from '../ticket';
import type { Change, Changes, Span } from './changes';
import { changeOf, changesIn, isoOf, keyOf, NOTHING, withTimes } from './changes';
import type { Memory } from './memory';
import { crowdsIn } from './memory';

/** Which changes to read. */
export interface ChangesWanted extends Span {
	/** What was handed out. */
	readonly seen: Memory;
	/** Whether to stop here, though there are more. */
	readonly isEnough: (changes: readonly Change[]) => boolean;
}

/** The changes that were read in the order of their times. */
export interface ChangesResult extends Changes {
	/** Up to here all was read: to the end of what there is where it is infinite. */
	readonly reachedMs: number;
}

/** Reads changes in the order of their times; in a moment with many that were handed out, and in the first one, it begins with the last of these. */
export async function readChanges(
	query: Query,
	wanted: ChangesWanted,
	reader: PageReader,
): Promise<ChangesResult> {
	const { column, seen } = wanted;
	let [changes, malformed]: [readonly Change[], readonly Ticket[]] = [[], []];
	// A poll that had no time to read a moment to its end leaves a state that begins there.
	let { fromMs } = wanted;
	let keys: readonly string[] = Object.keys(seen[fromMs] ?? {});
	let crowds = crowdsIn(seen, fromMs);
	for (;;) {
		const [crowd, ...others] = crowds;
		const before = changes;
		const isEnough = (more: readonly Change[]): boolean => wanted.isEnough([...before, ...more]);
		const span = { column, fromMs, ...(crowd && { toMs: crowd.atMs }), keys, isEnough };
		const read = await readSpan(query, span, reader);
		// A service may keep to no times, so one comes in two spans.
		changes = uniqBy([...before, ...read.changes], ({ atMs, key }) => `${atMs}:${key}`);
		malformed = [...malformed, ...read.malformed];
		const { reachedMs, failure } = read;
		if (crowd && reachedMs === Infinity) {
			[{ atMs: fromMs, keys }, crowds] = [crowd, others];
		} else if (failure && reachedMs > fromMs && !isEnough([])) {
			// A service may take no far offset.
			[fromMs, keys] = [reachedMs, []];
		} else return { ...read, changes, malformed };
	}
}

/** Reads by pages that overlap, since a ticket that changes meanwhile moves to the end; by number where the service does not sort by time or take the offset. */
async function readSpan(
	query: Query,
	{ keys, isEnough, ...span }: Omit<ChangesWanted, 'seen'> & { readonly keys: readonly string[] },
	reader: PageReader,
): Promise<ChangesResult> {
	const { column, fromMs, toMs } = span;
	const times = { gte: isoOf(fromMs), ...(toMs !== undefined && { lt: isoOf(toMs) }) };
	const timed = { ...query, filters: withTimes(query, column, times), sort: [] };
	// After each page all rows are looked at again.
	const changeIn = memoize((row: Ticket) => changeOf(row, column));
	const changesOf = (rows: readonly Ticket[]): Changes => changesIn(rows, span, changeIn);
	const offset = Math.max(0, keys.length - 1);
	// Where the last known ticket stands where it stood, none came before it.
	const isMoved = ([first = {}]: readonly Ticket[]): boolean =>
		offset > 0 && keyOf(first) !== keys.at(-1);
	const isUnsorted = (changes: readonly Change[]): boolean =>
		reader.known.ignored.has('sort') || reader.isMixed === true || !isAscending(changes);
	const isEnd = (rows: readonly Ticket[]): boolean => {
		const { changes, failure } = changesOf(rows);
		return isMoved(rows) || failure !== undefined || isUnsorted(changes) || isEnough(changes);
	};
	const sort = [{ column, direction: 'asc' as const }];
	const read = await readInTotalOrder({ ...timed, sort }, { offset, isEnough: isEnd }, reader);
	if (isMoved(read.rows) && !read.failure)
		return await readSpan(query, { ...span, keys: [], isEnough }, reader);
	const found = changesOf(read.rows);
	const failure = found.failure ?? read.failure;
	const lastMs = Math.max(fromMs, found.changes.at(-1)?.atMs ?? fromMs);
	if (!isUnsorted(found.changes) && !(read.failure && lastMs === fromMs)) {
		const isPartial = failure !== undefined || read.isPartial === true;
		return { ...found, ...(failure && { failure }), reachedMs: isPartial ? lastMs : Infinity };
	}
	const whole = await readWhole(timed, reader);
	if (whole.failure) return { ...NOTHING, reachedMs: fromMs, failure: whole.failure };
	const all = changesOf(whole.rows);
	const reachedMs = all.failure ? fromMs : Infinity;
	return { ...all, changes: sortBy(all.changes, 'atMs'), reachedMs };
}

const isAscending = (changes: readonly Change[]): boolean =>
	changes.every(({ atMs }, i) => i === 0 || (changes[i - 1]?.atMs ?? atMs) <= atMs);
