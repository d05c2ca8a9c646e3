import { createHash } from 'crypto';
import get from 'lodash/get';
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

/** A hash of the event, the filter as it was entered, and the service; another one starts the trigger anew. */
export function watchingHash(
	{ event, filterMode }: { readonly event: string; readonly filterMode: string },
	entered: unknown,
	service: readonly string[],
): string {
	const filter: unknown =
		filterMode === 'json' ? get(entered, 'filtersJson') : get(entered, 'filters.conditions', []);
	const watched = JSON.stringify([event, filter, ...service]);
	return createHash('sha256').update(watched).digest('base64url').slice(0, 22);
}

/** Conditions that do not stop a trigger but concern the user. */
export const reports = {
	damaged:
		'The saved state of the trigger is damaged, so it starts over. Tickets that changed since the last poll can be missed.',
	overlap:
		'Too many tickets changed to cover the whole Overlap. Tickets that the service shows late can be missed. Shorten Overlap or narrow the filters.',
	waiting:
		'Too many tickets wait to remember all of them, so the oldest are ignored. Narrow the filters, for example with Closed At Is Not Set.',
} as const;

/** The name of a report. */
export type Report = keyof typeof reports;
