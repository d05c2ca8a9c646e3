import { z } from 'zod/v4';
import { memorySchema } from './memory';

/** A time in ms that a date can show, also some days before and after it. */
const time = z.number().min(-8.63e15).max(253_402_300_799_999);

/** The longest overlap is a day; what is old does not reach further beyond what was read. */
const MAX_AHEAD_MS = 2 * 86_400_000;

/** How far a trigger has come, in ms of the service's clock: up to `cursorMs` all was read, from `floorMs` on what is old or was handed out is remembered, and before it all is old. */
const stateSchema = z
	.object({
		/** What the trigger watches; for anything else it begins anew. */
		fingerprint: z.string(),
		cursorMs: time,
		floorMs: time,
		seen: memorySchema,
		/** How far the service's clock was ahead of ours, and the time of the last poll by ours. */
		aheadMs: time,
		polledMs: time,
		/** What was reported already. */
		reported: z.array(z.string()),
		/** How the service wants sort rules and columns written, as the last poll found out. */
		dialect: z
			.object({ sort: z.enum(['field', 'column']), select: z.enum(['object', 'list']) })
			.optional(),
	})
	.refine(({ cursorMs, floorMs }) => floorMs <= cursorMs + MAX_AHEAD_MS);

/** How far a trigger has come, as it is saved. */
export type TriggerState = z.infer<typeof stateSchema>;

/** What the last poll left behind, where it is not damaged. */
export const loadState = (saved: unknown): TriggerState | undefined =>
	stateSchema.safeParse(saved).data;
