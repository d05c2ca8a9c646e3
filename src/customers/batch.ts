import get from 'lodash/get';
import omit from 'lodash/omit';
import uniq from 'lodash/uniq';
import { z } from 'zod/v4';
import { duplicatesGuard } from '../bulk/duplicates';
import { ledgerGuard } from '../bulk/ledger';
import { runInBulk } from '../bulk/run';
import type { Operation } from '../core/operation';
import { plural } from '../core/words';
import type { BatchSettings } from './batchSettings';
import { batchSettings } from './batchSettings';
import type { Customer } from './customer';
import { rememberMarksGuard } from './holdMarks';
import { readCustomers } from './readCustomers';
import { unchangedGuard } from './unchanged/unchangedGuard';

/** Makes the operation that sends customers in batches; each becomes a job of the service (interface: POST /customers/batch). */
function customerBatch(strategy: 'insert' | 'upsert'): Operation {
	const isUpsert = strategy === 'upsert';
	const scope = `customer:${isUpsert ? 'upsertBatch' : 'createBatch'}`;
	// A newer row of a customer must not overtake an older one.
	const settings = batchSettings.transform((chosen) =>
		isUpsert && chosen.duplicates === 'sendAll' ? { ...chosen, parallelRequests: 1 } : chosen,
	);
	return {
		output: z.object({
			row: z.int(),
			outcome: z.enum(isUpsert ? ['accepted', 'unchanged'] : ['accepted']),
			reason: z.string(),
			identifier: z.string(),
			jobId: z.string().nullable(),
			request: z.int().nullable(),
		}),
		settings,
		needs: ['accessToken', 'workspaceSlug'],
		rowParameters: ['customer', 'customersJson', 'doNotDisturbColumn', 'options.defaultCountry'],
		run: runInBulk<Customer, BatchSettings>({
			settings,
			words: { count: (count) => plural(count, 'customer'), send: 'send', sent: 'sent' },
			read: readCustomers,
			identityOf: ({ identifier }) => identifier,
			guards: (chosen, context) => {
				const { duplicates } = chosen;
				const contentOf = isUpsert ? (customer: Customer) => customer : undefined;
				return [
					duplicatesGuard(duplicates, ({ identifier }) => `identifier (${identifier})`),
					rememberMarksGuard(context),
					ledgerGuard(
						{ scope, contentOf, tellsApart: duplicates === 'sendAll', perRound: false },
						context,
					),
					// After inserts, the digests of earlier upserts are outdated.
					unchangedGuard({ ...chosen, skipUnchanged: isUpsert && chosen.skipUnchanged }, context),
				];
			},
			toRequest: (customers, { partial, timeoutMs }) => ({
				method: 'POST',
				path: '/customers/batch',
				body: { customers, strategy, ...(isUpsert ? {} : { partial }) },
				help: {
					credentialAdvice:
						'Check API Key and Access Token in the credential. Customer batches need both.',
					fieldsParameter: ['customer'],
					namedAdvice: isUpsert
						? undefined
						: 'Correct it, or use Create or Update Batch for customers that exist',
				},
				// Upserting a customer twice changes nothing; inserting one twice is an error or a double.
				idempotent: isUpsert,
				timeoutMs,
			}),
			// The response has a job of the whole request, and nothing about single customers.
			judge: (accepted, customers) => customers.map(() => accepted),
			mayStorePart: ({ partial }) => partial && !isUpsert,
			toFields: ({ identifier }, accepted) => ({
				identifier,
				jobId: readJobId(accepted),
				request: accepted?.request ?? null,
			}),
			toPreview: (customer) => omit(customer, 'source'),
			toRunFields: ({ entries }) => ({
				jobIds: uniq(entries.flatMap(({ outcome }) => readJobId(outcome) ?? [])),
			}),
		}),
	};
}

function readJobId(outcome: unknown): string | null {
	const jobId: unknown = get(outcome, 'reply.jobId');
	return typeof jobId === 'string' ? jobId : null;
}

/** Creates customers in batches. */
export const createBatch = customerBatch('insert');

/** Creates customers in batches, and updates those that exist. */
export const upsertBatch = customerBatch('upsert');
