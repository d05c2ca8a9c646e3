import type { Client } from '../../core/client';
import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import type { PageReader } from '../service/fetchPage';
import { fetchPage } from '../service/fetchPage';
import type { Ticket } from '../ticket';
import { withTimes } from './changes';
import type { Poll, TriggerContext } from './input';
import { readTriggerInput } from './input';
import { beginChanges, pollChanges } from './pollChanges';
import { beginWaiting, dueMs, pollWaiting } from './pollWaiting';
import type { Report, TriggerState } from './state';
import { readState, reports } from './state';

/** What a poll needs from its host; `save` keeps what `load` returns at the next poll, as JSON. */
export interface PollContext extends TriggerContext {
	/** How long a poll may take. */
	readonly budgetMs: number;
	readonly load: () => unknown;
	readonly save: (state: TriggerState) => void;
	/** Shows the user something that does not stop the trigger. */
	readonly report?: (message: string) => void;
}

/** The share of its time after which a poll ends with what it has. */
const LATE = 0.8;

/**
 * Returns the tickets to which the event happened since the last poll, each change once (interface: POST /tickets/search).
 *
 * State: `cursorMs` is the latest time of a ticket that came, `seen` the changes since the cursor minus the overlap that
 * were returned or are old, `floorMs` the time before which all is old. A poll that fails before its first ticket leaves
 * the state as it was. Another event, filter or service begins anew; so does a damaged state, which is reported.
 */
export async function poll(
	parameters: unknown,
	context: PollContext,
): Promise<Result<readonly Ticket[]>> {
	const read = readTriggerInput(parameters, context);
	if (!read.ok) return read;
	const input = read.value;
	const { watching, wait } = input;
	const loaded = context.load();
	const last = readState(loaded);
	const before = last?.watching === watching ? last : undefined;
	const startMs = context.now();
	const spelling: PageReader['spelling'] = {
		current: before?.spelling ?? 'formal',
		isSettled: false,
	};
	const client = boundedClient(context, startMs + context.budgetMs);
	const isLate = (): boolean => context.now() >= startMs + LATE * context.budgetMs;
	const running: Poll = {
		...input,
		reader: { ...input.reader, client, spelling },
		startMs,
		isLate,
	};
	const begin = wait ? beginWaiting : beginChanges;
	const pollNext = wait ? pollWaiting : pollChanges;
	const settle = before ? await pollNext(running, before) : await begin(running);
	// From here to the end nothing is waited for, so two polls cannot settle at once.
	const now = readState(context.load());
	const current = now?.watching === watching ? now : undefined;
	const { fresh, failure, after, reports: more = [] } = settle(current);
	if (failure && fresh.length === 0) return fail(failure);
	if (after === undefined) return ok([]);
	const isDamaged = last === undefined && loaded !== undefined;
	const reported: Report[] = isDamaged ? ['damaged', ...more] : [...more];
	for (const name of reported)
		if (current?.reported.includes(name) !== true) context.report?.(reports[name]);
	context.save({ watching, ...after, reported, spelling: spelling.current });
	return ok(fresh.map(input.toOutput));
}

/** The least time for a response, in ms, however little of the poll is left. */
const MIN_TIMEOUT_MS = 1_000;

/** The share of the remaining time for one attempt, which leaves time for another. */
const ATTEMPT_SHARE = 0.45;

/** A client none of whose requests outlasts the poll. */
function boundedClient({ client, now }: PollContext, endMs: number): Client {
	return {
		...client,
		call: async (request, ...more) => {
			const shareMs = Math.max(MIN_TIMEOUT_MS, Math.round(ATTEMPT_SHARE * (endMs - now())));
			const timeoutMs = Math.min(request.timeoutMs ?? Infinity, shareMs);
			const deadlineMs = Math.max(now(), endMs - timeoutMs);
			return await client.call({ ...request, timeoutMs, deadlineMs }, ...more);
		},
	};
}

/** Returns the newest ticket to which the event happened, for a manual test; changes nothing. */
export async function readSample(
	parameters: unknown,
	context: TriggerContext,
): Promise<Result<readonly Ticket[]>> {
	const read = readTriggerInput(parameters, context);
	if (!read.ok) return read;
	const { query, column, reader, toOutput, applies, wait } = read.value;
	const latest = new Date(dueMs({ ...(wait && { wait }) }, context.now())).toISOString();
	const filters = withTimes(query.filters, column, {
		isNotNull: true,
		...(wait && { lte: latest }),
	});
	const sort = [{ column, direction: 'desc' as const }];
	const span = { limit: reader.pageSize, offset: 0 };
	const page = await fetchPage({ ...query, filters, sort }, span, reader);
	return page.ok ? ok(page.value.data.filter(applies).slice(0, 1).map(toOutput)) : page;
}
