import { z } from 'zod/v4';
import type { Service } from './answer.mts';
import type { StoredConversation } from './conversationStore.mts';
import type { StoredCustomer } from './customerStore.mts';
import { faultRule } from './faults.mts';
import type { FaultInput } from './faults.mts';
import type { Operation } from './operations.mts';
import { changeOptions } from './options.mts';
import type { OptionsChange, RuntimeOptions } from './options.mts';
import type { ReceivedRequest } from './requestLog.mts';
import { ticketPart } from './ticket.mts';
import type { Ticket, TicketPart } from './ticket.mts';
import type { World } from './world.mts';

/** What the sandbox has counted since the reset. */
export interface Counts {
	total: number;
	requests: Record<Operation, number>;
	maxConcurrent: Record<Operation, number>;
	ticketsReturned: number;
	customersStored: number;
	conversationsCreated: number;
}

/** What a test may do to a running sandbox; the same over HTTP and in this process. */
export interface Control {
	/** Back to the state at the start; `keepTickets` leaves the tickets as they are. */
	reset: (request?: { keepTickets?: boolean | undefined }) => void;
	/** Replaces all fault rules; the request counts go on. */
	setFaults: (rules: readonly FaultInput[]) => void;
	setOptions: (change: OptionsChange) => RuntimeOptions;
	received: () => ReceivedRequest[];
	counts: () => Counts;
	customers: () => StoredCustomer[];
	conversations: () => {
		conversations: StoredConversation[];
		callsPerNumber: Record<string, number>;
	};
	tickets: () => Ticket[];
	countTickets: () => number;
	/** Stores tickets, with invented values for missing columns, and returns their ids. */
	insertTickets: (rows: readonly TicketPart[]) => string[];
	/** Deletes tickets and returns how many there were. */
	deleteTickets: (ids: readonly string[]) => number;
	/** Changes a ticket and its `updatedAt`; false when there is none with that id. */
	changeTicket: (id: string, set: TicketPart) => boolean;
	/** Invents more tickets. */
	seedTickets: (count: number) => void;
}

/** Makes the control of a service; `newWorld` makes the world as it was at the start. */
export function createControl(service: Service, newWorld: () => World): Control {
	const clear = (keepTickets: boolean) => {
		if (!keepTickets) {
			service.world.tickets.close();
			service.world = newWorld();
			return;
		}
		service.world.customers.clear();
		service.world.conversations.clear();
		service.world.ticketsReturned = 0;
	};
	const initialOptions = service.world.options;
	return {
		reset: ({ keepTickets = false } = {}) => {
			clear(keepTickets);
			service.world.options = initialOptions;
			service.log.clear();
			service.faults.replace([]);
		},
		setFaults: (rules) => service.faults.replace(z.array(faultRule).parse(rules)),
		setOptions: (change) => {
			service.world.options = changeOptions(service.world.options, change);
			return service.world.options;
		},
		received: () => service.log.received(),
		counts: () => ({
			...service.log.counts(),
			ticketsReturned: service.world.ticketsReturned,
			customersStored: service.world.customers.size(),
			conversationsCreated: service.world.conversations.size(),
		}),
		customers: () => service.world.customers.all(),
		conversations: () => ({
			conversations: service.world.conversations.all(),
			callsPerNumber: service.world.conversations.callsPerNumber(),
		}),
		tickets: () => service.world.tickets.all(),
		countTickets: () => service.world.tickets.count(),
		insertTickets: (rows) => service.world.tickets.insert(z.array(ticketPart).parse(rows)),
		deleteTickets: (ids) => service.world.tickets.delete(ids),
		changeTicket: (id, set) => service.world.tickets.change(id, ticketPart.parse(set)),
		seedTickets: (count) => service.world.tickets.seed(count),
	};
}
