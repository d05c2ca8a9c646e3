import { createHash } from 'crypto';
import { z } from 'zod/v4';
import type { Client } from '../../core/client';
import { choice, timeout, wholeNumber, withoutGaps } from '../../core/schemas';
import { MINUTE_MS } from '../../core/schedule';
import { problemsOf } from '../../core/operation';
import { outputParameters, pickFields, returnedFields, someSelected } from '../../core/output';
import { createAdaptiveConcurrency } from '../../core/adaptiveConcurrency';
import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import type { Column } from '../columns';
import { columnNames } from '../columns';
import type { Query } from '../search/query';
import { MAX_PAGE_SIZE } from '../search/query';
import { filterParameters, readFilters } from '../filters/readFilters';
import { withCheckedColumns } from '../search/neededColumns';
import type { PageReader } from '../search/fetchPage';
import { formal, narrative } from '../search/fetchPage';
import type { Ticket } from '../ticket';
import { simplifiedColumns } from '../ticket';
import type { TicketEvent, EventColumn } from './changes';
import { events, factsOf } from './changes';

const MAX_PARALLEL = 4;
/** Shorter than elsewhere, because a poll has a few minutes only. */
const TIMEOUT_SECONDS = 60;
/** A year in minutes. */
const MAX_MINUTES = 525_600;

const inputSchema = z.looseObject({
	event: z.enum(Object.keys(events) as [TicketEvent, ...TicketEvent[]], {
		error: 'is not an event. Choose one from the list',
	}),
	minutes: wholeNumber(1, MAX_MINUTES).default(60),
	...outputParameters(columnNames, 'ticket column'),
	...filterParameters,
	options: z
		.looseObject({
			emptyValue: choice(['stop', 'skip', 'matchEmpty']).default('stop'),
			maximumTickets: wholeNumber(1).default(1_000),
			overlap: wholeNumber(0, 1_440).default(5),
			repeatEvery: wholeNumber(0, MAX_MINUTES).default(0),
			spelling: choice(['auto', 'formal', 'narrative']).default('auto'),
			timeout: timeout.prefault(TIMEOUT_SECONDS),
		})
		.prefault({}),
});

const input = withoutGaps(inputSchema.refine(...someSelected), ['filters', 'filtersJson']);

/** What a trigger needs from its host. */
export interface TriggerContext {
	readonly client: Client;
	readonly zone: string;
	readonly now: () => number;
}

/** What happens when a time passes: how long after the time of the column, and how often from then on. */
export interface Wait {
	readonly delayMs: number;
	/** 0 for once. */
	readonly repeatMs: number;
}

/** The checked parameters of a trigger. */
export interface TriggerInput {
	readonly column: EventColumn;
	readonly query: Query;
	readonly wait?: Wait;
	/** Whether it happened to a ticket, as far as the service cannot filter for it. */
	readonly applies: (ticket: Ticket) => boolean;
	/** How far each poll looks back behind the last one. */
	readonly overlapMs: number;
	readonly maxTickets: number;
	readonly reader: PageReader;
	/** The columns to return in their order, without those that only the trigger needs. */
	readonly toOutput: (row: Ticket) => Ticket;
}

/** Reads the parameters of a trigger. */
export function readTriggerInput(
	parameters: unknown,
	{ client, zone, now }: TriggerContext,
): Result<TriggerInput> {
	const parsed = input.safeParse(parameters);
	if (!parsed.success) return fail({ kind: 'input', problems: problemsOf(parsed.error) });
	const { event, minutes, options } = parsed.data;
	const compiled = readFilters(parsed.data, { zone, nowMs: now(), emptyValue: options.emptyValue });
	if (!compiled.ok) return compiled;
	const { column, passes, filters = {}, needs = [], applies = () => true } = factsOf(event);
	const select = returnedFields(parsed.data, simplifiedColumns);
	const needed: readonly Column[] = ['id', 'ticketNumber', column, ...needs];
	const query: Query = {
		filters: { ...filters, ...compiled.value.filters },
		sort: [],
		select: select.length === 0 ? [] : [...select, ...needed],
	};
	return ok({
		column,
		query: withCheckedColumns(query),
		...(passes && {
			wait: {
				delayMs: event === 'snoozeOver' ? 0 : minutes * MINUTE_MS,
				repeatMs: options.repeatEvery * MINUTE_MS,
			},
		}),
		applies,
		overlapMs: options.overlap * MINUTE_MS,
		maxTickets: options.maximumTickets,
		reader: {
			client,
			concurrency: createAdaptiveConcurrency({ start: MAX_PARALLEL, max: MAX_PARALLEL }),
			pageSize: MAX_PAGE_SIZE,
			findDialect: options.spelling === 'auto',
			dialect: options.spelling === 'narrative' ? narrative : formal,
			timeoutMs: options.timeout,
			requests: 0,
		},
		toOutput: (row) => (select.length === 0 ? row : pickFields(row, select)),
	});
}

const entered = z.looseObject({
	event: z.unknown().optional(),
	minutes: z.unknown().optional(),
	filterMode: z.unknown().optional(),
	filters: z.unknown().optional(),
	filtersJson: z.unknown().optional(),
	options: z.looseObject({}).optional().catch({}),
});

/** Says what a trigger watches, by its parameters as they were entered: expressions give new values with each poll. */
export function fingerprintOf(parameters: unknown, service: readonly string[]): string {
	const { event, minutes, filterMode, filters, filtersJson, options } =
		entered.safeParse(parameters).data ?? {};
	const { emptyValue, repeatEvery } = options ?? {};
	const isJson = filterMode === 'json';
	const isWaiting = event === 'notAnswered' || event === 'customerWaiting';
	const watched = [
		event,
		isJson ? filtersJson : withoutDefaults(filters),
		emptyValue ?? 'stop',
		...(isWaiting ? [minutes ?? null, repeatEvery ?? 0] : []),
		...(event === 'snoozeOver' ? [repeatEvery ?? 0] : []),
		...service,
	];
	return createHash('sha256').update(JSON.stringify(watched)).digest('base64url').slice(0, 22);
}

const withoutDefaults = (filters: unknown): unknown =>
	JSON.stringify(filters ?? { conditions: [] }) === '{}' ? { conditions: [] } : filters;
