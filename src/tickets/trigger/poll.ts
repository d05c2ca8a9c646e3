import { sortBy } from 'lodash';
import { fail, ok, type Result } from '../../core/result';
import type { ReadResult } from '../search/readInOrder';
import { readRange } from '../search/readRange';
import { parseTime, type Ticket } from '../ticket';
import {
	isNewTo,
	limitMemory,
	readFirstState,
	readTriggerState,
	toChanges,
	toMemory,
	type TriggerState,
} from './changes';
import { beginPoll, type Poll, type PollContext } from './input';

const DAMAGED =
	'The saved state of the trigger is damaged, so it starts over. Tickets that changed since the last poll can be missed';
const CROWDED =
	'There are too many tickets to remember all of them, so the oldest ones can be missed. Narrow the filters, for example with Closed At Is Not Set, or shorten Look Back';

/** Returns tickets of an event since the last poll, each change once (interface: POST /tickets/search). Without a state, saves one. */
export async function poll(
	parameters: unknown,
	context: PollContext,
): Promise<Result<readonly Ticket[]>> {
	const begun = beginPoll(parameters, context);
	if (!begun.ok) return begun;
	const { watching, maxTickets, startMs } = begun.value;
	const before = loadState(begun.value, context);
	if (!before) return await startOver(begun.value, context);
	const { read, isStuck } = await readFromFloor(begun.value, before);
	// Another poll may have saved a newer state, and returned some changes. From here on none can, because nothing is awaited.
	const current = loadState(begun.value, context) ?? before;
	// Sorted, because tickets that became visible during the read may follow later ones.
	const unseen = sortBy(toChanges(begun.value, read.rows).filter(isNewTo(current)), 'atMs');
	const fresh = unseen.slice(0, maxTickets);
	// Tickets before a failure are returned. If the failure lasts, the next poll returns it.
	if (read.failure && fresh.length === 0) return fail(read.failure);
	const quietSinceMs = fresh.length > 0 ? startMs : current.quietSinceMs; // The last time with a new change.
	// If there are too many changes, the next poll continues at the last returned one.
	const cutMs = fresh.length < unseen.length ? fresh.at(-1)?.atMs : undefined;
	const floorMs = findFloorMs(begun.value, read, { ...current, quietSinceMs, isStuck, cutMs });
	const kept = limitMemory({ ...current.seen, ...toMemory(fresh) }, floorMs);
	// Changes may be missed if the time ended before any new one (`isStuck`), or the full memory raised the floor.
	const isCrowded = isStuck || kept.floorMs > floorMs;
	if (isCrowded && !current.isCrowded) context.report?.(CROWDED);
	context.save({ watching, ...kept, quietSinceMs, isCrowded });
	return ok(fresh.map(({ ticket }) => begun.value.toOutput(ticket)));
}

/** Reads changes from the floor of a state, until enough are new or the time is over. */
async function readFromFloor(
	begun: Poll,
	state: TriggerState,
): Promise<{ readonly read: ReadResult; readonly isStuck: boolean }> {
	const { column, query, dueMs, maxTickets, reader, isLate } = begun;
	const newKeys = new Set<string>();
	const isEnough = (page: readonly Ticket[]): boolean => {
		for (const { key } of toChanges(begun, page).filter(isNewTo(state))) newKeys.add(key);
		return newKeys.size >= maxTickets || isLate();
	};
	const range = { column, direction: 'asc', min: state.floorMs, max: dueMs, isEnough } as const;
	const read = await readRange(query, range, reader);
	// A poll whose time ended before it found a new change is stuck. The next one begins where it ended.
	return { read, isStuck: read.isPartial === true && newKeys.size === 0 };
}

/** Returns the time in ms from which the next poll reads. Of too many changes, those until `cutMs` were returned. */
function findFloorMs(
	{ column, dueMs, overlapMs, startMs }: Poll,
	{ rows, failure, isPartial }: ReadResult,
	state: TriggerState & { readonly isStuck: boolean; readonly cutMs: number | undefined },
): number {
	const lastMs = Math.min(parseTime(rows.at(-1)?.[column]) ?? -Infinity, dueMs ?? Infinity);
	const isComplete = !failure && !isPartial;
	// With a wait, a complete read covers all times up to `dueMs`, even if it found no tickets.
	const readUpToMs = isComplete ? (dueMs ?? lastMs) : lastMs;
	// A ticket dated in the future must not silence the trigger until then.
	const overlapStartMs = Math.min(state.cutMs ?? readUpToMs, startMs) - overlapMs;
	// After a quiet time longer than the overlap, no earlier change is expected. + 1 skips the last one, which is not new.
	const isQuiet = isComplete && startMs - state.quietSinceMs > overlapMs;
	const quietFloorMs = isQuiet ? Math.min(lastMs, startMs) + 1 : -Infinity;
	// The floor never decreases. A stuck poll found nothing new up to its last ticket, so the next one begins there.
	return Math.max(state.isStuck ? lastMs : state.floorMs, overlapStartMs, quietFloorMs);
}

/** Returns the newest ticket to which the event happened, from the first page, for a manual test. Saves nothing. */
export async function readSample(
	parameters: unknown,
	context: PollContext,
): Promise<Result<readonly Ticket[]>> {
	const begun = beginPoll(parameters, context);
	if (!begun.ok) return begun;
	const { query, column, dueMs, reader, applies, toOutput } = begun.value;
	const newest = { column, direction: 'desc', min: 0, max: dueMs, isEnough: () => true } as const;
	const { rows, failure } = await readRange(query, newest, reader);
	// `applies` may reject the first tickets of the page that was read.
	return failure ? fail(failure) : ok(rows.filter(applies).slice(0, 1).map(toOutput));
}

/** Returns the saved state; undefined without one, or if it is damaged or of another event, filter or service. */
function loadState({ watching }: Poll, context: PollContext): TriggerState | undefined {
	const state = readTriggerState(context.load());
	return state?.watching === watching ? state : undefined;
}

/** Saves a first state, unless another poll did. Warns if the old state is damaged or the first one crowded. */
async function startOver(begun: Poll, context: PollContext): Promise<Result<readonly Ticket[]>> {
	const old = context.load();
	const isDamaged = old !== undefined && !readTriggerState(old);
	const first = await readFirstState(begun);
	if (!first.ok) return first;
	// Another poll may have saved a state meanwhile.
	if (loadState(begun, context)) return ok([]);
	if (isDamaged) context.report?.(DAMAGED);
	if (first.value.isCrowded) context.report?.(CROWDED);
	context.save(first.value);
	return ok([]);
}
