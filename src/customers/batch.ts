import get from 'lodash/get';
import { z } from 'zod/v4';
import { duplicatesGuard } from '../bulk/duplicates';
import { ledgerGuard } from '../bulk/ledger';
import { newestOnly } from '../bulk/newestOnly';
import type { OutputMapper } from '../bulk/operation';
import type { AcceptedOutcome, Outcome } from '../bulk/outcomes';
import { runInBulk } from '../bulk/run';
import type { Operation } from '../core/operation';
import { plural } from '../core/words';
import type { BatchSettings } from './batchSettings';
import { batchSettings } from './batchSettings';
import type { Customer } from './customer';
import { toBody } from './customer';
import { rememberMarks } from './holdMarks';
import { readCustomers } from './readCustomers';
import { unchangedGuard } from './unchanged/unchangedGuard';

/** Sends customers in batches, each becomes a job of the service (interface: POST /customers/batch). */
function customerBatch(
	strategy: 'insert' | 'upsert',
	outcomes: readonly ['accepted', ...string[]],
): Operation {
	const isUpsert = strategy === 'upsert';
	return {
		output: z.object({
			row: z.int(),
			outcome: z.enum(outcomes),
			reason: z.string(),
			identifier: z.string(),
			jobId: z.string().nullable(),
			batch: z.int().nullable(),
		}),
		settings: batchSettings,
		needs: ['accessToken', 'workspaceSlug'],
		rowParameters: ['customer', 'customersJson', 'doNotDisturbColumn', 'options.defaultCountry'],
		run: runInBulk<Customer, BatchSettings>({
			settings: batchSettings,
			words: { count: (values) => plural(values, 'customer'), send: 'send', sent: 'sent' },
			read: readCustomers,
			identityOf: ({ identifier }) => identifier,
			toBody,
			// The response has a job of the whole request, and nothing of single customers.
			judge: (reply, customers) =>
				customers.map(() => ({ kind: 'accepted', reply, paired: false })),
			output,
			guards: (settings, context) => [
				duplicatesGuard({
					duplicates: settings.duplicates,
					describe: ({ identifier }) => `identifier (${identifier})`,
					parameter: 'customer',
				}),
				rememberMarks(context),
				ledgerGuard(
					{
						tellsApart: sendsAll(settings),
						perRound: false,
						scope: `customer:${isUpsert ? 'upsertBatch' : 'createBatch'}`,
						contentOf: isUpsert ? (customer) => toBody(customer, settings) : undefined,
					},
					context,
				),
				...(isUpsert && sendsAll(settings) ? [newestOnly<Customer>()] : []),
				// A node that was switched to inserts keeps what its upserts remember, which is no longer all that was sent.
				unchangedGuard({ ...settings, skipUnchanged: isUpsert && settings.skipUnchanged }, context),
			],
			toRequest: (customers, { partial, timeoutMs }) => ({
				method: 'POST',
				path: '/customers/batch',
				body: { customers, strategy, ...(isUpsert ? {} : { partial }) },
				help: {
					credentialAdvice:
						'Check API Key and Access Token in the credential. Customer batches need both.',
					fieldsIn: ['customer'],
					namedAdvice: isUpsert
						? undefined
						: 'Correct it, or use Create or Update Batch for customers that exist',
				},
				// Upserting the same customers twice changes nothing; inserting them twice is an error or a double.
				idempotent: isUpsert,
				timeoutMs,
			}),
			afterRejection: ({ partial, isolateBadRows }) =>
				partial && !isUpsert ? 'maybeStored' : isolateBadRows ? 'parts' : 'nothing',
			// A newer value of a customer must not overtake an older one, which may be resent.
			inOrder: (settings) => isUpsert && sendsAll(settings),
		}),
	};
}

const sendsAll = ({ duplicates }: BatchSettings): boolean => duplicates === 'sendAll';

const jobIdFrom = (outcome: Outcome | undefined): string | null => {
	const jobId: unknown = get(outcome, 'reply.jobId');
	return typeof jobId === 'string' ? jobId : null;
};

const toFields = ({ identifier }: Customer, accepted?: AcceptedOutcome) => ({
	outcome: accepted ? 'accepted' : 'unchanged',
	identifier,
	jobId: jobIdFrom(accepted),
	batch: accepted?.batch ?? null,
});

const output: OutputMapper<Customer> = {
	toIdentity: ({ identifier }) => ({ identifier }),
	toItem: toFields,
	toRequestItem: (accepted, batch) => ({
		outcome: 'accepted',
		jobId: jobIdFrom(accepted[0]?.outcome),
		batch,
		count: accepted.length,
		customers: accepted.map(({ row, content: { identifier } }) => ({ row: row + 1, identifier })),
	}),
	toUnchangedItem: (customer) => toFields(customer),
	toPreview: (customer) => ({ ...customer }),
};

/** Creates customers in batches. */
export const createBatch = customerBatch('insert', ['accepted']);

/** Creates customers in batches, and updates those that the service has. */
export const upsertBatch = customerBatch('upsert', ['accepted', 'unchanged']);
