import type { CallError } from '../../core/client';
import { fetchPage } from '../service/fetchPage';
import { readPages } from '../search/readPages';
import { parseTime } from '../service/values';
import type { Ticket } from '../ticket';
import { toChanges, withTimes } from './changes';
import type { Change } from './changes';
import type { Poll, Settle } from './input';
import type { Report, TriggerState } from './state';
import { limitMemory } from './state';

/** The most changes to remember at the start. */
const MAX_AT_START = 5_000;

/** The first poll: starts at the newest ticket, and remembers the tickets of the overlap as old. */
export async function beginChanges(poll: Poll): Promise<Settle> {
	const { column, overlapMs, startMs, reader } = poll;
	const newest = await fetchPage(
		{
			filters: withTimes({}, column, { isNotNull: true }),
			sort: [{ column, direction: 'desc' }],
			select: ['id', 'ticketNumber', column],
		},
		{ limit: 1, offset: 0 },
		reader,
	);
	if (!newest.ok) return () => ({ fresh: [], failure: newest.failure });
	// Where there is no ticket yet, whatever comes is new.
	const newestMs = parseTime(newest.value.data[0]?.[column]) ?? 0;
	// A ticket dated in the future must not silence the trigger until then.
	const cursorMs = Math.min(newestMs, startMs);
	const isEnough = (changes: readonly Change[]): boolean => changes.length > MAX_AT_START;
	let floorMs = cursorMs;
	// Where the overlap has too many tickets to remember, those of the newest time are enough.
	for (const fromMs of [cursorMs - overlapMs, cursorMs]) {
		const { changes, failure, isPartial } = await readChanges(poll, fromMs, isEnough);
		if (failure) return () => ({ fresh: [], failure });
		const memory = Object.fromEntries(changes.map(({ key }) => [key, 0]));
		if (!isPartial)
			return () => ({ fresh: [], after: { cursorMs, floorMs: fromMs, seen: memory } });
		floorMs = (changes.at(-1)?.atMs ?? fromMs) + 1;
	}
	return () => ({ fresh: [], after: { cursorMs: floorMs, floorMs, seen: {} } });
}

/** Reads the changes since the cursor minus the overlap, and returns those that are not remembered. */
export async function pollChanges(poll: Poll, before: TriggerState): Promise<Settle> {
	const { overlapMs, maxTickets, startMs } = poll;
	const isEnough = (changes: readonly Change[]): boolean =>
		changes.filter(isNewTo(before)).length >= maxTickets;
	const fromMs = Math.max(before.floorMs, before.cursorMs - overlapMs);
	const { changes, failure } = await readChanges(poll, fromMs, isEnough);
	const lastMs = changes.at(-1)?.atMs ?? -Infinity;
	// A poll that ended before it came to anything new: the next one begins where it ended.
	const isStuck = !failure && poll.isLate() && !changes.some(isNewTo(before));
	return (current = before) => {
		const unknown = changes.filter(isNewTo(current));
		const fresh = unknown.slice(0, maxTickets);
		const doneMs = fresh.length < unknown.length ? (fresh.at(-1)?.atMs ?? -Infinity) : lastMs;
		// A ticket dated in the future must not silence the trigger until then.
		const cursorMs = Math.max(current.cursorMs, Math.min(doneMs, startMs));
		const memory = { ...current.seen, ...Object.fromEntries(fresh.map(({ key }) => [key, 0])) };
		const wantedMs = Math.max(isStuck ? lastMs : current.floorMs, cursorMs - overlapMs);
		const kept = limitMemory(memory, wantedMs);
		const isLost = isStuck || kept.floorMs > wantedMs;
		return {
			fresh: fresh.map(({ ticket }) => ticket),
			...(failure && { failure }),
			after: { cursorMs, ...kept },
			reports: isLost ? (['overlap'] satisfies Report[]) : [],
		};
	};
}

const isNewTo =
	({ seen, floorMs }: TriggerState) =>
	({ atMs, key }: Change): boolean =>
		atMs >= floorMs && !Object.hasOwn(seen, key);

interface ChangesRead {
	readonly changes: readonly Change[];
	readonly isPartial: boolean;
	readonly failure?: CallError;
}

/** Reads changes in the order of their times until there are enough, or the poll has to end. */
async function readChanges(
	{ column, query, reader, isLate }: Poll,
	fromMs: number,
	isEnough: (changes: readonly Change[]) => boolean,
): Promise<ChangesRead> {
	const changes: Change[] = [];
	const isDone = (rows: readonly Ticket[]): boolean => {
		changes.push(...toChanges(rows.slice(changes.length), column));
		return isLate() || isEnough(changes);
	};
	const stretch = { column, direction: 'asc', from: fromMs } as const;
	const range = { stretch, isEnough: isDone };
	const { rows, failure, isPartial = false } = await readPages(query, range, reader);
	changes.push(...toChanges(rows.slice(changes.length), column));
	return { changes, isPartial, ...(failure && { failure }) };
}
