import { z } from 'zod/v4';
import { randomUuid } from './random.mts';
import type { Random } from './random.mts';
import { json, refusal } from './reply.mts';
import type { Issue, Reply } from './reply.mts';
import type { World } from './world.mts';

/** The schema of a phone number in E.164: a plus sign and up to 15 digits. */
export const phoneNumber = z.string().regex(/^\+[1-9]\d{1,14}$/, {
	error: 'Invalid phone number: expected E.164 format',
});

/** The schema of one customer (interface: Customer, create payload item). */
const customerSchema = z.strictObject({
	identifier: z.string().min(1),
	name: z.string().optional(),
	phoneNumber: phoneNumber.optional(),
	email: z.email().optional(),
	metadata: z
		.union([z.record(z.string(), z.unknown()), z.string(), z.number(), z.boolean(), z.null()])
		.optional(),
	priority: z.int().min(0).default(5),
	source: z.strictObject({ method: z.literal('api') }).optional(),
	isDoNotDisturbEnabled: z.boolean().optional(),
	id: z.uuid().optional(),
});

type Customer = z.infer<typeof customerSchema>;

/** The schema of a batch, without its customers (interface: POST /customers/batch). */
const customerBatch = z
	.strictObject({
		customers: z.array(z.unknown()),
		strategy: z.enum(['insert', 'upsert']).default('insert'),
		partial: z.boolean().default(false),
	})
	.refine(({ strategy, partial }) => !(partial && strategy === 'upsert'), {
		path: ['partial'],
		error: 'partial is only valid when strategy is insert',
	});

/** A stored customer and the counts of its requests. */
export interface StoredCustomer {
	customer: Customer & { id: string };
	/** Counts the inserts: 0 or 1. */
	inserts: number;
	/** Counts the upserts. */
	upserts: number;
	/** Counts the inserts that were refused because the customer existed. */
	refusals: number;
	jobIds: string[];
}

/** The customers of the sandbox, by identifier. */
export type CustomerStore = ReturnType<typeof createCustomerStore>;

/** Creates an empty store of customers. */
export function createCustomerStore(random: Random) {
	const byIdentifier = new Map<string, StoredCustomer>();
	return {
		size: () => byIdentifier.size,
		all: () => [...byIdentifier.values()],
		clear: () => byIdentifier.clear(),
		has: (identifier: string) => byIdentifier.has(identifier),
		write: (strategy: 'insert' | 'upsert', customer: Customer, jobId: string): void => {
			const before = byIdentifier.get(customer.identifier);
			const id = customer.id ?? before?.customer.id ?? randomUuid(random);
			const { inserts = 0, upserts = 0, refusals = 0, jobIds = [] } = before ?? {};
			byIdentifier.set(customer.identifier, {
				// The document does not say that an upsert keeps missing fields.
				customer: { ...before?.customer, ...customer, id },
				inserts: inserts + Number(strategy === 'insert'),
				upserts: upserts + Number(strategy === 'upsert'),
				refusals,
				jobIds: [...jobIds, jobId],
			});
		},
		refuse: (identifier: string): void => {
			const stored = byIdentifier.get(identifier);
			if (stored) stored.refusals += 1;
		},
	};
}

/** Stores all customers of a batch or none, or with `partial` those without errors (POST /customers/batch). */
export function createCustomers(world: World, body: unknown): Reply {
	const envelope = customerBatch.safeParse(body);
	if (!envelope.success) return refusal(400, envelope.error.issues as Issue[]);
	const { customers, strategy, partial } = envelope.data;
	const valid: Customer[] = [];
	const issues: Issue[] = [];
	const seen = new Set<string>();
	for (const [index, row] of customers.entries()) {
		const { success, data, error } = customerSchema.safeParse(row);
		if (!success) {
			const path = ['customers', index];
			issues.push(
				...error.issues.map(({ code, message, path: member }) => ({
					code,
					message,
					path: [...path, ...member],
				})),
			);
			continue;
		}
		const { identifier } = data;
		if (strategy === 'insert' && (world.customers.has(identifier) || seen.has(identifier))) {
			world.customers.refuse(identifier);
			issues.push({
				path: ['customers', index, 'identifier'],
				message: 'A customer with this identifier already exists',
				code: 'custom',
			});
			continue;
		}
		seen.add(identifier);
		valid.push(data);
	}
	if (issues.length > 0 && !partial) return refusal(400, issues);
	const jobId = randomUuid(world.random);
	for (const customer of valid) world.customers.write(strategy, customer, jobId);
	return json(200, { jobId });
}
