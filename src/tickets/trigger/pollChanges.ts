import { fetchPage } from '../service/fetchPage';
import type { Change } from './changes';
import { readChanges, withTimes } from './changes';
import type { Poll, Settle } from './input';
import type { Report, TriggerState } from './state';
import { limitMemory } from './state';
import { parseTime } from '../ticket';

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
	// Without a ticket, every later ticket is new.
	const newestMs = parseTime(newest.value.data[0]?.[column]) ?? 0;
	// A ticket dated in the future must not silence the trigger until then.
	const cursorMs = Math.min(newestMs, startMs);
	let floorMs = cursorMs;
	// If the overlap has too many tickets to remember, the tickets of the newest time are enough.
	for (const fromMs of [cursorMs - overlapMs, cursorMs]) {
		const { changes, failure, isPartial } = await readChanges(
			poll,
			{ direction: 'asc', from: fromMs },
			MAX_AT_START + 1,
		);
		if (failure) return () => ({ fresh: [], failure });
		const after = { cursorMs, floorMs: fromMs, seen: remember(changes) };
		if (isPartial !== true) return () => ({ fresh: [], after });
		floorMs = (changes.at(-1)?.atMs ?? fromMs) + 1;
	}
	return () => ({ fresh: [], after: { cursorMs: floorMs, floorMs, seen: {} } });
}

/** Reads the changes since the cursor minus the overlap, and returns those that are not remembered. */
export async function pollChanges(poll: Poll, before: TriggerState): Promise<Settle> {
	const { overlapMs, maxTickets, startMs } = poll;
	const fromMs = Math.max(before.floorMs, before.cursorMs - overlapMs);
	const bounds = { direction: 'asc', from: fromMs } as const;
	const max = Object.keys(before.seen).length + maxTickets;
	const { changes, failure } = await readChanges(poll, bounds, max);
	const lastMs = changes.at(-1)?.atMs ?? -Infinity;
	// If a poll ended before it reached a new change, the next poll begins at that point.
	const isStuck = !failure && poll.isLate() && !changes.some(isNewTo(before));
	return (current = before) => {
		const unseen = changes.filter(isNewTo(current));
		const fresh = unseen.slice(0, maxTickets);
		const doneMs = fresh.length < unseen.length ? (fresh.at(-1)?.atMs ?? -Infinity) : lastMs;
		// A ticket dated in the future must not silence the trigger until then.
		const cursorMs = Math.max(current.cursorMs, Math.min(doneMs, startMs));
		const wantedMs = Math.max(isStuck ? lastMs : current.floorMs, cursorMs - overlapMs);
		const kept = limitMemory({ ...current.seen, ...remember(fresh) }, wantedMs);
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

const remember = (changes: readonly Change[]): TriggerState['seen'] =>
	Object.fromEntries(changes.map(({ key }) => [key, 0]));
