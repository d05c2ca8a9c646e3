import isPlainObject from 'lodash/isPlainObject';
import { z } from 'zod/v4';
import type { Bulk } from '../bulk/bulk';
import { listed } from '../bulk/listed';
import type { Checked, Terms } from '../bulk/order';
import type { BulkItem } from '../bulk/run';
import { inBulk } from '../bulk/run';
import { choice, seconds, timeout, trueOrFalse, wholeNumber } from '../core/fields';
import type { Problem } from '../core/failures';
import type { Operation, Row } from '../core/operation';
import { problemsOf } from '../core/operation';
import { countryCode } from '../core/phoneNumber';
import type { Request } from '../core/request';
import type { Result } from '../core/result';
import { fail, ok } from '../core/result';
import { sharedParameters } from '../core/sharedParameters';
import type { Customer } from './customer';
import { customerSchema, mappedCustomer } from './customer';
import { prepare } from './prepare';

/** The most bytes of customers in one request; the interface shows no limit. */
const LARGEST_BODY = 4_000_000;

const options = z
	.looseObject({
		batchSize: wholeNumber(1).default(500),
		pause: seconds.default(0),
		timeout: timeout.prefault(120),
		parallelRequests: wholeNumber(1, 20).default(4),
		defaultCountryCode: countryCode.default(''),
		remainingColumns: choice(['ignore', 'metadata']).default('ignore'),
		dryRun: trueOrFalse.default(false),
		duplicates: choice(['keepFirst', 'keepLast', 'sendAll', 'stop']).default('keepFirst'),
		invalidRows: choice(['stop', 'sendValid']).default('sendValid'),
		outputAs: choice(['rows', 'requests']).default('rows'),
		isolateBadRows: trueOrFalse.default(false),
		sendSource: trueOrFalse.default(true),
		repeatUpserts: trueOrFalse.default(true),
	})
	.prefault({});

const settings = {
	strategy: choice(['insert', 'upsert']).default('insert'),
	partial: trueOrFalse.optional(),
	options,
};

const DUPLICATES = { keepFirst: 'first', keepLast: 'last', sendAll: 'all', stop: 'stop' } as const;

const readTerms = sharedParameters(settings, (chosen): Terms<Customer> => ({
	group: JSON.stringify([
		chosen.strategy,
		chosen.partial,
		chosen.options.sendSource,
		chosen.options.dryRun,
		chosen.options.repeatUpserts,
		chosen.options.isolateBadRows,
		chosen.options.outputAs,
	]),
	invalidRows: chosen.options.invalidRows,
	duplicates: DUPLICATES[chosen.options.duplicates],
	dryRun: chosen.options.dryRun,
	outputAs: chosen.options.outputAs,
	bulk: () => bulkOf(chosen),
}));

type Settings = z.infer<z.ZodObject<typeof settings>>;

const customersJson = listed(customerSchema, 'customer');

/** The customers of one row: the fields of its columns, or those of a JSON parameter. */
function readCustomers(parameters: object): Result<readonly Customer[], readonly Problem[]> {
	const inputMode: unknown = Reflect.get(parameters, 'inputMode');
	if (inputMode === 'fields') {
		const customer = mappedCustomer.safeParse(prepare(parameters));
		return customer.success ? ok([customer.data]) : fail(problemsOf(customer.error, ['customer']));
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

const bulkOf = (chosen: Settings): Bulk<Customer> => ({
	operation: `customer:createBatch:${chosen.strategy}`,
	size: { count: chosen.options.batchSize, bytes: LARGEST_BODY },
	parallel: chosen.options.parallelRequests,
	pause: chosen.options.pause * 1000,
	request: (customers) => batchRequest(customers, chosen),
	list: 'customers',
	// A plain insert that was refused may have been stored in part, so that it must not go again.
	isolate:
		chosen.options.isolateBadRows && (chosen.strategy === 'upsert' || chosen.partial === true),
});

function batchRequest(customers: readonly Customer[], chosen: Settings): Request {
	const { strategy, partial } = chosen;
	return {
		method: 'POST',
		path: '/customers/batch',
		body: {
			customers: chosen.options.sendSource
				? customers.map((customer) => ({ source: { method: 'api' }, ...customer }))
				: customers,
			strategy,
			// The interface allows `partial` with insert only.
			...(strategy === 'insert' && partial !== undefined && { partial }),
		},
		// Inserting the same customers twice is an error or a double; upserting them twice is not.
		repeatable: strategy === 'upsert' && chosen.options.repeatUpserts,
		timeout: chosen.options.timeout,
	};
}
