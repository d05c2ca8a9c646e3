import { z } from 'zod/v4';
import { memorySchema } from './memory';

/** A time in ms that a date can show, with days to spare on both sides. */
const time = z.number().min(-8.63e15).max(253_402_300_799_999);

/** The saved state of a trigger. */
const stateSchema = z.object({
	/** The event, filter and service that it watches. */
	watching: z.string(),
	/** The latest time of a ticket that came: the next poll reads from there, minus the overlap. */
	cursorMs: time,
	/** Tickets before this time are old. */
	floorMs: time,
	seen: memorySchema,
	/** What was reported already. */
	reported: z.array(z.string()),
	spelling: z.enum(['formal', 'narrative']),
});

/** The saved state of a trigger. */
export type TriggerState = z.infer<typeof stateSchema>;

/** Reads a saved state; undefined if it is damaged. */
export const readState = (saved: unknown): TriggerState | undefined =>
	stateSchema.safeParse(saved).data;
