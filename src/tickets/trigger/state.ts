import { createHash } from 'crypto';
import { z } from 'zod/v4';
import { isRecord, parsedOrSame } from '../../core/json';
import { chosenValue } from '../../core/schemas';
import { memorySchema } from './memory';

/** A time in ms that a date can show. */
const time = z.number().min(-8.64e15).max(253_402_300_799_999);

/**
 * How far a trigger has come, in ms of the service's clock: up to `cursorMs` all was read; from `floorMs` on it is
 * remembered what was handed out or old, and what lies before is old.
 */
export const stateSchema = z.object({
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
});

/** The longest overlap is a day; what is old does not reach further beyond what was read. */
const MAX_AHEAD_MS = 2 * 86_400_000;

const isSound = ({ cursorMs, floorMs }: TriggerState): boolean =>
	floorMs <= cursorMs + MAX_AHEAD_MS;

/** How far a trigger has come, as it is saved. */
export type TriggerState = z.infer<typeof stateSchema>;

/** What the last poll left behind, unless it is of another event, filter, workspace or address; says whether it was damaged. */
export function loadState(
	saved: unknown,
	fingerprint: string,
): { readonly state?: TriggerState; readonly isDamaged: boolean } {
	if (saved === undefined || saved === null) return { isDamaged: false };
	const { data } = stateSchema.safeParse(saved);
	if (data === undefined || !isSound(data)) return { isDamaged: true };
	return { isDamaged: false, ...(data.fingerprint === fingerprint && { state: data }) };
}

/** How many minutes a unit has. */
export const units = { minutes: 1, hours: 60, days: 1_440 } as const;

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
	isRecord(value) ? value : {};

/** Says what a trigger watches, by its parameters as they were entered: expressions give new values with each poll. */
export function fingerprintOf(parameters: unknown, service: readonly string[]): string {
	const { event, waitFor, waitUnit, filterMode, filters, filtersJson, options } =
		membersOf(parameters);
	const { emptyValue, repeatEvery, repeatUnit } = membersOf(options);
	// An expression may stand in place of all conditions.
	const conditions =
		typeof filters === 'string' ? filters : (membersOf(filters)['conditions'] ?? []);
	const isWaiting = event === 'notAnswered' || event === 'customerWaiting';
	const repeats = [lengthOf(repeatEvery ?? 0, repeatUnit)];
	const watched = [
		event,
		valuesIn(filterMode === 'json' ? parsedOrSame(filtersJson) : conditions),
		emptyValue ?? 'stop',
		...(isWaiting ? [lengthOf(waitFor ?? 60, waitUnit), ...repeats] : []),
		...(event === 'snoozeOver' ? repeats : []),
		...service,
	];
	return createHash('sha256').update(JSON.stringify(watched)).digest('base64url').slice(0, 22);
}

/** A length of time in minutes, however it was entered. */
const lengthOf = (count: unknown, unit: unknown = 'minutes'): unknown => {
	const minutes = (units as Readonly<Record<string, number>>)[String(unit)];
	return typeof count === 'number' && minutes !== undefined ? count * minutes : [count, unit];
};

/** What was entered, without the labels of choices, the order of members and what is empty. */
function valuesIn(value: unknown): unknown {
	const chosen = chosenValue(value);
	if (Array.isArray(chosen)) return chosen.map(valuesIn);
	if (typeof chosen !== 'object' || chosen === null) return chosen;
	const members = Object.entries(chosen).sort(([a], [b]) => (a < b ? -1 : 1));
	return members.map(([name, member]) => [name, valuesIn(member)]);
}
