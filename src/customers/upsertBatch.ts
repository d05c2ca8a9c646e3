import { z } from 'zod/v4';
import { circuitBreaker } from '../bulk/circuitBreaker';
import { ledgerGuard } from '../bulk/ledger';
import type { BulkOperation } from '../bulk/operation';
import { runInBulk } from '../bulk/run';
import type { Operation } from '../core/operation';
import { batch, sameIdentifier, toBody, toRequest } from './batch';
import type { UpsertSettings } from './batchInput';
import { rowParameters, upsertSettings } from './batchInput';
import type { Customer } from './customer';
import { newestOnly } from './newestOnly';
import { unchangedGuard } from './unchanged/unchangedGuard';

/** One customer that the service took, as part of a job (interface: Batch job), or has already. */
const output = z.object({
	row: z.int(),
	outcome: z.enum(['accepted', 'unchanged']),
	reason: z.string(),
	identifier: z.string(),
	jobId: z.string().nullable(),
	batch: z.int().nullable(),
});

const sendsSeveral = ({ duplicates }: UpsertSettings): boolean => duplicates === 'sendAll';

const operation: BulkOperation<Customer, UpsertSettings> = {
	...batch,
	settings: upsertSettings,
	guards: (settings, context) => [
		sameIdentifier(settings),
		ledgerGuard(
			{
				scope: 'customer:upsertBatch',
				contentOf: (customer) => toBody(customer, settings),
				tellsApart: sendsSeveral(settings),
				perRound: false,
			},
			context,
		),
		...(sendsSeveral(settings) ? [newestOnly<Customer>()] : []),
		unchangedGuard(
			{
				mode: settings.skipUnchanged ? 'skip' : 'ignore',
				dryRun: settings.dryRun,
				timeoutMs: settings.timeoutMs,
				toBody: (customer) => toBody(customer, settings),
			},
			context,
		),
		circuitBreaker(),
	],
	toRequest: (customers, { timeoutMs }) =>
		// Upserting the same customers twice changes nothing.
		toRequest({ customers, strategy: 'upsert' }, { idempotent: true, timeoutMs }),
	afterRejection: ({ isolateBadRows }) => (isolateBadRows ? 'parts' : 'nothing'),
	// A newer value of a customer must not overtake an older one, which may be resent.
	inOrder: sendsSeveral,
};

/** Creates customers in batches, and updates those that the service has. */
export const upsertBatch: Operation = {
	output,
	settings: upsertSettings,
	needs: ['accessToken', 'workspaceSlug'],
	rowParameters,
	run: runInBulk(operation),
};
