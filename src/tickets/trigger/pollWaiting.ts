import { sortBy } from 'lodash';
import { MINUTE_MS } from '../../core/time';
import { readChanges, type Change } from './changes';
import { MAX_READ } from './firstPoll';
import type { Poll, Settle } from './input';
import { limitMemory, OLD, type TriggerState } from './state';

/**
 * Returns tickets whose wait is over: new ones first, then reminders that are due. It reads all of them, the newest first,
 * because a ticket may begin to match late. `seen` has the minutes that a ticket had waited when it was returned last.
 */
export async function pollWaiting(poll: Poll, before: TriggerState): Promise<Settle> {
	const { delay = 0, repeat = 0, dueMs = poll.startMs } = poll.wait ?? {};
	const bounds = { direction: 'desc', from: dueMs, to: before.floorMs, max: MAX_READ } as const;
	const { changes, endMs = dueMs, failure, isPartial } = await readChanges(poll, bounds);
	// At the maximum the floor rises above the oldest ticket that was read. A late poll keeps it, because the next may read further.
	const isFull = isPartial === true && !poll.isLate();
	const floorMs = isFull ? endMs + 1 : before.floorMs;
	// Another poll may have returned tickets during the read, so `seen` is the newest one.
	return ({ seen } = before) => {
		const minutesWaited = ({ atMs }: Change): number => (poll.startMs - atMs) / MINUTE_MS;
		/** The minutes since a ticket was returned last, or since its wait was over. */
		const minutesSinceReturn = (change: Change): number =>
			minutesWaited(change) - (seen[change.key] ?? delay);
		const isSeen = ({ key }: Change): boolean => seen[key] !== undefined;
		// OLD tickets waited before the trigger began, so there is no reminder of them.
		const isDue = (change: Change): boolean =>
			!isSeen(change) ||
			(seen[change.key] !== OLD && repeat > 0 && minutesSinceReturn(change) >= repeat);
		const due = sortBy(changes.filter(isDue), [isSeen, (one) => -minutesSinceReturn(one)]);
		const fresh = due.slice(0, poll.maxTickets);
		const returned = Object.fromEntries(
			fresh.map((one) => [one.key, Math.floor(minutesWaited(one))]),
		);
		const kept = limitMemory({ ...seen, ...returned }, floorMs);
		return {
			fresh: fresh.map(({ ticket }) => ticket),
			...(failure && { failure }),
			after: { cursorMs: dueMs, ...kept, isCrowded: kept.floorMs > before.floorMs },
		};
	};
}
