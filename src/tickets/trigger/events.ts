import type { Column } from '../columns';
import type { Filters } from '../filters/schema';
import { parseTime, type Ticket } from '../ticket';

/** The definition of an event in the rows of the service. */
export interface EventFacts {
	/** The column with the time of the event, or with the start of a wait. */
	readonly column: Column;
	/** Whether the event is the end of a wait, which nothing in the service records. */
	readonly waits?: true;
	readonly filters?: Filters;
	/** A further column that `applies` needs. */
	readonly needs?: Column;
	readonly applies?: (ticket: Ticket) => boolean;
}

/** A closed ticket waits for nothing. */
const OPEN = { closedAt: { isNull: true } } as const;

/** The events of a ticket, and how its rows show them (interface: Ticket). */
export const events = {
	ticketCreated: { column: 'createdAt' },
	ticketUpdated: { column: 'updatedAt' },
	ticketResolved: { column: 'resolvedAt' },
	ticketClosed: { column: 'closedAt' },
	customerWaiting: {
		column: 'lastCustomerActivityAt',
		waits: true,
		filters: OPEN,
		needs: 'lastAgentActivityAt',
		applies: ({ lastCustomerActivityAt, lastAgentActivityAt }) =>
			(parseTime(lastCustomerActivityAt) ?? -Infinity) >
			(parseTime(lastAgentActivityAt) ?? -Infinity),
	},
	notAnswered: {
		column: 'createdAt',
		waits: true,
		filters: { ...OPEN, firstResponseAt: { isNull: true } },
	},
	snoozeOver: { column: 'snoozedUntil', waits: true, filters: OPEN },
} as const satisfies Record<string, EventFacts>;

/** The name of an event. */
export type TicketEvent = keyof typeof events;
