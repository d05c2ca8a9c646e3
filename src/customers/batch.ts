import { get, map, omit, uniq } from 'lodash';
import { z } from 'zod/v4';
import { duplicatesGuard } from '../bulk/duplicates';
import { ledgerGuard } from '../bulk/ledger';
import { runInBulk } from '../bulk/run';
import type { Operation } from '../core/operation';
import { batchSettings, type BatchSettings } from './batchSettings';
import type { Customer } from './customer';
import { readCustomers } from './readCustomers';
import { unchangedGuard } from './unchanged/unchangedGuard';

const CREDENTIAL_ADVICE =
	'Check API Key and Access Token in the credential. Customer batches need both.';
const UPDATE_ADVICE = 'Correct it, or use Create or Update Batch for customers that exist';

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
			words: { one: 'customer', many: 'customers', send: 'send', sent: 'sent' },
			read: readCustomers,
			identityOf: ({ identifier }) => identifier,
			guards: async (chosen, context) => {
				const { duplicates } = chosen;
				const distinguishesDuplicates = duplicates === 'sendAll';
				const skipUnchanged = isUpsert && chosen.skipUnchanged;
				return [
					duplicatesGuard(duplicates, ({ identifier }) => `identifier (${identifier})`),
					ledgerGuard({ scope, resendsChanged: isUpsert, distinguishesDuplicates }, context),
					// Inserts need it as well, because they make the saved state of earlier upserts outdated.
					await unchangedGuard({ ...chosen, skipUnchanged }, context),
				];
			},
			toRequest: (customers, { partial, timeoutMs }) => ({
				method: 'POST',
				path: '/customers/batch',
				body: { customers, strategy, ...(isUpsert ? {} : { partial }) },
				help: {
					credentialAdvice: CREDENTIAL_ADVICE,
					fieldsParameter: ['customer'],
					namedAdvice: isUpsert ? undefined : UPDATE_ADVICE,
				},
				// Upserting a customer twice changes nothing; inserting one twice is an error or a double.
				idempotent: isUpsert,
				timeoutMs,
			}),
			mayStorePart: ({ partial }) => partial && !isUpsert,
			toFields: ({ identifier }, accepted) => {
				const jobId: unknown = get(accepted, 'reply.jobId');
				const request = accepted?.request ?? null;
				return { identifier, jobId: typeof jobId === 'string' ? jobId : null, request };
			},
			// `source` is the same for every customer.
			toPreview: (customer) => omit(customer, 'source'),
			toRunFields: ({ entries }) => ({
				jobIds: uniq(map(entries, 'outcome.reply.jobId')).filter((id) => typeof id === 'string'),
			}),
		}),
	};
}

/** Creates customers in batches. */
export const createBatch = customerBatch('insert');

/** Creates customers in batches, and updates those that exist. */
export const upsertBatch = customerBatch('upsert');
