import isPlainObject from 'lodash/isPlainObject';
import memoize from 'lodash/memoize';
import { z } from 'zod/v4';
import { listed } from '../bulk/listed';
import type { BulkItem } from '../bulk/run';
import { inBulk } from '../bulk/run';
import { choice, seconds, timeout, trueOrFalse, wholeNumber } from '../core/fields';
import type { Operation } from '../core/operation';
import { parsedOnce } from '../core/parsedOnce';
import { countryCode } from '../core/phoneNumber';
import type { Request } from '../core/request';
import type { Customer } from './customer';
import { customerSchema, mappedCustomer } from './customer';
import { prepare } from './prepare';

/** The most bytes of customers in one request; the interface shows no limit. */
const LARGEST_BODY = 4_000_000;

const options = parsedOnce(
	z.looseObject({
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
	}),
).prefault({});

const shared = {
	strategy: choice(['insert', 'upsert']).default('insert'),
	partial: trueOrFalse.optional(),
	options,
};

const input = z.preprocess(
	prepare,
	z.discriminatedUnion(
		'inputMode',
		[
			z.object({ inputMode: z.literal('fields'), customer: mappedCustomer, ...shared }),
			z.object({
				inputMode: z.literal('json'),
				customersJson: listed(customerSchema, 'customer'),
				...shared,
			}),
		],
		{ error: 'must be one of fields, json' },
	),
);

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

/** What of the options has to be the same for rows that share requests; most rows share their options as well. */
const groupOf = memoize((chosen: z.infer<typeof options>): string =>
	JSON.stringify([
		chosen.sendSource,
		chosen.dryRun,
		chosen.repeatUpserts,
		chosen.isolateBadRows,
		chosen.outputAs,
	]),
);
groupOf.cache = new WeakMap();

const DUPLICATES = { keepFirst: 'first', keepLast: 'last', sendAll: 'all', stop: 'stop' } as const;

/** Creates customers in batches; each batch becomes a job of the service (interface: POST /customers/batch). */
export const createBatch: Operation<BulkItem<z.infer<typeof output>, CustomersOfRequest>> = {
	output,
	run: inBulk({
		input,
		identity: {
			of: ({ identifier }: Customer) => identifier,
			field: 'customer',
			name: 'identifier',
		},
		order: (row) => ({
			values: row.inputMode === 'json' ? row.customersJson : [row.customer],
			group: `${row.strategy} ${String(row.partial)} ${groupOf(row.options)}`,
			invalidRows: row.options.invalidRows,
			duplicates: DUPLICATES[row.options.duplicates],
			dryRun: row.options.dryRun,
			outputAs: row.options.outputAs,
		}),
		bulk: (first) => ({
			operation: `customer:createBatch:${first.strategy}`,
			size: { count: first.options.batchSize, bytes: LARGEST_BODY },
			parallel: first.options.parallelRequests,
			pause: first.options.pause * 1000,
			request: (customers) => batchRequest(customers, first),
			list: 'customers',
			// A plain insert that was refused may have been stored in part, so that it must not go again.
			isolate:
				first.options.isolateBadRows && (first.strategy === 'upsert' || first.partial === true),
		}),
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

function batchRequest(customers: readonly Customer[], first: z.infer<typeof input>): Request {
	const { strategy, partial } = first;
	return {
		method: 'POST',
		path: '/customers/batch',
		body: {
			customers: first.options.sendSource
				? customers.map((customer) => ({ source: { method: 'api' }, ...customer }))
				: customers,
			strategy,
			// The interface allows `partial` with insert only.
			...(strategy === 'insert' && partial !== undefined && { partial }),
		},
		// Inserting the same customers twice is an error or a double; upserting them twice is not.
		repeatable: strategy === 'upsert' && first.options.repeatUpserts,
		timeout: first.options.timeout,
	};
}
