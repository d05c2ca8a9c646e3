import { z } from 'zod/v4';

/** A phone number in E.164: a plus sign and up to 15 digits. */
export const phoneNumber = z.string().regex(/^\+[1-9]\d{1,14}$/, {
	error: 'Invalid phone number: expected E.164 format',
});

/** One customer of a batch (interface: Customer, create payload item). */
export const customer = z.strictObject({
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

/** A customer that passed the schema. */
export type Customer = z.infer<typeof customer>;

/** A batch of customers that are not checked yet (interface: POST /customers/batch). */
export const customerBatch = z
	.strictObject({
		customers: z.array(z.unknown()),
		strategy: z.enum(['insert', 'upsert']).default('insert'),
		partial: z.boolean().default(false),
	})
	.refine(({ strategy, partial }) => !(partial && strategy === 'upsert'), {
		path: ['partial'],
		error: 'partial is only valid when strategy is insert',
	});
