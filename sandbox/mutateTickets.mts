import type { Mutation } from './faults.mts';
import type { TicketStore } from './ticketStore.mts';

/** Creates, deletes and changes tickets, in that order, so rows move between pages. */
export function mutateTickets(tickets: TicketStore, mutation: Mutation): void {
	const { create, delete: remove, change } = mutation;
	if (create) tickets.insert(Array.from({ length: create.count }, () => create.template));
	if (remove) tickets.delete([...remove.ids, ...tickets.randomIds(remove.random)]);
	if (!change) return;
	for (const id of [...change.ids, ...tickets.randomIds(change.random)]) {
		tickets.change(id, change.set);
	}
}
