import isPlainObject from 'lodash/isPlainObject';
import { z } from 'zod/v4';
import { listed } from '../bulk/listed';
import type { Checked } from '../bulk/order';
import type { BulkItem } from '../bulk/run';
import { inBulk } from '../bulk/run';
import type { Problem } from '../core/failures';
import type { Operation, Row } from '../core/operation';
import { problemsOf } from '../core/operation';
import type { Result } from '../core/result';
import { fail, ok } from '../core/result';
import type { Customer } from './customer';
import { customerSchema, readMapped } from './customer';
import { prepare } from './prepare';
import { readTerms } from './terms';

const customersJson = listed(customerSchema, 'customer');

/** The customers of one row: the fields of its columns, or those of a JSON parameter. */
function readCustomers(parameters: object): Result<readonly Customer[], readonly Problem[]> {
	const inputMode: unknown = Reflect.get(parameters, 'inputMode');
	if (inputMode === 'fields') {
		const customer = readMapped(prepare(parameters));
		return customer.ok
			? ok([customer.value])
			: fail(customer.failure.map((each) => ({ ...each, path: ['customer', ...each.path] })));
	}
	if (inputMode === 'json') {
		const many = customersJson.safeParse(Reflect.get(parameters, 'customersJson'));
		return many.success ? ok(many.data) : fail(problemsOf(many.error, ['customersJson']));
	}
	return fail([{ path: ['inputMode'], message: 'must be one of fields, json' }]);
}

/** Checks one row. */
function read(row: Row): Checked<Customer> {
	if (row.problems !== undefined) return row;
	const parameters = Object(row.parameters) as object;
	const customers = readCustomers(parameters);
	const terms = readTerms(parameters);
	if (customers.ok && terms.ok) return { values: customers.value, terms: terms.value };
	return {
		problems: [...(customers.ok ? [] : customers.failure), ...(terms.ok ? [] : terms.failure)],
	};
}

/** One customer that the service took, as part of a job (interface: Batch job). */
const output = z.object({
	outcome: z.literal('accepted'),
	jobId: z.string().nullable(),
	batch: z.int(),
	customer: z.looseObject({
		identifier: z.string(),
		name: z.string().optional(),
		phoneNumber: z.string().optional(),
		email: z.string().optional(),
		priority: z.int().optional(),
	}),
});

/** All customers that the service took with one request. */
interface CustomersOfRequest {
	readonly outcome: 'accepted';
	readonly jobId: string | null;
	readonly batch: number;
	readonly count: number;
	readonly customers: readonly Customer[];
}

function jobIdOf(body: unknown): string | null {
	const jobId: unknown = isPlainObject(body) ? Reflect.get(Object(body), 'jobId') : null;
	return typeof jobId === 'string' ? jobId : null;
}

/** Creates customers in batches; each batch becomes a job of the service (interface: POST /customers/batch). */
export const createBatch: Operation<BulkItem<z.infer<typeof output>, CustomersOfRequest>> = {
	output,
	run: inBulk({
		read,
		identity: {
			of: ({ identifier }: Customer) => identifier,
			field: 'customer',
			name: 'identifier',
		},
		show: {
			one: (customer, { batch, reply: body }) => ({
				outcome: 'accepted' as const,
				jobId: jobIdOf(body),
				batch,
				customer,
			}),
			all: (taken, batch): CustomersOfRequest => ({
				outcome: 'accepted',
				jobId: jobIdOf(taken[0]?.accepted.reply),
				batch,
				count: taken.length,
				customers: taken.map(({ value }) => value),
			}),
		},
	}),
};
