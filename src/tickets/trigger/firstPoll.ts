import { fetchPage } from '../service/fetchPage';
import { parseTime } from '../ticket';
import { readChanges } from './changes';
import type { Poll, Settle } from './input';
import { OLD } from './state';

/** The most tickets that a poll reads to remember them. */
export const MAX_READ = 5_000;

/**
 * Returns a function, as every poll does, that gives the first state. It returns no tickets, and remembers existing ones as OLD.
 * An event starts at the newest ticket (the cursor), and remembers the overlap before it. A wait remembers all tickets that
 * are due. Later polls read both again. Above MAX_READ the floor rises, and tickets below it are never returned.
 */
export async function pollFirst(poll: Poll): Promise<Settle> {
	const { column, wait, overlapMs, startMs, reader } = poll;
	let cursorMs = wait?.dueMs ?? 0;
	if (!wait) {
		const filters = { [column]: { isNotNull: true } };
		const sort = [{ column, direction: 'desc' as const }];
		const query = { filters, sort, select: [column] };
		const newest = await fetchPage(query, { limit: 1, offset: 0 }, reader);
		if (!newest.ok) return () => ({ fresh: [], failure: newest.failure });
		// A ticket dated in the future must not silence the trigger until then.
		cursorMs = Math.min(parseTime(newest.value.data[0]?.[column]) ?? 0, startMs);
	}
	const oldestMs = wait ? 0 : cursorMs - overlapMs;
	// In descending order, `from` is the newest time and `to` the oldest.
	const bounds = { direction: 'desc', from: wait?.dueMs, to: oldestMs, max: MAX_READ } as const;
	const { changes, endMs = oldestMs, failure, isPartial } = await readChanges(poll, bounds);
	if (failure) return () => ({ fresh: [], failure });
	// The oldest time may be incomplete, so the floor is above it.
	const floorMs = isPartial ? endMs + 1 : oldestMs;
	const remembered = changes.filter(({ atMs }) => atMs >= floorMs);
	const seen = Object.fromEntries(remembered.map(({ key }) => [key, OLD]));
	return () => ({ fresh: [], after: { cursorMs, floorMs, seen, isCrowded: isPartial === true } });
}
