import { z } from 'zod/v4';
import { circuitBreaker } from '../bulk/circuitBreaker';
import { ledgerGuard } from '../bulk/ledger';
import type { BulkOperation } from '../bulk/operation';
import { runInBulk } from '../bulk/run';
import type { Operation } from '../core/operation';
import { batch, sameIdentifier, toBody, toRequest } from './batch';
import type { InsertSettings } from './batchInput';
import { insertSettings, rowParameters } from './batchInput';
import type { Customer } from './customer';
import { unchangedGuard } from './unchanged/unchangedGuard';

/** One customer that the service took, as part of a job (interface: Batch job). */
const output = z.object({
	row: z.int(),
	outcome: z.enum(['accepted']),
	reason: z.string(),
	identifier: z.string(),
	jobId: z.string().nullable(),
	batch: z.int().nullable(),
});

const operation: BulkOperation<Customer, InsertSettings> = {
	...batch,
	settings: insertSettings,
	guards: (settings, context) => [
		sameIdentifier(settings),
		ledgerGuard(
			{
				scope: 'customer:createBatch',
				tellsApart: settings.duplicates === 'sendAll',
				perRound: false,
			},
			context,
		),
		// A node that was switched to this operation keeps what its upserts remember, which is no longer all that was sent.
		unchangedGuard(
			{
				mode: 'ignore',
				dryRun: settings.dryRun,
				timeoutMs: settings.timeoutMs,
				toBody: (customer) => toBody(customer, settings),
			},
			context,
		),
		circuitBreaker(),
	],
	toRequest: (customers, { partial, timeoutMs }) =>
		toRequest(
			{ customers, strategy: 'insert', partial },
			// Inserting the same customers twice is an error or a double.
			{ idempotent: false, timeoutMs, existsAdvice: 'Use Create or Update Batch' },
		),
	afterRejection: ({ partial, isolateBadRows }) =>
		partial ? 'maybeStored' : isolateBadRows ? 'parts' : 'nothing',
};

/** Creates customers in batches. */
export const createBatch: Operation = {
	output,
	settings: insertSettings,
	needs: ['accessToken', 'workspaceSlug'],
	rowParameters,
	run: runInBulk(operation),
};
