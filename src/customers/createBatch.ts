import isPlainObject from 'lodash/isPlainObject';
import { z } from 'zod/v4';
import type { BulkOperation } from '../bulk/operation';
import { runInBulk } from '../bulk/run';
import type { Operation } from '../core/operation';
import { plural } from '../core/text';
import type { BatchSettings } from './createBatchInput';
import { batchSettings, planCustomers, rowParameters } from './createBatchInput';
import type { Customer } from './customer';

/** One customer that the service took, as part of a job (interface: Batch job), or has already. */
const output = z.object({
	outcome: z.enum(['accepted', 'unchanged']),
	jobId: z.string().nullable(),
	batch: z.int().nullable(),
	customer: z.looseObject({
		identifier: z.string(),
		name: z.string().optional(),
		phoneNumber: z.string().optional(),
		email: z.string().optional(),
		priority: z.int().optional(),
	}),
});

/** All customers that the service took with one request, or all that it has already. */
interface RequestItem {
	readonly outcome: 'accepted' | 'unchanged';
	readonly jobId: string | null;
	readonly batch: number | null;
	readonly count: number;
	readonly customers: readonly Customer[];
}

const operation: BulkOperation<Customer, BatchSettings, z.infer<typeof output>, RequestItem> = {
	settings: batchSettings,
	words: { count: (values) => plural(values, 'customer'), send: 'send', sent: 'sent' },
	ledgerScope: ({ strategy }) => `customer:createBatch:${strategy}`,
	plan: planCustomers,
	identity: { of: ({ identifier }) => identifier, parameter: 'customer', name: 'identifier' },
	toBody: (customer, { sendSource }) =>
		sendSource ? { source: { method: 'api' }, ...customer } : customer,
	toRequest: (customers, { strategy, partial, repeatUpserts, timeoutMs }) => ({
		method: 'POST',
		path: '/customers/batch',
		// The interface allows `partial` with insert only.
		body: {
			customers,
			strategy,
			...(strategy === 'insert' && { partial }),
		},
		// Inserting the same customers twice is an error or a double; upserting them twice is not.
		idempotent: strategy === 'upsert' && repeatUpserts,
		help: {
			credentialAdvice:
				'Check API Key and Access Token in the credential; customer batches need both',
		},
		timeoutMs,
	}),
	resendsParts: ({ isolateBadRows }) => isolateBadRows,
	storesInPart: ({ strategy, partial }) => strategy === 'insert' && partial,
	resendsChanged: ({ strategy }) => strategy === 'upsert',
	unchanged: ({ strategy, skipUnchanged, sendAllAgain }) =>
		strategy === 'upsert' && skipUnchanged ? (sendAllAgain ? 'sendAll' : 'skip') : 'ignore',
	output: {
		toItem: (customer, { batch, reply }) => ({
			outcome: 'accepted',
			jobId: jobIdOf(reply),
			batch,
			customer,
		}),
		toRequestItem: (accepted, batch) => ({
			outcome: 'accepted',
			jobId: jobIdOf(accepted[0]?.accepted.reply),
			batch,
			count: accepted.length,
			customers: accepted.map(({ value }) => value),
		}),
		toUnchangedItem: (customer) => ({ outcome: 'unchanged', jobId: null, batch: null, customer }),
		toUnchangedItems: (customers) => ({
			outcome: 'unchanged',
			jobId: null,
			batch: null,
			count: customers.length,
			customers,
		}),
		toPreview: (customer) => customer,
	},
};

function jobIdOf(reply: unknown): string | null {
	const jobId: unknown = isPlainObject(reply) ? Reflect.get(Object(reply), 'jobId') : null;
	return typeof jobId === 'string' ? jobId : null;
}

/** Creates customers in batches; each batch becomes a job of the service (interface: POST /customers/batch). */
export const createBatch: Operation = {
	output,
	settings: batchSettings,
	rowParameters,
	run: runInBulk(operation),
};
