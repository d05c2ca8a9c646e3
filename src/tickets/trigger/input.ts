import isEqual from 'lodash/isEqual';
import uniq from 'lodash/uniq';
import { z } from 'zod/v4';
import { createAdaptiveConcurrency } from '../../core/pacing';
import type { CallError, Client } from '../../core/client';
import type { Problem } from '../../core/failures';
import { problemsOf } from '../../core/operation';
import { outputParameters, createPicker, returnedFields, someSelected } from '../../core/output';
import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import { MINUTE_MS } from '../../core/time';
import { choice, collectionOf, timeout, wholeNumber, withoutGaps } from '../../core/schemas';
import type { Column } from '../columns';
import { columnNames, columns } from '../columns';
import { filterParameters, readFilters } from '../filters/conditions';
import type { Query } from '../search/query';
import { MAX_PAGE_SIZE, withNeededColumns } from '../search/query';
import type { PageReader } from '../service/fetchPage';
import { unknownService } from '../service/fetchPage';
import type { Ticket } from '../ticket';
import { simplifiedColumns } from '../ticket';
import type { EventColumn, TicketEvent } from './changes';
import { events, factsOf } from './changes';
import type { reports } from './reports';
import type { TriggerState } from './state';
import { fingerprintOf } from './watched';

const MAX_PARALLEL = 4;
/** Shorter than elsewhere, because a poll has a few minutes only. */
const TIMEOUT_SECONDS = 60;

/** How many minutes a unit has. */
const units = { minutes: 1, hours: 60, days: 1_440 } as const;
const unit = choice(Object.keys(units) as ['minutes', 'hours', 'days']);
/** A year in minutes. */
const MAX_MINUTES = 525_600;

const inputSchema = z.looseObject({
	event: z.enum(Object.keys(events) as [TicketEvent, ...TicketEvent[]], {
		error: 'is not an event. Choose one from the list',
	}),
	waitFor: wholeNumber(1, MAX_MINUTES).default(60),
	waitUnit: unit.default('minutes'),
	...outputParameters(columnNames, 'ticket column'),
	...filterParameters,
	options: collectionOf(
		z.looseObject({
			emptyValue: choice(['stop', 'skip', 'matchEmpty']).default('stop'),
			maximumTickets: wholeNumber(1).default(1_000),
			overlap: wholeNumber(0, 1_440).default(5),
			repeatEvery: wholeNumber(0, MAX_MINUTES).default(0),
			repeatUnit: unit.default('minutes'),
			timeout: timeout.prefault(TIMEOUT_SECONDS),
		}),
	).prefault({}),
});

const input = withoutGaps(inputSchema.refine(...someSelected), ['filters', 'filtersJson']);

/** What a trigger needs from its host. */
export interface TriggerContext {
	readonly client: Client;
	readonly zone: string;
	readonly now: () => number;
	/** The parameters as they were entered, before expressions. */
	readonly entered?: unknown;
	/** The address and the workspace. */
	readonly service?: readonly string[];
}

/** What happens when a time passes: how many minutes after the time of the column, and how often from then on. */
export interface Wait {
	readonly delay: number;
	/** 0 for once. */
	readonly repeat: number;
}

/** The checked parameters of a trigger. */
export interface TriggerInput {
	/** What it watches. */
	readonly fingerprint: string;
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

/** A poll in progress. */
export interface Poll extends TriggerInput {
	/** When it began, by our clock and by that of the service. */
	readonly startMs: number;
	readonly nowMs: number;
	/** Whether it has to end with what it has. */
	readonly isLate: () => boolean;
}

/** What a poll came to: what to hand out, how far the trigger has come, and what to tell. */
export interface Polled {
	readonly fresh: readonly Ticket[];
	readonly failure?: CallError;
	readonly malformed?: readonly Ticket[];
	readonly after?: Pick<TriggerState, 'cursorMs' | 'floorMs' | 'seen'>;
	readonly told?: ReadonlyArray<keyof typeof reports>;
}

/** Settles a poll that has read, by what was saved last: another one may have done that meanwhile. */
export type Settle = (saved?: TriggerState) => Polled;

/** A condition on a column that the event itself asks about, which only one of them could be. */
const ofEvent = (column: Column, filterMode: string): Problem => ({
	path: [filterMode === 'json' ? 'filtersJson' : 'filters'],
	message: `asks about ${columns[column].label}, as the event itself does. Remove this condition`,
});

/** Reads the parameters of a trigger; relative dates are relative to the service's clock. */
export function readTriggerInput(
	parameters: unknown,
	{ client, zone, now, entered = parameters, service = [] }: TriggerContext,
	aheadMs = 0,
): Result<TriggerInput> {
	const parsed = input.safeParse(parameters);
	if (!parsed.success) return fail({ kind: 'input', problems: problemsOf(parsed.error) });
	const { event, waitFor, waitUnit, output, options } = parsed.data;
	const { emptyValue } = options;
	const compiled = readFilters(parsed.data, { zone, nowMs: now() + aheadMs, emptyValue });
	if (!compiled.ok) return compiled;
	const { column, passes, filters: own = {}, needs = [], applies = () => true } = factsOf(event);
	const { filters: chosen } = compiled.value;
	const replaced = columnNames.find(
		(name) => name in own && name in chosen && !isEqual(own[name], chosen[name]),
	);
	if (replaced !== undefined)
		return fail({ kind: 'input', problems: [ofEvent(replaced, parsed.data.filterMode)] });
	const filters = { ...own, ...chosen };
	// The times that made it happen are what the reader of an alert asks for first.
	const times: readonly Column[] = output === 'simplified' ? [column, ...needs] : [];
	const returned = returnedFields(parsed.data, { simplified: simplifiedColumns, id: 'id' });
	const select = uniq([...returned, ...times]);
	const needed = select.length > 0 ? [...select, column, ...needs] : [];
	const wait = {
		delay: event === 'snoozeOver' ? 0 : waitFor * units[waitUnit],
		repeat: options.repeatEvery * units[options.repeatUnit],
	};
	// What waits is read whole; of changes, a page that is asked for ahead may be more than enough.
	const max = passes ? MAX_PARALLEL : 1;
	return ok({
		fingerprint: fingerprintOf({ ...parsed.data, entered, zone, service }),
		column,
		query: withNeededColumns({ filters, sort: [], select: needed }),
		...(passes && { wait }),
		applies,
		overlapMs: options.overlap * MINUTE_MS,
		maxTickets: options.maximumTickets,
		reader: {
			client,
			concurrency: createAdaptiveConcurrency({ start: max, max }),
			pageSize: MAX_PAGE_SIZE,
			timeoutMs: options.timeout,
			known: unknownService(),
			filters,
			requests: 0,
		},
		toOutput: select.length === 0 ? (row) => row : createPicker(select),
	});
}
