import { createHash } from 'crypto';
import { DateTime } from 'luxon';
import type { Column } from '../columns';
import type { Filters } from '../filters/schema';
import type { Ticket } from '../ticket';

/** A change of a ticket: when it happened in ms of the service's clock, and the number that tells it from others then. */
export interface Change {
	readonly atMs: number;
	readonly number: number;
	readonly ticket: Ticket;
}

/** Reads the change in a row, or undefined where its time, or both its number and its ID, are missing. */
export function changeOf(ticket: Ticket, column: EventColumn): Change | undefined {
	const atMs = readTime(ticket[column]);
	const number = numberOf(ticket);
	return atMs === undefined || number === undefined ? undefined : { atMs, number, ticket };
}

/** Ticket numbers end below 2 ** 31; what stands for an ID starts above. */
const FIRST_STAND_IN = 2 ** 32;

function numberOf({ ticketNumber, id }: Ticket): number | undefined {
	const isText = typeof ticketNumber === 'string' && /^-?\d{1,15}$/.test(ticketNumber);
	const number = isText ? Number(ticketNumber) : ticketNumber;
	if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
	if (typeof id !== 'string' || id === '') return undefined;
	return FIRST_STAND_IN + createHash('sha256').update(id).digest().readUIntBE(0, 6);
}

/** Below this an epoch counts seconds, from the other one on microseconds. */
const EPOCH = { secondsBelow: 1e11, microsecondsFrom: 1e14 } as const;

/** Ms since 1970 of a time as ISO 8601 (UTC where it names no zone) or as an epoch, or undefined. */
export function readTime(value: unknown): number | undefined {
	if (typeof value === 'number') return readEpoch(value);
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	if (/^-?\d{9,}(\.\d+)?$/.test(text)) return readEpoch(Number(text));
	const iso = DateTime.fromISO(text.replace(/^(\d{4}-\d\d-\d\d)\s+/, '$1T').replace(/\s/g, ''), {
		zone: 'utc',
	});
	return iso.isValid ? iso.toMillis() : undefined;
}

function readEpoch(value: number): number | undefined {
	if (!Number.isFinite(value)) return undefined;
	const size = Math.abs(value);
	if (size < EPOCH.secondsBelow) return Math.floor(value * 1_000);
	return Math.floor(size < EPOCH.microsecondsFrom ? value : value / 1_000);
}

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
		applies: ({ firstResponseAt }) => (firstResponseAt ?? null) === null,
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
