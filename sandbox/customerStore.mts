import { randomUuid } from './random.mts';
import type { Random } from './random.mts';
import type { Customer } from './customerSchema.mts';

/** A stored customer with how often it was sent. */
export interface StoredCustomer {
	customer: Customer & { id: string };
	/** How often it was stored as new: 0 or 1. */
	inserts: number;
	/** How often an upsert wrote it. */
	upserts: number;
	/** How often an insert was refused because it was there already. */
	refusals: number;
	jobIds: string[];
}

/** The customers of the sandbox, by identifier. */
export type CustomerStore = ReturnType<typeof createCustomerStore>;

/** Creates an empty store of customers. */
export function createCustomerStore(random: Random) {
	const byIdentifier = new Map<string, StoredCustomer>();

	const write = (customer: Customer, jobId: string): StoredCustomer => {
		const known = byIdentifier.get(customer.identifier);
		const id = customer.id ?? known?.customer.id ?? randomUuid(random);
		const stored = known ?? { inserts: 0, upserts: 0, refusals: 0, jobIds: [], customer };
		// Upsert matches on `identifier` and keeps what it was not given: the document does not say.
		const record = { ...stored, customer: { ...known?.customer, ...customer, id } };
		record.jobIds = [...stored.jobIds, jobId];
		byIdentifier.set(customer.identifier, record);
		return record;
	};

	return {
		size: () => byIdentifier.size,
		all: () => [...byIdentifier.values()],
		clear: () => byIdentifier.clear(),
		has: (identifier: string) => byIdentifier.has(identifier),
		insert: (customer: Customer, jobId: string) => {
			write(customer, jobId).inserts += 1;
		},
		upsert: (customer: Customer, jobId: string) => {
			write(customer, jobId).upserts += 1;
		},
		refuse: (identifier: string) => {
			const known = byIdentifier.get(identifier);
			if (known) known.refusals += 1;
		},
	};
}
