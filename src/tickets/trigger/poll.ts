import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import { fetchPage } from '../service/fetchPage';
import type { Ticket } from '../ticket';
import { withTimes } from './changes';
import type { TriggerContext } from './input';
import { beginPoll } from './input';
import { beginChanges, pollChanges } from './pollChanges';
import { beginWaiting, dueMs, pollWaiting } from './pollWaiting';
import type { Report, TriggerState } from './state';
import { readTriggerState, reports } from './state';

/** The host of a poll. `save` stores the state as JSON, and `load` returns it at the next poll. */
export interface PollContext extends TriggerContext {
	readonly load: () => unknown;
	readonly save: (state: TriggerState) => void;
	/** Shows the user something that does not stop the trigger. */
	readonly report?: (message: string) => void;
}

/**
 * Returns the tickets to which the event happened since the last poll, each change once (interface: POST /tickets/search).
 *
 * `cursorMs` is the latest time of a ticket that came, and all changes before `floorMs` are old. `seen` has the changes since
 * the cursor minus the overlap that were returned or are old. A poll that fails before its first ticket leaves the state
 * unchanged. Another event, filter or service starts over. So does a damaged state, which is reported.
 */
export async function poll(
	parameters: unknown,
	context: PollContext,
): Promise<Result<readonly Ticket[]>> {
	const begun = beginPoll(parameters, context);
	if (!begun.ok) return begun;
	const { watching, wait, reader, toOutput } = begun.value;
	const loaded = context.load();
	const last = readTriggerState(loaded);
	const before = last?.watching === watching ? last : undefined;
	reader.spelling.current = before?.spelling ?? 'formal';
	const start = wait ? beginWaiting : beginChanges;
	const pollNext = wait ? pollWaiting : pollChanges;
	const settle = before ? await pollNext(begun.value, before) : await start(begun.value);
	// From here to the end nothing is awaited, so two polls cannot settle at once.
	const latest = readTriggerState(context.load());
	const current = latest?.watching === watching ? latest : undefined;
	const { fresh, failure, after, reports: more = [] } = settle(current);
	if (failure && fresh.length === 0) return fail(failure);
	if (after === undefined) return ok([]);
	const isDamaged = last === undefined && loaded !== undefined;
	const reported: Report[] = isDamaged ? ['damaged', ...more] : [...more];
	for (const name of reported)
		if (current?.reported.includes(name) !== true) context.report?.(reports[name]);
	context.save({ watching, ...after, reported, spelling: reader.spelling.current });
	return ok(fresh.map(toOutput));
}

/** Returns the newest ticket to which the event happened, for a manual test; changes nothing. */
export async function readSample(
	parameters: unknown,
	context: TriggerContext,
): Promise<Result<readonly Ticket[]>> {
	const begun = beginPoll(parameters, context);
	if (!begun.ok) return begun;
	const { query, column, reader, toOutput, applies, wait, startMs } = begun.value;
	const latest = wait && new Date(dueMs(begun.value, startMs)).toISOString();
	const times = { isNotNull: true, ...(latest !== undefined && { lte: latest }) };
	const filters = withTimes(query.filters, column, times);
	const sort = [{ column, direction: 'desc' as const }];
	const span = { limit: reader.pageSize, offset: 0 };
	const page = await fetchPage({ ...query, filters, sort }, span, reader);
	return page.ok ? ok(page.value.data.filter(applies).slice(0, 1).map(toOutput)) : page;
}
