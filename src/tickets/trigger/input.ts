import { createHash } from 'crypto';
import { get, uniq } from 'lodash';
import { z } from 'zod/v4';
import type { CallError, Client } from '../../core/client';
import { problemsOf } from '../../core/problems';
import {
	outputParameters,
	createPicker,
	returnedFields,
	requireSelectedColumns,
} from '../../core/output';
import { fail, ok, type Result } from '../../core/result';
import { MINUTE_MS } from '../../core/time';
import { choice, collectionOf, timeout, wholeNumber, rejectGaps } from '../../core/schemas';
import { columnNames, columns, type Column } from '../columns';
import { filterParameters, readFilters } from '../filters/conditions';
import { MAX_PAGE_SIZE, type Query } from '../search/query';
import { createReader, type PageReader } from '../service/fetchPage';
import { simplifiedColumns, type Ticket } from '../ticket';
import { events, type EventFacts, type TicketEvent } from './events';
import type { TriggerState } from './state';

/** Shorter than elsewhere, because a poll has a few minutes only. */
const TIMEOUT_SECONDS = 60;

/** The minutes of each unit. */
const minutesPerUnit = { minutes: 1, hours: 60, days: 1_440 } as const;
const unit = choice(Object.keys(minutesPerUnit) as ['minutes', 'hours', 'days']);
/** A year in minutes. */
const MAX_MINUTES = 525_600;

const fields = z.looseObject({
	event: z.enum(Object.keys(events) as [TicketEvent, ...TicketEvent[]], {
		error: 'is not an event. Choose one from the list',
	}),
	waitFor: wholeNumber(1, MAX_MINUTES).default(60),
	waitUnit: unit.default('minutes'),
	...outputParameters(columnNames, 'ticket column'),
	...filterParameters,
	options: collectionOf(
		z.looseObject({
			emptyValue: choice(['stop', 'skip']).default('stop'),
			maximumTickets: wholeNumber(1).default(1_000),
			overlap: wholeNumber(0, 1_440).default(5),
			repeatEvery: wholeNumber(0, MAX_MINUTES).default(0),
			repeatUnit: unit.default('minutes'),
			timeout: timeout.prefault(TIMEOUT_SECONDS),
		}),
	).prefault({}),
});

/** The parameters. Conditions and JSON check their own gaps. */
const inputSchema = rejectGaps(fields.refine(...requireSelectedColumns), [
	'filters',
	'filtersJson',
]);

/** The host of a trigger. */
export interface TriggerContext {
	readonly client: Client;
	readonly zone: string;
	readonly now: () => number;
	/** Max duration of a poll. */
	readonly budgetMs: number;
	/** The parameters as they were entered, before expressions. */
	readonly entered?: unknown;
	/** The address and the workspace. */
	readonly service?: readonly string[];
}

/** A poll in progress, with the checked parameters of its trigger. */
export interface Poll {
	/** A hash of the event, its wait, the filter as it was entered, and the service; another one starts over. */
	readonly watching: string;
	readonly column: Column;
	readonly query: Query;
	/** The minutes of the wait and between reminders (0 for none), and the latest time that is due. */
	readonly wait?: Readonly<Record<'delay' | 'repeat' | 'dueMs', number>>;
	/** Whether the event applies to a ticket, beyond what the service can filter. */
	readonly applies: (ticket: Ticket) => boolean;
	readonly overlapMs: number;
	readonly maxTickets: number;
	readonly reader: PageReader;
	/** Picks the returned columns, without those that only the trigger needs. */
	readonly toOutput: (row: Ticket) => Ticket;
	readonly startMs: number;
	/** Whether it must end with the tickets read so far. */
	readonly isLate: () => boolean;
}

/** Settles a poll that has read, by the state saved last: another poll may have saved it meanwhile. */
export type Settle = (current?: TriggerState) => {
	readonly fresh: readonly Ticket[];
	readonly failure?: CallError;
	readonly after?: Omit<TriggerState, 'watching'>;
};

/** The share of its time after which a poll ends with the tickets read so far. */
const LATE_SHARE = 0.8;

/** Begins a poll: checks the parameters of its trigger, and prepares its query, its times and its reader. */
export function beginPoll(parameters: unknown, context: TriggerContext): Result<Poll> {
	const { zone, now, budgetMs, entered = parameters, service = [] } = context;
	const parsed = inputSchema.safeParse(parameters);
	if (!parsed.success) return fail({ kind: 'input', problems: problemsOf(parsed.error) });
	const { event, waitFor, waitUnit, output, options, filterMode } = parsed.data;
	const { emptyValue, repeatEvery, repeatUnit } = options;
	const startMs = now();
	const compiled = readFilters(parsed.data, { zone, nowMs: startMs, emptyValue });
	if (!compiled.ok) return compiled;
	const facts: EventFacts = events[event];
	const { column, waits, filters = {}, needs = [], applies = () => true } = facts;
	const { filters: chosen } = compiled.value;
	const source = filterMode === 'json' ? 'filtersJson' : 'filters';
	// A filter that needs the event's column empty could never match.
	const conflict = columnNames.find(
		(name) => name in chosen && (name in filters || (name === column && chosen[name]?.isNull)),
	);
	if (conflict !== undefined) {
		const reason = `asks about ${columns[conflict].label}, as the event itself does. Remove this condition`;
		return fail({ kind: 'input', problems: [{ path: [source], reason }] });
	}
	// Simplified output also has the times of the event, because readers of an alert need them.
	const times: readonly Column[] = output === 'simplified' ? [column, ...needs] : [];
	const returned = returnedFields(parsed.data, { simplified: simplifiedColumns, id: 'id' });
	const select = uniq([...returned, ...times]);
	const needed = select.length > 0 ? [...select, ...needs] : [];
	// A snooze ends at its time, without a further wait.
	const delay = event === 'snoozeOver' ? 0 : waitFor * minutesPerUnit[waitUnit];
	const repeat = repeatEvery * minutesPerUnit[repeatUnit];
	// If it changes, the trigger starts over. The filter is as entered, because its expressions may give other values at each poll.
	const watched = JSON.stringify([event, waits && delay, get(entered, source), ...service]);
	return ok({
		watching: createHash('sha256').update(watched).digest('base64url').slice(0, 22),
		column,
		query: { filters: { ...filters, ...chosen }, sort: [], select: needed },
		...(waits && { wait: { delay, repeat, dueMs: startMs - delay * MINUTE_MS } }),
		applies,
		overlapMs: options.overlap * MINUTE_MS,
		maxTickets: options.maximumTickets,
		reader: createReader(boundClient(context, startMs + budgetMs), {
			pageSize: MAX_PAGE_SIZE,
			parallelRequests: 1,
			timeoutMs: options.timeout,
		}),
		toOutput: select.length === 0 ? (row) => row : createPicker(select),
		startMs,
		isLate: () => now() >= startMs + LATE_SHARE * budgetMs,
	});
}

/** The least time for a response, in ms, however little of the poll is left. */
const MIN_POLL_TIMEOUT_MS = 1_000;

/** The share of the remaining time for one attempt, which leaves time for another. */
const ATTEMPT_SHARE = 0.45;

/** Bounds the calls of a client. Attempts get a share of the time until `endMs`, which leaves some for a second one. */
const boundClient = ({ client, now }: TriggerContext, endMs: number): Client => ({
	...client,
	call: async (request, ...more) => {
		const shareMs = Math.max(MIN_POLL_TIMEOUT_MS, Math.round(ATTEMPT_SHARE * (endMs - now())));
		const timeoutMs = Math.min(request.timeoutMs ?? Infinity, shareMs);
		// No attempt begins later, because it could last beyond the end.
		const deadlineMs = Math.max(now(), endMs - timeoutMs);
		return await client.call({ ...request, timeoutMs, deadlineMs }, ...more);
	},
});
