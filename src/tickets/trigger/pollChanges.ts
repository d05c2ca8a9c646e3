import { withNeededColumns } from '../search/query';
import type { Change } from './changes';
import { byPosition, formatMemory, parseMemory, remember, timesOf } from './memory';
import type { Memory } from './memory';
import type { Poll, Polled, Settle } from './running';
import type { ChangesResult } from './readChanges';
import { readChanges } from './readChanges';
import type { TriggerState } from './state';

const SECOND_MS = 1_000;
/** How far back the first poll remembers what is old, so a clock that goes back brings none of it. */
const LOOK_BACK_MS = 120 * 60_000;
/** The most changes to remember at the start. */
const MAX_AT_START = 5_000;

/** What the first poll leaves behind: all that can be seen is old. */
export async function beginChanges(poll: Poll, newest: number | undefined): Promise<Settle> {
	const newestMs = newest ?? poll.nowMs;
	const startMs = Math.min(poll.nowMs, newestMs);
	const query = withNeededColumns({ ...poll.query, select: [poll.column] });
	// Where there is no ticket yet, whatever comes is new.
	const first = newest === undefined ? startMs : Math.max(LOOK_BACK_MS, poll.overlapMs);
	// Where there are too many to remember, what comes after now counts, though a ticket may be of the far future.
	const afterMs = Math.min(newestMs, poll.nowMs + poll.overlapMs) + SECOND_MS;
	const others = newestMs > afterMs ? [afterMs] : [];
	for (const fromMs of [startMs - first, startMs - poll.overlapMs, ...others]) {
		const floorMs = Math.floor(fromMs / SECOND_MS) * SECOND_MS;
		const isEnough = (changes: readonly Change[]): boolean =>
			changes.length > MAX_AT_START || poll.isLate();
		const read = await readChanges(
			query,
			{ column: poll.column, fromMs: floorMs, isEnough, knownIn: () => [] },
			poll.reader,
		);
		const { failure, changes, malformed } = read;
		if (failure) return () => ({ fresh: [], failure });
		if (!read.isComplete) continue;
		const kept = formatMemory(remember(new Map(), changes), floorMs);
		// Only times of tickets say what time it is for them.
		const beginMs = newest === undefined ? floorMs : startMs;
		const cursorMs = Math.min(poll.nowMs, latest(changes, beginMs));
		const after = { cursorMs, floorMs: kept.floorMs, seen: kept.text };
		return () => ({ fresh: [], malformed, after });
	}
	const floorMs = newestMs + SECOND_MS;
	return () => ({ fresh: [], after: { cursorMs: floorMs, floorMs, seen: EMPTY } });
}

const EMPTY = formatMemory(new Map(), 0).text;

const isIn =
	({ applies }: Poll) =>
	({ ticket }: Change): boolean =>
		applies(ticket);

const latest = (changes: readonly Change[], ms: number): number =>
	changes.reduce((last, { atMs }) => Math.max(last, atMs), ms);

/** Reads the changes since the last poll, and gives those that were not handed out. */
export async function pollChanges(poll: Poll, before: TriggerState): Promise<Settle> {
	const { column, query, reader, overlapMs, maxTickets } = poll;
	const { cursorMs, isBack } = cursorIn(before, poll);
	const lookBackMs = Math.floor((cursorMs - overlapMs) / SECOND_MS) * SECOND_MS;
	const fromMs = isBack ? lookBackMs : Math.max(before.floorMs, lookBackMs);
	const isKnown = knownTo(before);
	const isNew = (change: Change): boolean => isIn(poll)(change) && !isKnown(change);
	const isEnough = (changes: readonly Change[]): boolean =>
		poll.isLate() || changes.filter(isNew).length >= maxTickets;
	const memory = memoryOf(before);
	const knownIn = (from: number, to: number): number[] =>
		[...memory].flatMap(([atMs, numbers]) =>
			atMs >= from && atMs < to ? [...numbers.keys()] : [],
		);
	const read = await readChanges(query, { column, fromMs, isEnough, knownIn }, reader);
	// A poll that came to nothing new before it had to end: the next one has to begin where this one ended.
	const isStuck = !read.isComplete && !read.failure && !read.changes.some(isNew);
	return () => settle(poll, poll.load() ?? before, { read, fromMs, cursorMs, isBack, isStuck });
}

/** What a poll read, from where, and whether the clock went back. */
interface ReadSince {
	readonly read: ChangesResult;
	readonly fromMs: number;
	readonly cursorMs: number;
	readonly isBack: boolean;
	readonly isStuck: boolean;
}

/** Hands out what is new by the state of now, which another poll may have saved meanwhile. */
function settle(
	poll: Poll,
	current: TriggerState,
	{ read, fromMs, cursorMs, isBack, isStuck }: ReadSince,
): Polled {
	const { maxTickets, nowMs, overlapMs } = poll;
	const floorMs = isBack ? Math.min(current.floorMs, fromMs) : current.floorMs;
	const isKnown = knownTo(current);
	const unknown = read.changes.filter((change) => isIn(poll)(change) && !isKnown(change));
	const fresh = unknown.sort(byPosition).slice(0, maxTickets);
	// What lies before all that is remembered is old, however far the clock went back.
	const old = isBack ? read.changes.filter(({ atMs }) => atMs < current.floorMs) : [];
	const memory = remember(memoryOf(current), [...old, ...fresh]);
	const kept = formatMemory(memory, isStuck ? read.frontierMs : floorMs);
	const reachedMs = reachedBy(read, { unknown, fresh });
	const own = isBack ? cursorMs : Math.max(cursorMs, current.cursorMs);
	const after = {
		cursorMs: Math.max(own, Math.min(reachedMs, nowMs)),
		floorMs: kept.floorMs,
		seen: kept.text,
	};
	const isLost = kept.floorMs > Math.max(floorMs, after.cursorMs - overlapMs);
	const { failure, malformed } = read;
	return {
		fresh: fresh.map(({ ticket }) => ticket),
		...(failure && { failure }),
		malformed,
		after,
		told: [...(isBack ? (['clock'] as const) : []), ...(isLost ? (['overlap'] as const) : [])],
	};
}

/** Where to go on. A cursor that is ahead of the clock by more than the overlap goes back with it: to the last poll, by the clock of now. */
function cursorIn(
	{ cursorMs, polledMs }: TriggerState,
	{ nowMs, startMs, overlapMs }: Poll,
): { readonly cursorMs: number; readonly isBack: boolean } {
	if (cursorMs <= nowMs + overlapMs) return { cursorMs, isBack: false };
	const sinceMs = Math.max(0, startMs - polledMs);
	return { cursorMs: nowMs - sinceMs, isBack: true };
}

/** Up to where all was handed out. Only times of tickets move it, so no clock does. */
function reachedBy(
	{ changes, isComplete, frontierMs }: ChangesResult,
	{ unknown, fresh }: { readonly unknown: readonly Change[]; readonly fresh: readonly Change[] },
): number {
	if (fresh.length < unknown.length) return fresh.at(-1)?.atMs ?? -Infinity;
	return isComplete ? latest(changes, -Infinity) : frontierMs;
}

const memoryOf = ({ seen }: TriggerState): Memory => parseMemory(seen) ?? new Map();

/** Tells whether a change is old or was handed out before. */
function knownTo(state: TriggerState): (change: Change) => boolean {
	const memory = memoryOf(state);
	return (change) => change.atMs < state.floorMs || timesOf(memory, change) !== undefined;
}
