/** What can happen to a ticket, and the column that says when it did (interface: Ticket). */
export const events = {
	ticketClosed: 'closedAt',
	ticketCreated: 'createdAt',
	ticketResolved: 'resolvedAt',
	ticketUpdated: 'updatedAt',
} as const;

/** The name of an event. */
export type Event = keyof typeof events;

/** A column that says when something happened. */
export type EventColumn = (typeof events)[Event];
