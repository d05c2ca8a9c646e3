import { withNeededColumns } from '../search/query';
import type { Change } from './changes';
import type { Poll, Settle } from './input';
import { lastDue, remember } from './memory';
import { readChanges } from './readChanges';
import type { TriggerState } from './state';

const SECOND_MS = 1_000;
/** How far back the first poll remembers what is old, so a clock that goes back brings none of it. */
const LOOK_BACK_MS = 120 * 60_000;
/** The most changes to remember at the start. */
const MAX_AT_START = 5_000;

const wholeSecond = (ms: number): number => Math.floor(ms / SECOND_MS) * SECOND_MS;

const latest = (changes: readonly Change[], ms: number): number =>
	changes.reduce((last, { atMs }) => Math.max(last, atMs), ms);

/** What the first poll leaves behind: all that can be seen is old. */
export async function beginChanges(poll: Poll, newest: number | undefined): Promise<Settle> {
	const { column, overlapMs, nowMs, reader } = poll;
	const newestMs = newest ?? nowMs;
	const startMs = Math.min(nowMs, newestMs);
	const query = withNeededColumns({ ...poll.query, select: [column] });
	// Where there is no ticket yet, whatever comes is new.
	const first = newest === undefined ? startMs : Math.max(LOOK_BACK_MS, overlapMs);
	// Where there are too many to remember, what comes after now counts, though a ticket may be of the far future.
	const afterMs = Math.min(newestMs, nowMs + overlapMs) + SECOND_MS;
	const others = newestMs > afterMs ? [afterMs] : [];
	const isEnough = (changes: readonly Change[]): boolean =>
		changes.length > MAX_AT_START || poll.isLate();
	for (const fromMs of [startMs - first, startMs - overlapMs, ...others].map(wholeSecond)) {
		const wanted = { column, fromMs, isEnough, seen: {} };
		const { failure, changes, malformed, reachedMs } = await readChanges(query, wanted, reader);
		if (failure) return () => ({ fresh: [], failure });
		if (reachedMs < Infinity) continue;
		// Only times of tickets say what time it is for them.
		const cursorMs = Math.min(nowMs, latest(changes, newest === undefined ? fromMs : startMs));
		const after = { cursorMs, ...remember({}, changes, { floorMs: fromMs }) };
		return () => ({ fresh: [], malformed, after });
	}
	const floorMs = newestMs + SECOND_MS;
	return () => ({ fresh: [], after: { cursorMs: floorMs, floorMs, seen: {} } });
}

/** Tells whether a change is neither old nor was handed out before. */
const newTo =
	({ seen, floorMs }: TriggerState) =>
	(change: Change): boolean =>
		change.atMs >= floorMs && lastDue(seen, change) === undefined;

/** Reads the changes since the last poll, and gives those that were not handed out. */
export async function pollChanges(poll: Poll, before: TriggerState): Promise<Settle> {
	const { column, query, reader, overlapMs, maxTickets, startMs, nowMs } = poll;
	// A cursor ahead of the last poll, by the clock of now, goes back to it: that clock may have caught up. Within a minute, responses were slow.
	const polledMs = nowMs - Math.max(0, startMs - before.polledMs);
	const isBack = before.cursorMs > polledMs + Math.max(overlapMs, 60 * SECOND_MS);
	const cursorMs = isBack ? polledMs : before.cursorMs;
	const overlapFromMs = wholeSecond(cursorMs - overlapMs);
	const fromMs = isBack ? overlapFromMs : Math.max(before.floorMs, overlapFromMs);
	const isNew = newTo(before);
	const isEnough = (found: readonly Change[]): boolean =>
		poll.isLate() || (found.length >= maxTickets && found.filter(isNew).length >= maxTickets);
	const wanted = { column, fromMs, isEnough, seen: before.seen };
	const { changes, reachedMs, failure, malformed } = await readChanges(query, wanted, reader);
	// A poll that came to nothing new before it had to end: the next one has to begin where this one ended.
	const isStuck = reachedMs < Infinity && !failure && !changes.some(isNew);
	return (current = before) => {
		const floorMs = isBack ? Math.min(current.floorMs, fromMs) : current.floorMs;
		const unknown = changes.filter(newTo(current));
		const fresh = unknown.slice(0, maxTickets);
		// What lies before all that is remembered is old, however far the clock went back.
		const old = isBack ? changes.filter(({ atMs }) => atMs < current.floorMs) : [];
		const kept = remember(current.seen, [...old, ...fresh], {
			floorMs: isStuck ? Math.max(reachedMs, current.floorMs) : floorMs,
		});
		// Only times of tickets move the cursor, so no clock does.
		const lastMs = reachedMs === Infinity ? latest(changes, -Infinity) : reachedMs;
		const doneMs = fresh.length < unknown.length ? (fresh.at(-1)?.atMs ?? -Infinity) : lastMs;
		const ownMs = isBack ? cursorMs : Math.max(cursorMs, current.cursorMs);
		const after = { cursorMs: Math.max(ownMs, Math.min(doneMs, nowMs)), ...kept };
		const isLost = kept.floorMs > Math.max(floorMs, after.cursorMs - overlapMs);
		return {
			fresh: fresh.map(({ ticket }) => ticket),
			...(failure && { failure }),
			malformed,
			after,
			told: [...(isBack ? (['clock'] as const) : []), ...(isLost ? (['overlap'] as const) : [])],
		};
	};
}
