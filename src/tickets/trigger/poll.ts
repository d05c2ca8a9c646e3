import { fail, ok, type Result } from '../../core/result';
import { addBounds } from '../filters/combine';
import { fetchPage } from '../service/fetchPage';
import type { Ticket } from '../ticket';
import { pollFirst } from './firstPoll';
import { beginPoll, type TriggerContext } from './input';
import { pollChanges } from './pollChanges';
import { pollWaiting } from './pollWaiting';
import { readTriggerState, type TriggerState } from './state';

/** The host of a poll. `save` stores the state as JSON, and `load` returns it at the next poll. */
export interface PollContext extends TriggerContext {
	readonly load: () => unknown;
	readonly save: (state: TriggerState) => void;
	/** Shows the user something that does not stop the trigger. */
	readonly report?: (message: string) => void;
}

const DAMAGED =
	'The saved state of the trigger is damaged, so it starts over. Tickets that changed since the last poll can be missed';
const CROWDED =
	'There are too many tickets to remember all of them, so the oldest ones can be missed. Narrow the filters, for example with Closed At Is Not Set, or shorten Look Back';

/**
 * Returns the tickets to which the event happened since the last poll, each change once (interface: POST /tickets/search).
 *
 * `cursorMs` is the latest time of a ticket that was returned or is old. All changes before `floorMs` are old. `seen` has the
 * changes since the cursor minus the overlap that were returned or are old. A poll that fails before its first ticket leaves
 * the state unchanged. In a crowded state, `seen` cannot hold all changes. Another event, filter or service starts over. So does a damaged state, which is reported.
 */
export async function poll(
	parameters: unknown,
	context: PollContext,
): Promise<Result<readonly Ticket[]>> {
	const begun = beginPoll(parameters, context);
	if (!begun.ok) return begun;
	const { watching, wait, toOutput } = begun.value;
	/** The saved state; undefined if it is damaged, or of another event, filter or service. */
	const loadState = (): TriggerState | undefined => {
		const state = readTriggerState(context.load());
		return state?.watching === watching ? state : undefined;
	};
	const before = loadState();
	const isDamaged = context.load() !== undefined && !readTriggerState(context.load());
	const pollNext = wait ? pollWaiting : pollChanges;
	const settle = await (before ? pollNext(begun.value, before) : pollFirst(begun.value));
	// From here to the end nothing is awaited, so two polls cannot settle at once.
	const current = loadState();
	const { fresh, failure, after } = settle(current);
	// Tickets before a failure are returned. If it lasts, the next poll returns it. Only a first poll that failed without tickets has no `after`, and ends here.
	if (failure && fresh.length === 0) return fail(failure);
	if (after === undefined) return ok([]);
	if (isDamaged) context.report?.(DAMAGED);
	if (after.isCrowded && current?.isCrowded !== true) context.report?.(CROWDED);
	context.save({ watching, ...after });
	return ok(fresh.map(toOutput));
}

/** Returns the newest ticket of the first page to which the event happened, for a manual test. Saves nothing. */
export async function readSample(
	parameters: unknown,
	context: TriggerContext,
): Promise<Result<readonly Ticket[]>> {
	const begun = beginPoll(parameters, context);
	if (!begun.ok) return begun;
	const { query, column, reader, toOutput, applies, wait } = begun.value;
	const bounds = { isNotNull: true, ...(wait && { lte: new Date(wait.dueMs).toISOString() }) };
	const filters = { ...query.filters, [column]: addBounds(query.filters[column], bounds) };
	const sort = [{ column, direction: 'desc' as const }];
	const span = { limit: reader.pageSize, offset: 0 };
	const page = await fetchPage({ ...query, filters, sort }, span, reader);
	// `applies` may reject the first tickets of the page.
	return page.ok ? ok(page.value.data.filter(applies).slice(0, 1).map(toOutput)) : page;
}
