import { createHash } from 'crypto';
import type { CallError } from '../../core/client';
import { isBlank } from '../../core/text';
import type { Column } from '../columns';
import type { Operands } from '../filters/combine';
import { addBounds } from '../filters/combine';
import type { Filters } from '../filters/schema';
import type { Query } from '../search/query';
import { searchContractError } from '../search/query';
import { numberOf, timeOf } from '../service/values';
import type { Ticket } from '../ticket';

/** A change of a ticket: when it happened in ms of the service's clock, and what tells its ticket apart. */
export interface Change {
	readonly atMs: number;
	readonly key: string;
	readonly ticket: Ticket;
}

/** Reads the change in a row, or undefined where its time, or both its number and its ID, are missing. */
export function changeOf(ticket: Ticket, column: EventColumn): Change | undefined {
	const atMs = readTime(ticket[column]);
	const key = keyOf(ticket);
	return atMs === undefined || key === undefined ? undefined : { atMs, key, ticket };
}

/** What tells a ticket apart in one moment: a short hash of its ID, or its number, which may not be unique, where it has none. */
export function keyOf(ticket: Ticket): string | undefined {
	const { id } = ticket;
	if (typeof id === 'string' && !isBlank(id))
		return createHash('sha256').update(id).digest('base64url').slice(0, 6);
	const number = numberOf(ticket);
	return Number.isSafeInteger(number) ? String(number) : undefined;
}

/** The whole ms of a time in a row, or undefined where it is none. */
export function readTime(value: unknown): number | undefined {
	const ms = timeOf(value);
	return ms === undefined ? undefined : Math.floor(ms);
}

/** A stretch of time in ms of the service's clock, without its end, in a column. */
export interface Span {
	readonly column: EventColumn;
	readonly fromMs: number;
	readonly toMs?: number;
}

/** The changes that were read, the rows that none could be read from, and why reading ended. */
export interface Changes {
	readonly changes: readonly Change[];
	readonly malformed: readonly Ticket[];
	readonly failure?: CallError;
}

/** What is read where nothing can be taken. */
export const NOTHING: Changes = { changes: [], malformed: [] };

/** The coarsest steps in which a service may keep or show times. */
const COARSEST_GRAIN_MS = 60_000;

/** The changes in rows; fails where one lies outside of the times that were asked for. */
export function changesIn(
	rows: readonly Ticket[],
	{ column, fromMs, toMs = Infinity }: Span,
	changeIn = (row: Ticket) => changeOf(row, column),
): Changes {
	const changes = rows.flatMap((row) => changeIn(row) ?? []);
	const strayed = changes.find(
		({ atMs }) => atMs < fromMs - COARSEST_GRAIN_MS || atMs > toMs + COARSEST_GRAIN_MS,
	);
	if (!strayed) return { changes, malformed: rows.filter((row) => changeIn(row) === undefined) };
	const failure = searchContractError(
		`It ignored the filter on ${column}: a ticket of ${isoOf(strayed.atMs)} was returned where tickets from ${isoOf(fromMs)} on were requested`,
	);
	return { ...NOTHING, failure };
}

/** A time as the service takes it in a filter. */
export const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Filters with times on one column: what the user wants there has to match as well. */
export const withTimes = (
	{ filters }: Query,
	column: EventColumn,
	times: Operands,
): Query['filters'] => ({ ...filters, [column]: addBounds(filters[column], times) });

interface EventFacts {
	/** The column that says when it happened. */
	readonly column: EventColumn;
	/** Whether it happens when a time passes, which nothing in the service records. */
	readonly passes?: true;
	/** Columns that have to be read along. */
	readonly needs?: readonly Column[];
	readonly filters?: Filters;
	readonly applies?: (ticket: Ticket) => boolean;
}

/** A column that says when something happened. */
export type EventColumn =
	'closedAt' | 'createdAt' | 'lastCustomerActivityAt' | 'resolvedAt' | 'snoozedUntil' | 'updatedAt';

/** What can happen to a ticket, and how its rows show it (interface: Ticket). */
export const events = {
	customerWaiting: {
		column: 'lastCustomerActivityAt',
		passes: true,
		needs: ['lastAgentActivityAt'],
		applies: isCustomerWaiting,
	},
	notAnswered: {
		column: 'createdAt',
		passes: true,
		filters: { firstResponseAt: { isNull: true } },
		needs: ['firstResponseAt'],
	},
	snoozeOver: { column: 'snoozedUntil', passes: true },
	ticketClosed: { column: 'closedAt' },
	ticketCreated: { column: 'createdAt' },
	ticketUpdated: { column: 'updatedAt' },
	ticketResolved: { column: 'resolvedAt' },
} as const satisfies Record<string, EventFacts>;

/** The name of an event. */
export type TicketEvent = keyof typeof events;

/** What is known about an event. */
export const factsOf = (event: TicketEvent): EventFacts => events[event];

function isCustomerWaiting({ lastCustomerActivityAt, lastAgentActivityAt }: Ticket): boolean {
	const agentMs = readTime(lastAgentActivityAt) ?? -Infinity;
	return (readTime(lastCustomerActivityAt) ?? -Infinity) > agentMs;
}
