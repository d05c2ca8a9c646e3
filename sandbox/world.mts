import { createConversationStore } from './conversations.mts';
import type { ConversationStore } from './conversations.mts';
import { createCustomerStore } from './customers.mts';
import type { CustomerStore } from './customers.mts';
import type { RuntimeOptions } from './options.mts';
import { seededRandom } from './random.mts';
import type { Random } from './random.mts';
import { openTicketStore } from './ticketStore.mts';
import type { TicketStore } from './ticketStore.mts';

/** The data of the four operations. */
export interface World {
	options: RuntimeOptions;
	readonly now: () => number;
	readonly random: Random;
	readonly tickets: TicketStore;
	readonly customers: CustomerStore;
	readonly conversations: ConversationStore;
	/** Counts the tickets in all replies to searches. */
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
