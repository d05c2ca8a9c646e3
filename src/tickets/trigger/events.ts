import type { Column } from '../columns';
import type { Filters } from '../filters/schema';
import { parseTime, type Ticket } from '../ticket';

/** The definition of an event in the rows of the service. */
export interface EventFacts {
	/** The column with the time of the event. */
	readonly column: Column;
	/** Whether the event is the end of a wait, which nothing in the service records. */
	readonly waits?: true;
	/** Further columns to read. */
	readonly needs?: readonly Column[];
	readonly filters?: Filters;
	readonly applies?: (ticket: Ticket) => boolean;
}

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
