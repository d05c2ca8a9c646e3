import { createHash } from 'crypto';
import type { Column } from '../columns';
import type { Operands } from '../filters/combine';
import { addBounds } from '../filters/combine';
import type { Filters } from '../filters/schema';
import { parseTime, ticketKey } from '../service/values';
import type { Ticket } from '../ticket';

/** A change of a ticket: its time in ms, and a key of the ticket at that time. */
export interface Change {
	readonly atMs: number;
	readonly key: string;
	readonly ticket: Ticket;
}

/** Reads the changes in rows whose time was checked. */
export const toChanges = (rows: readonly Ticket[], column: EventColumn): Change[] =>
	rows.flatMap((ticket) => {
		const atMs = parseTime(ticket[column]);
		if (atMs === undefined) return [];
		// A short hash, because a state keeps thousands.
		const id = createHash('sha256')
			.update(String(ticketKey(ticket)))
			.digest('base64url');
		return [{ atMs, key: `${id.slice(0, 6)}@${atMs.toString(36)}`, ticket }];
	});

/** Filters with times on one column, besides what the user wants there. */
export const withTimes = (filters: Filters, column: EventColumn, times: Operands): Filters => ({
	...filters,
	[column]: addBounds(filters[column], times),
});

interface EventFacts {
	/** The column with the time of the event. */
	readonly column: EventColumn;
	/** Whether the event is the end of a wait, which nothing in the service records. */
	readonly waits?: true;
	/** Further columns to read. */
	readonly needs?: readonly Column[];
	readonly filters?: Filters;
	readonly applies?: (ticket: Ticket) => boolean;
}

/** A column with the time of an event. */
export type EventColumn =
	'closedAt' | 'createdAt' | 'lastCustomerActivityAt' | 'resolvedAt' | 'snoozedUntil' | 'updatedAt';

/** The events of a ticket, and how its rows show them (interface: Ticket). */
export const events = {
	ticketCreated: { column: 'createdAt' },
	ticketUpdated: { column: 'updatedAt' },
	ticketResolved: { column: 'resolvedAt' },
	ticketClosed: { column: 'closedAt' },
	customerWaiting: {
		column: 'lastCustomerActivityAt',
		waits: true,
		needs: ['lastAgentActivityAt'],
		applies: ({ lastCustomerActivityAt, lastAgentActivityAt }) =>
			(parseTime(lastCustomerActivityAt) ?? -Infinity) >
			(parseTime(lastAgentActivityAt) ?? -Infinity),
	},
	notAnswered: {
		column: 'createdAt',
		waits: true,
		filters: { firstResponseAt: { isNull: true } },
		needs: ['firstResponseAt'],
	},
	snoozeOver: { column: 'snoozedUntil', waits: true },
} as const satisfies Record<string, EventFacts>;

/** The name of an event. */
export type TicketEvent = keyof typeof events;

/** The facts of an event. */
export const factsOf = (event: TicketEvent): EventFacts => events[event];
