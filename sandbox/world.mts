import { createConversationStore } from './conversationStore.mts';
import type { ConversationStore } from './conversationStore.mts';
import { createCustomerStore } from './customerStore.mts';
import type { CustomerStore } from './customerStore.mts';
import type { RuntimeOptions } from './options.mts';
import { seededRandom } from './random.mts';
import type { Random } from './random.mts';
import { openTicketStore } from './ticketStore.mts';
import type { TicketStore } from './ticketStore.mts';

/** Everything that the four operations work on. */
export interface World {
	options: RuntimeOptions;
	readonly now: () => number;
	readonly random: Random;
	readonly tickets: TicketStore;
	readonly customers: CustomerStore;
	readonly conversations: ConversationStore;
	/** Ticket rows in all search replies so far. */
	ticketsReturned: number;
}

/** Creates a world without tickets, customers and conversations. */
export function createWorld(options: RuntimeOptions, now: () => number, seed: number): World {
	const random = seededRandom(seed);
	return {
		options,
		now,
		random,
		tickets: openTicketStore(now, random),
		customers: createCustomerStore(random),
		conversations: createConversationStore(random),
		ticketsReturned: 0,
	};
}
