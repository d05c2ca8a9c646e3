import { z } from 'zod/v4';
import type { Change } from './changes';
import type { ChangeKey, SeenChanges } from './seenChanges';
import { byPosition, listChanges, packChanges, unpackChanges } from './seenChanges';

/**
 * How far a trigger has come, in ms of the service's clock: up to `cursorMs` all was read; what lies before `floor` is
 * old; `seen` holds the changes from there on that were handed out.
 */
export const watermarkSchema = z.object({
	/** What the trigger watches; for anything else it begins anew. */
	fingerprint: z.string(),
	cursorMs: z.number(),
	floor: z.object({ atMs: z.number(), number: z.number() }),
	seen: z.string(),
	/** How much the newest ticket was older than the service's clock, the least of all times. */
	gapMs: z.number(),
	/** How far the service's clock is ahead of ours, and when the gap was measured by ours. */
	aheadMs: z.number(),
	measuredMs: z.number(),
	/** What the service rounds down to in the times that it shows. */
	grainMs: z.number(),
	/** Where a poll that ran out of time goes on, and the time by which it began. */
	resume: z.object({ fromMs: z.number(), nowMs: z.number() }).optional(),
	/** What was reported already. */
	reported: z.array(z.string()),
	/** How the service wants sort rules and columns written, as the last poll found out. */
	spelling: z
		.object({ sort: z.enum(['field', 'column']), select: z.enum(['object', 'list']) })
		.optional(),
});

/** How far a trigger has come, as it is saved. */
export type Watermark = z.infer<typeof watermarkSchema>;

/** Below every ticket of a moment. */
export const NO_NUMBER = Number.MIN_SAFE_INTEGER;

/** The longest text of seen changes; n8n writes all of it to its database after each poll that found something. */
export const MAX_SEEN_CHARS = 56_000;

/** How to settle a poll, in ms of the service's clock. */
export interface SettleOptions {
	/** The service's clock when the poll began. */
	readonly clockMs: number;
	/** The time that all tickets have reached by then. */
	readonly nowMs: number;
	readonly overlapMs: number;
	/** The most changes to hand out. */
	readonly max: number;
}

/** What a poll read: whether that is all there is, and whether what is missing comes after what was read. */
export interface ReadSpan {
	readonly changes: readonly Change[];
	readonly isComplete: boolean;
	readonly isInOrder: boolean;
}

/** Tells whether a change is old or was dealt with before. */
export function knownTo({ floor, seen }: Watermark): (change: ChangeKey) => boolean {
	const moments = unpackChanges(seen) ?? new Map<number, ReadonlySet<number>>();
	return (change) =>
		byPosition(change, floor) < 0 || moments.get(change.atMs)?.has(change.number) === true;
}

/** The changes that were dealt with. */
export const seenBy = ({ seen }: Watermark): SeenChanges => unpackChanges(seen) ?? new Map();

/** What a poll ends in; `lostOverlap` where what it looks back at did not fit into the state. */
export interface Settled {
	readonly fresh: readonly Change[];
	readonly after: Watermark;
	readonly lostOverlap: boolean;
}

/**
 * Settles a poll: which of the changes are new, and the watermark after them. It moves only past what is handed out,
 * and never past the service's clock: a ticket dated in the future must not hide later ones.
 */
export function settlePoll(
	before: Watermark,
	{ changes, isComplete, isInOrder }: ReadSpan,
	{ clockMs, nowMs, overlapMs, max }: SettleOptions,
): Settled {
	const isKnown = knownTo(before);
	const unknown = changes.filter((change) => !isKnown(change)).sort(byPosition);
	const fresh = unknown.slice(0, max);
	const isCut = fresh.length < unknown.length;
	const last = isCut ? fresh.at(-1)?.atMs : changes.reduce(laterOf, before.cursorMs);
	const isAll = isComplete && !isCut;
	const reachedMs = isAll
		? Math.max(nowMs, last ?? nowMs)
		: isInOrder || isComplete
			? (last ?? before.cursorMs)
			: before.cursorMs;
	const cursorMs = Math.max(before.cursorMs, Math.min(reachedMs, clockMs));
	// Services that show whole seconds keep fractions.
	const lowestMs = Math.floor((cursorMs - overlapMs) / 1_000) * 1_000;
	const lowest = { atMs: Math.min(lowestMs, cursorMs), number: NO_NUMBER };
	const floor = byPosition(before.floor, lowest) > 0 ? before.floor : lowest;
	const remembered = [...listChanges(seenBy(before)), ...fresh]
		.filter((change) => byPosition(change, floor) >= 0)
		.sort(byPosition);
	const kept = fitting(remembered);
	const [oldest] = kept.keys;
	const lostOverlap = kept.keys.length < remembered.length;
	return {
		fresh,
		lostOverlap,
		after: {
			...before,
			cursorMs,
			floor: lostOverlap && oldest ? { atMs: oldest.atMs, number: oldest.number } : floor,
			seen: kept.text,
		},
	};
}

const laterOf = (ms: number, { atMs }: Change): number => Math.max(ms, atMs);

/** As many of the newest changes as fit into the state, and their text. */
function fitting(remembered: readonly ChangeKey[]): {
	readonly keys: readonly ChangeKey[];
	readonly text: string;
} {
	let keys = remembered;
	let text = packChanges(keys);
	while (text.length > MAX_SEEN_CHARS) {
		keys = keys.slice(Math.ceil(keys.length * (1 - (0.95 * MAX_SEEN_CHARS) / text.length)));
		text = packChanges(keys);
	}
	return { keys, text };
}
