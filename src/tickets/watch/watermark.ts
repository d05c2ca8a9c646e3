import { z } from 'zod/v4';
import type { Change } from './change';

/**
 * How far a trigger has come, in ms of the service's clock: `cursor` is the newest time that was dealt with; below
 * `floor` nothing is looked at any more; `seen` holds the changes from there on, by their keys with their times.
 */
export const watermarkSchema = z.object({
	column: z.string(),
	cursor: z.number(),
	floor: z.number(),
	seen: z.record(z.string(), z.number()),
	/** How the service wants sort rules and columns written, as the last poll found out. */
	spelling: z
		.object({ sort: z.enum(['field', 'column']), select: z.enum(['object', 'list']) })
		.optional(),
});

/** How far a trigger has come. */
export type Watermark = z.infer<typeof watermarkSchema>;

/** The most changes that are remembered, about 30 bytes each; above it the overlap becomes shorter. */
export const MOST_SEEN = 10_000;

/** How a poll is settled: `now` is our own clock at its start, `overlap` is in ms. */
export interface Terms {
	readonly now: number;
	readonly overlap: number;
	/** The most changes to hand out. */
	readonly most: number;
}

/** Whether a change was dealt with before. */
export const isKnown = ({ floor, seen }: Watermark, { key, at }: Change): boolean =>
	at < floor || Object.hasOwn(seen, key);

/**
 * Settles a poll: which of the changes (in the order of their times) are new, and the watermark after them. It moves
 * only past what is handed out, and never past our own clock: a ticket dated in the future must not hide later ones.
 */
export function settlePoll(
	before: Watermark,
	changes: readonly Change[],
	{ now, overlap, most }: Terms,
): { readonly fresh: readonly Change[]; readonly after: Watermark } {
	const unknown = changes.filter((change) => !isKnown(before, change));
	const fresh = unknown.slice(0, most);
	const reached = (fresh.length < unknown.length ? fresh : changes).at(-1)?.at ?? before.cursor;
	const cursor = Math.max(before.cursor, Math.min(reached, now));
	const added = fresh.map(({ key, at }) => [key, at] as const);
	const remembered = [...Object.entries(before.seen), ...added];
	const least = Math.max(before.floor, cursor - overlap);
	const floor = Math.min(cursor, floorFor(remembered, least));
	const seen = Object.fromEntries(remembered.filter(([, at]) => at >= floor));
	return { fresh, after: { ...before, cursor, floor, seen } };
}

/** The floor above which no more than `MOST_SEEN` changes are remembered; those of one moment stay together. */
function floorFor(remembered: ReadonlyArray<readonly [string, number]>, floor: number): number {
	const times = remembered.map(([, at]) => at).filter((at) => at >= floor);
	if (times.length <= MOST_SEEN) return floor;
	times.sort((a, b) => b - a);
	return times[MOST_SEEN - 1] ?? floor;
}
