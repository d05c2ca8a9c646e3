import { createHash } from 'crypto';
import type { Column } from '../columns';
import type { Filters } from '../filters/schema';
import { timeOf } from '../service/values';
import type { Ticket } from '../ticket';
import type { ChangeKey } from './memory';

/** A change and its ticket. */
export interface Change extends ChangeKey {
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

/** The whole ms of a time in a row, or undefined where it is none. */
export function readTime(value: unknown): number | undefined {
	const ms = timeOf(value);
	return ms === undefined ? undefined : Math.floor(ms);
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
