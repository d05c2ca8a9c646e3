import sortBy from 'lodash/sortBy';
import { MINUTE_MS } from '../../core/time';
import type { Change, ChangesRead } from './changes';
import { readChanges } from './changes';
import type { Poll, Settle } from './input';
import type { TriggerState } from './state';
import { limitMemory, OLD } from './state';

/** The most tickets whose wait is over that are read and remembered. */
const MAX_WAITING = 5_000;

/** The latest time of a ticket whose wait is over. */
export const dueMs = ({ wait }: Pick<Poll, 'wait'>, nowMs: number): number =>
	nowMs - (wait?.delay ?? 0) * MINUTE_MS;

/** The first poll: tickets whose wait is over are old, with their reminders. */
export async function beginWaiting(poll: Poll): Promise<Settle> {
	const { changes, failure, floorMs } = await readWaiting(poll, 0);
	if (failure) return () => ({ fresh: [], failure });
	const memory = Object.fromEntries(changes.map(({ key }) => [key, OLD]));
	const after = { cursorMs: dueMs(poll, poll.startMs), ...limitMemory(memory, floorMs) };
	return () => ({ fresh: [], after, reports: floorMs > 0 ? ['waiting'] : [] });
}

/** Reads the tickets whose wait is over, newest first, because the memory is limited. */
async function readWaiting(
	poll: Poll,
	floorMs: number,
): Promise<ChangesRead & { readonly floorMs: number }> {
	const bounds = {
		direction: 'desc',
		from: dueMs(poll, poll.startMs),
		...(floorMs > 0 && { to: floorMs }),
	} as const;
	const { changes, ...read } = await readChanges(poll, bounds, MAX_WAITING);
	const oldestMs = changes.length < MAX_WAITING ? 0 : (changes.at(-1)?.atMs ?? 0);
	return {
		...read,
		changes: changes.filter(({ ticket }) => poll.applies(ticket)),
		floorMs: Math.max(floorMs, oldestMs),
	};
}

/** Returns tickets whose wait is over: new ones first, then reminders that are due. */
export async function pollWaiting(poll: Poll, before: TriggerState): Promise<Settle> {
	const { changes, failure, floorMs } = await readWaiting(poll, before.floorMs);
	const { delay = 0, repeat = 0 } = poll.wait ?? {};
	return ({ seen } = before) => {
		/** The minutes since a ticket was due last: after the wait, then after each reminder. */
		const minutesSinceDue = ({ atMs, key }: Change): number =>
			(poll.startMs - atMs) / MINUTE_MS - (seen[key] ?? delay);
		const isReminder = ({ key }: Change): boolean => seen[key] !== undefined;
		const isDue = (change: Change): boolean =>
			!isReminder(change) ||
			(seen[change.key] !== OLD && repeat > 0 && minutesSinceDue(change) >= repeat);
		/** Rounded, so a late reminder is not followed by the next one at once. */
		const dueMinutes = (change: Change): number => {
			const repeats = repeat > 0 ? Math.round(minutesSinceDue(change) / repeat) : 0;
			return (seen[change.key] ?? delay) + repeat * Math.max(0, repeats);
		};
		const due = sortBy(changes.filter(isDue), [isReminder, (one) => -minutesSinceDue(one)]);
		const fresh = due.slice(0, poll.maxTickets);
		const returned = Object.fromEntries(fresh.map((one) => [one.key, dueMinutes(one)]));
		const kept = limitMemory({ ...seen, ...returned }, floorMs);
		return {
			fresh: fresh.map(({ ticket }) => ticket),
			...(failure && { failure }),
			after: { cursorMs: dueMs(poll, poll.startMs), ...kept },
			reports: kept.floorMs > before.floorMs ? ['waiting'] : [],
		};
	};
}
