import type { CallError } from '../../core/client';
import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import { readWhole } from '../search/readTickets';
import { fetchPage } from '../service/fetchPage';
import type { Ticket } from '../ticket';
import type { Change } from './changes';
import { changeOf } from './changes';
import type { Memory } from './memory';
import { byPosition, formatMemory, OLD, parseMemory, remember, timesOf } from './memory';
import type { Poll, Polled, Settle } from './running';
import { ignoredBounds, isoOf, withTimes } from './readChanges';
import type { TriggerState } from './state';

/** The most tickets that wait at once and are remembered. */
const MAX_WAITING = 5_000;
const COARSEST_GRAIN_MS = 60_000;

/** What waits, and whether that is all. */
interface Waiting {
	readonly changes: readonly Change[];
	readonly malformed: readonly Ticket[];
	readonly failure?: CallError;
}

/** The moment up to which the time of a ticket has passed. */
const dueMs = ({ nowMs, wait }: Poll): number => nowMs - (wait?.delayMs ?? 0);

/** What the first poll leaves behind: whatever waits now is old, with its reminders. */
export async function beginWaiting(poll: Poll): Promise<Settle> {
	const floor = await floorOf(poll);
	if (!floor.ok) return () => ({ fresh: [], failure: floor.failure });
	const { changes, failure, malformed } = await readWaiting(poll, floor.value);
	if (failure) return () => ({ fresh: [], failure });
	const kept = formatMemory(
		remember(new Map(), changes, () => OLD),
		floor.value,
	);
	return () => ({
		fresh: [],
		malformed,
		after: { cursorMs: dueMs(poll), floorMs: kept.floorMs, seen: kept.text },
		told: kept.floorMs > NEVER_MS ? ['waiting'] : [],
	});
}

const NEVER_MS = 0;

/** From when on what waits is remembered: always, or from the time of the newest that can be. */
async function floorOf(poll: Poll): Promise<Result<number, CallError>> {
	const { column, query, reader } = poll;
	const filters = withTimes(query, column, { lte: isoOf(dueMs(poll)) });
	const sort = [{ column, direction: 'desc' as const }];
	const span = { limit: reader.pageSize, offset: MAX_WAITING };
	const page = await fetchPage({ ...query, filters, sort }, span, reader);
	// A service may take no such offset; whether it takes searches shows when all is read.
	if (!page.ok) return reader.unmatched ? fail(page.failure) : ok(NEVER_MS);
	const [row] = page.value.data;
	const change = row && changeOf(row, column);
	return ok(change ? change.atMs + 1 : NEVER_MS);
}

/** Reads all that waits now. */
async function readWaiting(poll: Poll, floorMs: number): Promise<Waiting> {
	const { column, query, reader, applies } = poll;
	const toMs = dueMs(poll);
	const times = { ...(floorMs > NEVER_MS && { gte: isoOf(floorMs) }), lte: isoOf(toMs) };
	const filters = withTimes(query, column, times);
	const { rows, failure } = await readWhole({ ...query, filters, sort: [] }, reader);
	const changes = rows.flatMap((row) => changeOf(row, column) ?? []);
	const malformed = rows.filter((row) => changeOf(row, column) === undefined);
	const strayed = changes.find(
		({ atMs }) => atMs > toMs + COARSEST_GRAIN_MS || atMs < floorMs - COARSEST_GRAIN_MS,
	);
	const wrong = strayed ? ignoredBounds(column, strayed.atMs, floorMs) : failure;
	const waiting = changes.filter(({ ticket, atMs }) => applies(ticket) && atMs >= floorMs);
	return { changes: strayed ? [] : waiting, malformed, ...(wrong && { failure: wrong }) };
}

/** Reads what waits, and gives the tickets that were not handed out, or are due again. */
export async function pollWaiting(poll: Poll, before: TriggerState): Promise<Settle> {
	const waiting = await readWaiting(poll, before.floorMs);
	return () => settle(poll, poll.load() ?? before, waiting);
}

/** Hands out what is due by the state of now, which another poll may have saved meanwhile. */
function settle(
	poll: Poll,
	current: TriggerState,
	{ changes, malformed, failure }: Waiting,
): Polled {
	const memory: Memory = parseMemory(current.seen) ?? new Map();
	const isDue = (change: Change): boolean => {
		const times = timesOf(memory, change);
		return times === undefined || (times !== OLD && times < timesDue(poll, change));
	};
	const fresh = changes.filter(isDue).sort(byPosition).slice(0, poll.maxTickets);
	const known = remember(memory, fresh, ({ atMs }) => timesDue(poll, { atMs }));
	const kept = formatMemory(known, current.floorMs);
	const isFull = kept.floorMs > current.floorMs;
	// What waits no longer goes first.
	const still = isFull && failure === undefined ? waitingOf(known, changes) : known;
	const last = isFull ? formatMemory(still, current.floorMs) : kept;
	return {
		fresh: fresh.map(({ ticket }) => ticket),
		...(failure && { failure }),
		malformed,
		after: { cursorMs: dueMs(poll), floorMs: last.floorMs, seen: last.text },
		told: last.floorMs > current.floorMs ? ['waiting'] : [],
	};
}

/** How often a ticket should have been handed out by now. */
function timesDue(poll: Poll, { atMs }: { readonly atMs: number }): number {
	const repeatMs = poll.wait?.repeatMs ?? 0;
	return repeatMs === 0 ? 1 : 1 + Math.max(0, Math.floor((dueMs(poll) - atMs) / repeatMs));
}

/** What is remembered of the tickets that wait. */
const waitingOf = (memory: Memory, changes: readonly Change[]): Memory =>
	remember(
		new Map(),
		changes.filter((change) => timesOf(memory, change) !== undefined),
		({ atMs, number }) => timesOf(memory, { atMs, number }) ?? 1,
	);
