import { z } from 'zod/v4';
import type { BulkOperation } from '../bulk/operation';
import { runInBulk } from '../bulk/run';
import { isRecord } from '../core/json';
import type { Operation } from '../core/operation';
import { plural } from '../core/text';
import type { BatchSettings } from './createBatchInput';
import { batchSettings, planCustomers, rowParameters } from './createBatchInput';
import type { Customer } from './customer';

/** One customer that the service took, as part of a job (interface: Batch job), or has already. */
const output = z.object({
	row: z.int(),
	outcome: z.enum(['accepted', 'unchanged']),
	identifier: z.string(),
	jobId: z.string().nullable(),
	batch: z.int().nullable(),
});

type Item = Omit<z.infer<typeof output>, 'row'>;

/** All customers that the service took with one request, or all that it has already. */
interface RequestItem {
	readonly outcome: 'accepted' | 'unchanged';
	readonly jobId: string | null;
	readonly batch: number | null;
	readonly count: number;
	readonly customers: ReadonlyArray<{ readonly row: number; readonly identifier: string }>;
}

const operation: BulkOperation<Customer, BatchSettings, Item, RequestItem> = {
	settings: batchSettings,
	words: { count: (values) => plural(values, 'customer'), send: 'send', sent: 'sent' },
	ledgerScope: ({ strategy }) => `customer:createBatch:${strategy}`,
	plan: planCustomers,
	identity: {
		of: ({ identifier }) => identifier,
		describe: ({ identifier }) => `identifier (${identifier})`,
		parameter: 'customer',
	},
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
				'Check API Key and Access Token in the credential. Customer batches need both.',
			fieldsIn: ['customer'],
			...(strategy === 'insert' && { existsAdvice: 'Set Strategy to Create or Update' }),
		},
		timeoutMs,
	}),
	resendsParts: ({ isolateBadRows }) => isolateBadRows,
	storesInPart: ({ strategy, partial }) => strategy === 'insert' && partial,
	resendsChanged: ({ strategy }) => strategy === 'upsert',
	unchanged: ({ strategy, skipUnchanged, sendAllAgain }) =>
		strategy === 'upsert' && skipUnchanged ? (sendAllAgain ? 'sendAll' : 'skip') : 'ignore',
	output: {
		toIdentity: ({ identifier }) => ({ identifier }),
		toItem: ({ identifier }, { batch, reply }) => ({
			outcome: 'accepted',
			identifier,
			jobId: jobIdOf(reply),
			batch,
		}),
		toRequestItem: (accepted, batch) => ({
			outcome: 'accepted',
			jobId: jobIdOf(accepted[0]?.accepted.reply),
			batch,
			count: accepted.length,
			customers: accepted.map(({ row, value: { identifier } }) => ({ row, identifier })),
		}),
		toUnchangedItem: ({ identifier }) => ({
			outcome: 'unchanged',
			identifier,
			jobId: null,
			batch: null,
		}),
		toUnchangedItems: (unchanged) => ({
			outcome: 'unchanged',
			jobId: null,
			batch: null,
			count: unchanged.length,
			customers: unchanged.map(({ row, value: { identifier } }) => ({ row, identifier })),
		}),
		toPreview: (customer) => customer,
	},
};

function jobIdOf(reply: unknown): string | null {
	const jobId: unknown = isRecord(reply) ? reply['jobId'] : null;
	return typeof jobId === 'string' ? jobId : null;
}

/** Creates customers in batches; each batch becomes a job of the service (interface: POST /customers/batch). */
export const createBatch: Operation = {
	output,
	settings: batchSettings,
	needs: ['accessToken', 'workspaceSlug'],
	rowParameters,
	run: runInBulk(operation),
};
