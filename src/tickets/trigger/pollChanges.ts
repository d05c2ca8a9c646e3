import { readChanges, type Change } from './changes';
import type { Poll, Settle } from './input';
import { limitMemory, OLD, type TriggerState } from './state';

/** Reads the changes since the cursor minus the overlap. The returned function keeps those new to the state that another poll may have saved meanwhile. */
export async function pollChanges(poll: Poll, before: TriggerState): Promise<Settle> {
	const { overlapMs, maxTickets, startMs } = poll;
	// A change within the overlap may have become visible late. All changes before the floor are old.
	const fromMs = Math.max(before.floorMs, before.cursorMs - overlapMs);
	// Remembered changes are read again, so they do not count.
	const max = Object.keys(before.seen).length + maxTickets;
	const bounds = { direction: 'asc', from: fromMs, max } as const;
	const { changes, failure, isPartial } = await readChanges(poll, bounds);
	const lastMs = changes.at(-1)?.atMs ?? -Infinity;
	// A poll without time may stop after only known changes. The next one begins at the last, because it would stop there again.
	const isStuck = isPartial === true && poll.isLate() && !changes.some(isNewTo(before));
	return (current = before) => {
		const unseen = changes.filter(isNewTo(current));
		const fresh = unseen.slice(0, maxTickets);
		const returnedUpToMs =
			fresh.length < unseen.length ? (fresh.at(-1)?.atMs ?? -Infinity) : lastMs;
		// A ticket dated in the future must not silence the trigger until then.
		const cursorMs = Math.max(current.cursorMs, Math.min(returnedUpToMs, startMs));
		// A floor above the overlap makes the state crowded, because changes that become visible late may be missed.
		const nextFloorMs = Math.max(isStuck ? lastMs : current.floorMs, cursorMs - overlapMs);
		const returned = Object.fromEntries(fresh.map(({ key }) => [key, OLD]));
		const kept = limitMemory({ ...current.seen, ...returned }, nextFloorMs);
		return {
			fresh: fresh.map(({ ticket }) => ticket),
			...(failure && { failure }),
			after: { cursorMs, ...kept, isCrowded: isStuck || kept.floorMs > nextFloorMs },
		};
	};
}

/** Whether a change is new to a state: at or after its floor, and not in its memory yet. */
const isNewTo =
	({ seen, floorMs }: TriggerState) =>
	({ atMs, key }: Change): boolean =>
		atMs >= floorMs && !Object.hasOwn(seen, key);
