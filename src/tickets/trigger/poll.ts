import type { CallError } from '../../core/client';
import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import type { Query } from '../search/query';
import type { PageReader } from '../service/fetchPage';
import { fetchPage } from '../service/fetchPage';
import type { Ticket } from '../ticket';
import { readTime } from './changes';
import type { Poll, Settle, TriggerContext } from './input';
import { readTriggerInput } from './input';
import { beginChanges, pollChanges } from './pollChanges';
import { beginWaiting, pollWaiting } from './pollWaiting';
import { malformedRows, noteReports, reports } from './reports';
import type { ServiceClock } from './serviceClock';
import { pollClient } from './serviceClock';
import type { TriggerState } from './state';
import { loadState } from './state';

/** What a poll needs from its host; `save` keeps what `load` gives back at the next poll, as JSON. */
export interface PollContext extends TriggerContext {
	/** How long a poll may take. */
	readonly budgetMs: number;
	readonly load: () => unknown;
	readonly save: (state: TriggerState) => void;
	/** Tells the user what does not stop the trigger. */
	readonly report?: (message: string) => void;
}

/** The share of its time after which a poll ends with what it has. */
const LATE = 0.8;

/** Gives the tickets that the event happened to since the last poll, each change once (interface: POST /tickets/search; there are no webhooks). */
export async function poll(
	parameters: unknown,
	context: PollContext,
): Promise<Result<readonly Ticket[]>> {
	const loaded = context.load();
	const last = loadState(loaded);
	const started = readTriggerInput(parameters, context);
	if (!started.ok) return started;
	const { fingerprint } = started.value;
	const before = last?.fingerprint === fingerprint ? last : undefined;
	const startMs = context.now();
	const clock: ServiceClock = { aheadMs: before?.aheadMs ?? 0 };
	const client = pollClient(context.client, clock, {
		now: context.now,
		endMs: startMs + context.budgetMs,
	});
	const { known } = started.value.reader;
	known.dialect = before?.dialect ?? known.dialect;
	const newest = await readNewest({ ...started.value.reader, client }, before);
	if (!newest.ok) return newest;
	// What is relative to now goes by the clock of the service, which is known by now.
	const read = readTriggerInput(parameters, context, clock.aheadMs);
	if (!read.ok) return read;
	const input = read.value;
	const reader: PageReader = { ...input.reader, client, known };
	const work = async (): Promise<Settle> => {
		const nowMs = startMs + clock.aheadMs;
		const isLate = () => context.now() >= startMs + LATE * context.budgetMs;
		const running: Poll = { ...input, reader, startMs, nowMs, isLate };
		if (input.wait) return before ? pollWaiting(running, before) : beginWaiting(running);
		return before ? pollChanges(running, before) : beginChanges(running, newest.value);
	};
	const { aheadMs } = clock;
	const first = await work();
	// The clock of the service went back, as its responses show, so it is looked at again from there.
	const settle = clock.aheadMs < aheadMs - input.overlapMs ? await work() : first;
	// From here to the end nothing is waited for, so two polls cannot settle at once.
	const now = loadState(context.load());
	const saved = now?.fingerprint === fingerprint ? now : undefined;
	const { fresh, failure, after, malformed = [], told = [] } = settle(saved);
	if (failure && fresh.length === 0) return fail(failure);
	if (after === undefined) return ok([]);
	const all = new Map([
		...malformedRows(malformed, input.column),
		...[...told, ...(last || loaded === undefined ? [] : (['damaged'] as const))].map(
			(key) => [key, reports[key]] as const,
		),
	]);
	context.save({
		fingerprint,
		...after,
		aheadMs: clock.aheadMs,
		polledMs: startMs,
		reported: noteReports(saved?.reported ?? [], all, context.report),
		dialect: reader.known.dialect,
	});
	return ok(fresh.map(input.toOutput));
}

/** The service's clock, and the time of its newest ticket: what changed by then is old. Only the first poll has to ask. */
async function readNewest(
	reader: PageReader,
	before?: TriggerState,
): Promise<Result<number | undefined, CallError>> {
	if (before) return ok(undefined);
	const all: Query = {
		filters: { updatedAt: { isNotNull: true } },
		sort: [{ column: 'updatedAt', direction: 'desc' }],
		select: ['id', 'ticketNumber', 'updatedAt'],
	};
	// A whole page, so it shows whether the service sorts, and one ticket that is not hidden.
	const span = { limit: reader.pageSize, offset: 0 };
	const page = await fetchPage(all, span, { ...reader, filters: {} });
	if (!page.ok) return page;
	if (reader.known.ignored.has('sort')) return ok(undefined);
	const times = page.value.data.flatMap((row) => readTime(row['updatedAt']) ?? []);
	return ok(times.length > 0 ? Math.max(...times) : undefined);
}

/** Gives the newest ticket that the event happened to, and changes nothing. */
export async function readSample(
	parameters: unknown,
	context: TriggerContext,
): Promise<Result<readonly Ticket[]>> {
	const read = readTriggerInput(parameters, context);
	if (!read.ok) return read;
	const { query, column, reader, toOutput, applies } = read.value;
	const filters = { ...query.filters, [column]: { isNotNull: true, ...query.filters[column] } };
	const sort = [{ column, direction: 'desc' as const }];
	const span = { limit: reader.pageSize, offset: 0 };
	const page = await fetchPage({ ...query, filters, sort }, span, reader);
	return page.ok ? ok(page.value.data.filter(applies).slice(0, 1).map(toOutput)) : page;
}
