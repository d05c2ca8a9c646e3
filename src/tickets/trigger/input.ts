import { hash } from 'crypto';
import { get, isEqual, partition, uniq } from 'lodash';
import { z } from 'zod/v4';
import type { Client } from '../../core/client';
import type { Problem } from '../../core/failures';
import { problemsOf } from '../../core/problems';
import { createPicker, requireSelectedColumns } from '../../core/output';
import { fail, ok, type Result } from '../../core/result';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time';
import { choice, collectionOf, wholeNumber, rejectGaps } from '../../core/schemas';
import { columnNames, columns, type Column } from '../columns';
import { filterParameters, readFilters } from '../filters/conditions';
import type { Filters } from '../filters/schema';
import { MAX_PAGE_SIZE, type Query } from '../service/query';
import { createPageReader, type PageReader } from '../service/fetchPage';
import { listReturned, outputSettings, simplifiedColumns, type Ticket } from '../ticket';
import { events, type EventFacts, type TicketEvent } from './events';

/** Ms to wait for a response. Shorter than elsewhere, because a poll has a few minutes only. */
const TIMEOUT_MS = 60_000;

/** The ms of each unit. */
const unitMs = { minutes: MINUTE_MS, hours: HOUR_MS, days: DAY_MS } as const;

const fields = z.looseObject({
	event: z.enum(Object.keys(events) as [TicketEvent, ...TicketEvent[]], {
		error: 'is not an event. Choose one from the list',
	}),
	waitFor: wholeNumber(1, 525_600).default(60),
	waitUnit: choice(['minutes', 'hours', 'days']).default('minutes'),
	...outputSettings,
	...filterParameters,
	options: collectionOf(
		z.looseObject({
			maximumTickets: wholeNumber(1).default(1_000),
			overlap: wholeNumber(1, 1_440).default(5),
		}),
	).prefault({}),
});

/** The parameters. Conditions and JSON check their own gaps. */
const inputSchema = rejectGaps(fields.refine(...requireSelectedColumns), [
	'filters',
	'filtersJson',
]);

/** The host of a poll. `save` stores the state as JSON, and `load` returns it at the next poll. */
export interface PollContext {
	readonly client: Client;
	readonly zone: string;
	readonly now: () => number;
	/** Max duration of a poll. */
	readonly budgetMs: number;
	/** The parameters as they were entered, before expressions. */
	readonly entered?: unknown;
	/** The address and the workspace. */
	readonly service?: readonly string[];
	readonly load: () => unknown;
	readonly save: (state: object) => void;
	/** Shows the user something that does not stop the trigger. */
	readonly report?: (message: string) => void;
}

/** A poll in progress, with the checked parameters of its trigger. */
export interface Poll {
	/** A hash of the event, its wait, the filter as it was entered, and the service; another one starts over. */
	readonly watching: string;
	readonly column: Column;
	readonly query: Query;
	/** The latest start of a wait that is over; undefined for an event that is no wait. */
	readonly dueMs?: number | undefined;
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

/** The share of its time after which a poll ends with the tickets read so far. */
const LATE_SHARE = 0.8;

/** Checks the parameters of a trigger, and prepares a poll: its query, times and reader. Sends nothing. */
export function beginPoll(parameters: unknown, context: PollContext): Result<Poll> {
	const { zone, now, budgetMs, entered = parameters, service = [] } = context;
	const parsed = inputSchema.safeParse(parameters);
	if (!parsed.success) return fail({ kind: 'input', problems: problemsOf(parsed.error) });
	const { event, waitFor, waitUnit, filterMode, options } = parsed.data;
	const startMs = now();
	const chosen = readFilters(parsed.data, { zone, nowMs: startMs });
	if (!chosen.ok) return chosen;
	const facts: EventFacts = events[event];
	const { column, waits, filters = {}, needs = column, applies = () => true } = facts;
	const source = filterMode === 'json' ? 'filtersJson' : 'filters';
	const conflict = findConflict(chosen.value, facts, source);
	if (conflict) return fail({ kind: 'input', problems: [conflict] });
	const select = listReturned(parsed.data, listSimplified(facts));
	// A snooze ends at its time, without a further wait.
	const delayMs = event === 'snoozeOver' ? 0 : waitFor * unitMs[waitUnit];
	// Another event, wait, filter or service starts over. The filter is as entered, because its expressions may change with each poll.
	const watched = JSON.stringify([event, waits && delayMs, get(entered, source), ...service]);
	return ok({
		watching: hash('sha256', watched, 'base64url').slice(0, 22), // 132 bits, so none collide.
		column,
		query: {
			filters: { ...filters, ...chosen.value },
			sort: [],
			// `applies` reads the needed column, and `toOutput` removes it. An empty selection has all columns.
			select: select.length > 0 ? [...select, needs] : [],
		},
		dueMs: waits ? startMs - delayMs : undefined,
		applies,
		overlapMs: options.overlap * MINUTE_MS,
		maxTickets: options.maximumTickets,
		reader: createPageReader(boundClient(context, startMs + budgetMs), {
			pageSize: MAX_PAGE_SIZE,
			parallelRequests: 1,
			timeoutMs: TIMEOUT_MS,
		}),
		toOutput: select.length === 0 ? (row) => row : createPicker(select),
		startMs,
		isLate: () => now() >= startMs + LATE_SHARE * budgetMs,
	});
}

/** Finds a filter that contradicts the event: it replaces the event's filter, or requires an empty event time. */
function findConflict(chosen: Filters, facts: EventFacts, source: string): Problem | undefined {
	const { column, filters = {} } = facts;
	const conflict = columnNames.find((name) => {
		const operands = chosen[name];
		const isOther = filters[name] && operands && !isEqual(operands, filters[name]);
		return isOther || (name === column && operands?.isNull);
	});
	if (conflict === undefined) return undefined;
	const reason = `asks about ${columns[conflict].label}, as the event itself does. Remove this condition`;
	return { path: [source], reason };
}

/** Lists the columns of a simplified ticket. Times of the event precede IDs, because readers of alerts need them. */
function listSimplified({ column, needs = column }: EventFacts): Column[] {
	const [ids, contents] = partition(
		simplifiedColumns,
		(name) => columns[name].kind === 'identifier',
	);
	return uniq<Column>([...contents, column, needs, ...ids]);
}

/** The least time for a response, in ms, however little of the poll is left. */
const MIN_POLL_TIMEOUT_MS = 1_000;

/** The share of the remaining time for one attempt, which leaves time for another. */
const ATTEMPT_SHARE = 0.45;

/** Limits calls to the time until `endMs`. An attempt gets less than half of it, so another one fits. */
const boundClient = ({ client, now }: PollContext, endMs: number): Client => ({
	...client,
	call: async (request, ...more) => {
		const shareMs = Math.max(MIN_POLL_TIMEOUT_MS, Math.round(ATTEMPT_SHARE * (endMs - now())));
		const timeoutMs = Math.min(request.timeoutMs ?? Infinity, shareMs);
		// No attempt begins later, because it could last beyond the end. One that begins now is allowed.
		const deadlineMs = Math.max(now(), endMs - timeoutMs);
		return await client.call({ ...request, timeoutMs, deadlineMs }, ...more);
	},
});
