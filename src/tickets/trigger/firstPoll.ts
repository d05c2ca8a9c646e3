import { fetchPage } from '../service/fetchPage';
import { parseTime } from '../ticket';
import { readChanges } from './changes';
import type { Poll, Settle } from './input';
import { OLD } from './state';

/** The most tickets that a poll reads to remember them. */
export const MAX_REMEMBERED = 5_000;

/**
 * The first poll returns nothing. It starts at the newest ticket, or now for a wait. It remembers the tickets of the overlap,
 * or all tickets whose wait is over. If there are too many, it ignores the earlier ones.
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
	const fromMs = wait ? 0 : cursorMs - overlapMs;
	const bounds = { direction: 'desc', from: wait?.dueMs, to: fromMs } as const;
	const { changes, failure, isPartial = false } = await readChanges(poll, bounds, MAX_REMEMBERED);
	if (failure) return () => ({ fresh: [], failure });
	const floorMs = isPartial ? (changes.at(-1)?.atMs ?? fromMs) + 1 : fromMs;
	const seen = Object.fromEntries(
		changes.filter(({ atMs }) => atMs >= floorMs).map(({ key }) => [key, OLD]),
	);
	return () => ({ fresh: [], after: { cursorMs, floorMs, seen, isCrowded: isPartial } });
}
