import omit from 'lodash/omit';
import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import { MINUTE_MS } from '../../core/schedule';
import type { CallError } from '../../core/client';
import type { Query } from '../search/query';
import type { PageReader } from '../search/fetchPage';
import { fetchPage, ignoredFilter } from '../search/fetchPage';
import { unmatchedColumn } from '../search/checkRows';
import { withCheckedColumns } from '../search/neededColumns';
import type { Ticket } from '../ticket';
import type { Change } from './changes';
import { changeOf } from './changes';
import type { TriggerContext, TriggerInput } from './input';
import { fingerprintOf, readTriggerInput } from './input';
import type { ChangesResult } from './readChanges';
import { readChanges } from './readChanges';
import type { ServiceClock } from './serviceClock';
import { pollClient } from './serviceClock';
import type { Settled, Watermark } from './watermark';
import { knownTo, NO_NUMBER, seenBy, settlePoll, watermarkSchema } from './watermark';
import { noteReports } from './reports';

/** What a poll needs from its host; `save` keeps what `load` gives back at the next poll, as JSON. */
export interface PollContext extends TriggerContext {
	/** How long a poll may take. */
	readonly budgetMs: number;
	/** The parameters as they were entered, before expressions. */
	readonly entered?: unknown;
	/** The address and the workspace. */
	readonly service?: readonly string[];
	readonly load: () => unknown;
	readonly save: (state: Watermark) => void;
	/** Tells the user what does not stop the trigger. */
	readonly report?: (message: string) => void;
}

/** A poll in progress. */
interface Poll extends TriggerInput {
	readonly context: PollContext;
	readonly fingerprint: string;
	readonly clock: ServiceClock;
	/** From when on, by our clock, no further page is requested. */
	readonly lateMs: number;
	readonly startMs: number;
}

/** The share of its time after which a poll ends with what it has. */
const LATE = 0.8;

/**
 * Gives the tickets that the event happened to since the last poll, each change once; the first poll only notes where
 * to begin (interface: POST /tickets/search; there are no webhooks).
 */
export async function poll(
	parameters: unknown,
	context: PollContext,
): Promise<Result<readonly Ticket[]>> {
	const started = readTriggerInput(parameters, context);
	if (!started.ok) return started;
	const fingerprint = fingerprintOf(context.entered ?? parameters, context.service ?? []);
	const before = loadWatermark(context, fingerprint);
	const startMs = context.now();
	const clock = { aheadMs: before?.aheadMs ?? 0 };
	const time = { now: context.now, endMs: startMs + context.budgetMs };
	const { reader } = started.value;
	const running: Poll = {
		...started.value,
		reader: { ...reader, client: pollClient(context.client, clock, time) },
		context,
		fingerprint,
		clock,
		startMs,
		lateMs: startMs + LATE * context.budgetMs,
	};
	return before === undefined ? await begin(running) : await readSinceLastPoll(running, before);
}

/** What the last poll left behind; that of another event, filter, workspace or address is of no use. */
function loadWatermark({ load }: PollContext, fingerprint: string): Watermark | undefined {
	const state = watermarkSchema.safeParse(load()).data;
	return state?.fingerprint === fingerprint ? state : undefined;
}

/** How much older than the service's clock the newest ticket may be for its clock to count as known. */
const SMALL_GAP_MS = MINUTE_MS;
/** How long to wait before the gap is measured again, in ms. */
const MEASURE_EVERY_MS = 5 * MINUTE_MS;

/**
 * Measures how much older the newest of all tickets is than the service's clock. In a busy workspace that is nothing;
 * where the clock of the responses is not that of the tickets, it is how far it is ahead.
 */
async function measureGap(running: Poll, before?: Watermark): Promise<Result<number, CallError>> {
	const { clock, context, reader } = running;
	if (running.wait) {
		const all: Query = { filters: {}, sort: [], select: ['id'] };
		const page = before ? undefined : await fetchPage(all, { limit: 1, offset: 0 }, reader);
		return page === undefined || page.ok ? ok(0) : page;
	}
	const isDue =
		before === undefined ||
		(before.gapMs > SMALL_GAP_MS && context.now() - before.measuredMs >= MEASURE_EVERY_MS);
	if (!isDue) return ok(before.gapMs);
	const all: Query = { filters: {}, sort: [], select: ['id', 'updatedAt'] };
	const askedMs = context.now();
	const newest = await fetchNewest(all, { column: 'updatedAt', limit: 1 }, reader);
	if (!newest.ok) return newest;
	const [row] = newest.value;
	const newestMs = (row && changeOf({ ...row, ticketNumber: 0 }, 'updatedAt')?.atMs) ?? 0;
	const clockMs = askedMs + clock.aheadMs;
	return ok(Math.max(0, Math.min(before?.gapMs ?? Infinity, clockMs - newestMs)));
}

/** The most changes in the overlap of the first poll; where there are more, it begins without one. */
const MAX_AT_START = 5_000;

/**
 * Begins at the time that all tickets have reached: what matches in the overlap is noted as seen, so nothing old
 * comes out, and tickets that become visible late still do.
 */
async function begin(running: Poll): Promise<Result<readonly Ticket[]>> {
	const { context, reader, query, column, clock, fingerprint, startMs, overlapMs } = running;
	const gap = await measureGap(running);
	if (!gap.ok) return gap;
	const nowMs = startMs + clock.aheadMs - gap.value - (running.wait?.delayMs ?? 0);
	const fromMs = Math.max(0, Math.floor((nowMs - overlapMs) / 1_000) * 1_000);
	const start: Watermark = {
		fingerprint,
		cursorMs: nowMs,
		floor: { atMs: fromMs, number: NO_NUMBER },
		seen: '',
		gapMs: gap.value,
		aheadMs: clock.aheadMs,
		measuredMs: startMs,
		grainMs: 1,
		reported: [],
	};
	const slim = running.wait ? query : withCheckedColumns({ ...query, select: slimColumns(column) });
	const read = await readWindow(
		{ ...running, query: slim },
		start,
		(count) => count > MAX_AT_START,
	);
	if (read.failure) return fail(read.failure);
	const settled = read.isComplete
		? settle(running, start, { read, nowMs, max: Infinity })
		: { after: beginWithoutOverlap(start, read.changes, nowMs + context.now() - startMs) };
	context.save({ ...settled.after, grainMs: read.grainMs, spelling: reader.dialect });
	return ok([]);
}

const slimColumns = (column: TriggerInput['column']): Query['select'] => [
	'id',
	'ticketNumber',
	column,
];

/** There are too many tickets at the start to note all of them: what comes after them, and after now, counts. */
function beginWithoutOverlap(
	start: Watermark,
	changes: readonly Change[],
	nowMs: number,
): Watermark {
	const atMs = Math.max(nowMs, ...changes.slice(-1).map((change) => change.atMs)) + 1_000;
	return { ...start, cursorMs: atMs, floor: { atMs, number: NO_NUMBER } };
}

async function readSinceLastPoll(
	running: Poll,
	before: Watermark,
): Promise<Result<readonly Ticket[]>> {
	const { reader, context, clock, startMs, maxTickets, toOutput, wait } = running;
	if (reader.findDialect) reader.dialect = before.spelling ?? reader.dialect;
	const gap = await measureGap(running, before);
	if (!gap.ok) return gap;
	// What becomes visible while this poll reads may be behind its pages, so it must not count as dealt with.
	const nowMs = startMs + clock.aheadMs - gap.value - (wait?.delayMs ?? 0);
	const read = await readWindow(running, before, (_, unknown) => unknown >= maxTickets);
	// Another poll may have come to its end meanwhile: what counts is the state now.
	const current = loadWatermark(context, running.fingerprint) ?? before;
	const settled = settle(running, current, { read, nowMs, max: maxTickets });
	const { fresh, after } = settled;
	if (fresh.length === 0 && read.failure) return fail(read.failure);
	// Where another poll was faster, the next one has to look at the same place.
	const isStuck = !read.isComplete && read.changes.every(knownTo(before));
	const resume = { fromMs: read.frontierMs, nowMs: before.resume?.nowMs ?? nowMs };
	const measured = gap.value === before.gapMs ? before.measuredMs : startMs;
	context.save({
		...omit(after, 'resume'),
		...(isStuck && { resume }),
		gapMs: gap.value,
		measuredMs: measured,
		aheadMs: clock.aheadMs,
		grainMs: Math.max(current.grainMs, read.grainMs),
		reported: noteReports(current.reported, { ...running, settled, read }),
		spelling: reader.dialect,
	});
	return ok(fresh.map(({ ticket }) => toOutput(ticket)));
}

/** Reads what a poll looks at; with reminders that is everything that waits. */
async function readWindow(
	running: Poll,
	before: Watermark,
	isMany: (count: number, unknown: number) => boolean,
): Promise<ChangesResult> {
	const { column, query, reader, context, clock, wait, applies, startMs } = running;
	const isKnown = knownTo(before);
	const clockMs = startMs + clock.aheadMs - (wait?.delayMs ?? 0);
	const remind = reminderOf(wait?.repeatMs ?? 0, clockMs);
	const matching = (changes: readonly Change[]) =>
		changes.filter(({ ticket }) => applies(ticket)).map(remind);
	const from = wait?.repeatMs ? { atMs: 0, number: NO_NUMBER } : before.floor;
	const fromMs = before.resume?.fromMs ?? from.atMs;
	const read = await readChanges(
		query,
		{
			column,
			from: fromMs > from.atMs ? { atMs: fromMs, number: NO_NUMBER } : from,
			...(wait && { toMs: clockMs }),
			seen: wait?.repeatMs ? new Map() : seenBy(before),
			grainMs: before.grainMs,
			isEnough: (changes) => {
				const due = matching(changes);
				const unknown = due.filter((change) => !isKnown(change)).length;
				return context.now() >= running.lateMs || isMany(due.length, unknown);
			},
		},
		reader,
	);
	const isInOrder = read.isInOrder && !wait?.repeatMs;
	return { ...read, changes: matching(read.changes), isInOrder };
}

/** Moves a change to the last time at which it is due again. */
const reminderOf =
	(repeatMs: number, clockMs: number) =>
	(change: Change): Change =>
		repeatMs === 0 || change.atMs > clockMs
			? change
			: {
					...change,
					atMs: change.atMs + Math.floor((clockMs - change.atMs) / repeatMs) * repeatMs,
				};

function settle(
	{ startMs, clock, overlapMs, wait }: Poll,
	current: Watermark,
	{ read, nowMs, max }: { read: ChangesResult; nowMs: number; max: number },
): Settled {
	const clockMs = startMs + clock.aheadMs - (wait?.delayMs ?? 0);
	const beganMs = Math.min(nowMs, current.resume?.nowMs ?? nowMs);
	return settlePoll(current, read, { clockMs, nowMs: beganMs, overlapMs, max });
}

/** The newest tickets by a column, of those that have a time there. */
async function fetchNewest(
	query: Query,
	{ column, limit }: { column: TriggerInput['column']; limit: number },
	reader: PageReader,
): Promise<Result<readonly Ticket[], CallError>> {
	const filters = { ...query.filters, [column]: { isNotNull: true, ...query.filters[column] } };
	const sort = [{ column, direction: 'desc' as const }];
	const page = await fetchPage({ ...query, filters, sort }, { limit, offset: 0 }, reader);
	return page.ok ? ok(page.value.data) : page;
}

/** Gives the newest ticket that the event happened to, and changes nothing. */
export async function readSample(
	parameters: unknown,
	context: TriggerContext,
): Promise<Result<readonly Ticket[]>> {
	const watch = readTriggerInput(parameters, context);
	if (!watch.ok) return watch;
	const { query, column, reader, toOutput, applies, wait } = watch.value;
	const limit = wait ? reader.pageSize : 1;
	const newest = await fetchNewest(query, { column, limit }, reader);
	if (!newest.ok) return newest;
	const unmatched = unmatchedColumn(query.filters, newest.value);
	if (unmatched) return fail(ignoredFilter(unmatched, query.filters));
	return ok(newest.value.filter(applies).slice(0, 1).map(toOutput));
}
