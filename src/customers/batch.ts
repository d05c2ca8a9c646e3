import { get, omit } from 'lodash';
import { z } from 'zod/v4';
import { duplicatesRule } from '../bulk/duplicates';
import { openLedger } from '../bulk/ledger';
import { toRejected, toUnknown, type Accepted, type Outcome } from '../bulk/outcomes';
import { filterPending, type Rule } from '../bulk/plan';
import { runInBulk, unsent } from '../bulk/run';
import { findReportedError } from '../core/apiError';
import type { DeclaredParameters, Operation } from '../core/operation';
import { isBlank } from '../core/plainText';
import { describeMarks } from '../core/readMark';
import { plural } from '../core/words';
import { batchSettings, type BatchSettings } from './batchSettings';
import type { Customer } from './customer';
import { readCustomers } from './readCustomers';

const CREDENTIAL_ADVICE =
	'Check API Key and Access Token in the credential. Customer batches need both.';
const UPDATE_ADVICE = 'Correct it, or use Create or Update Batch for customers that exist';

/** Max customers that a tool of an agent sends per call, because no one checks what a model makes up. */
const MAX_TOOL_CUSTOMERS = 50;

/** Stops a call of a tool with more customers than a tool may send. */
const toolLimitRule: Rule<Customer> = ({ entries }) => {
	const { length } = filterPending(entries);
	if (length <= MAX_TOOL_CUSTOMERS) return {};
	const stop = `${plural(length, 'customer')} are more than the ${MAX_TOOL_CUSTOMERS} that a tool of an agent may send per call`;
	return { stop };
};

/** The parameters of both operations. */
const parameters: DeclaredParameters = {
	dryRun: { needsColumns: 'all' },
	doNotDisturbColumn: { isColumnName: true },
	consentColumn: { isColumnName: true },
	customer: { perRow: true, byModel: true, needsColumns: 'part', gap: 'isAllowed' },
	'customer.value.identifier': { gap: 'clearsText' },
	'customer.value.phoneNumber': { gap: 'clearsText' },
	'customer.value.email': { gap: 'clearsText' },
	'customer.value.id': { gap: 'clearsText' },
	'customer.value.priority': { gap: 'clearsText' },
	'customer.value.isDoNotDisturbEnabled': { needsColumns: 'all' },
	customerJson: { perRow: true, byModel: true, gap: 'isAllowed' },
	'options.defaultCountry': { perRow: true },
};

/** Defines an operation that sends customers in batches (interface: POST /customers/batch). Only `upsert` updates existing customers. */
function defineBatchOperation(strategy: 'insert' | 'upsert'): Operation {
	const isUpsert = strategy === 'upsert';
	return {
		output: z.object({
			outcome: z.literal('accepted'),
			reason: z.string(),
			identifier: z.string(),
			jobId: z.string().nullable(),
			row: z.int(),
			request: z.int().nullable(),
		}),
		settings: batchSettings,
		needs: ['accessToken', 'workspaceSlug'],
		unsent,
		parameters,
		run: runInBulk<Customer, BatchSettings>({
			settings: batchSettings,
			words: {
				one: 'customer',
				many: 'customers',
				send: 'send',
				sent: 'sent',
				accepted: 'accepted',
			},
			describeAudience: ({ marks, isAutomatic }) => {
				if (!marks) return 'No column says who must not be called';
				// Without automatic mapping, the mark is a field of the mapper or of JSON.
				return isAutomatic ? describeMarks(marks) : '';
			},
			read: readCustomers,
			identityOf: ({ identifier }) => identifier,
			openSafeguards: ({ duplicates, asTool }, context) => {
				const describe = ({ identifier }: Customer) => `identifier (${identifier})`;
				const keepOne = duplicatesRule(duplicates, describe);
				const limits = asTool ? [toolLimitRule] : [];
				// An upsert may be sent again, because that changes nothing.
				if (isUpsert) return { rules: [keepOne, ...limits] };
				const ledger = openLedger<Customer>('customer:createBatch', context);
				return { rules: [keepOne, ledger.recall, ...limits], openGate: () => ledger };
			},
			toRequest: (customers, { partial, timeoutMs }) => ({
				method: 'POST',
				path: '/customers/batch',
				body: { customers, strategy, ...(isUpsert ? {} : { partial }) }, // Only an insert has `partial`.
				help: {
					credentialAdvice: CREDENTIAL_ADVICE,
					fieldsParameter: ['customer'],
					namedAdvice: isUpsert ? undefined : UPDATE_ADVICE,
				},
				// The interface does not show whether a repeated insert is rejected or creates duplicates.
				idempotent: isUpsert,
				timeoutMs,
			}),
			readOutcomes: (accepted, customers) => customers.map(() => readBatchOutcome(accepted)),
			mayStorePart: ({ partial }) => partial && !isUpsert,
			fields: ['identifier', 'jobId'],
			toFields: ({ identifier }, accepted) => ({
				identifier,
				jobId: readJobId(accepted?.reply),
				request: accepted?.request ?? null,
			}),
			// `source` is the same for every customer.
			toPreview: (customer) => omit(customer, 'source'),
		}),
	};
}

/** Reads the ID of the job that the service started for a batch; null if the response has none. */
function readJobId(reply: unknown): string | null {
	const jobId: unknown = get(reply, 'jobId');
	return typeof jobId === 'string' && !isBlank(jobId) ? jobId : null;
}

/** Returns the outcome that all customers of a batch share, from its 2xx response. Only a job ID proves acceptance. */
function readBatchOutcome(accepted: Accepted): Outcome {
	const { reply, request } = accepted;
	const reported = findReportedError(reply);
	if (reported) return toRejected(reported.message, request);
	return readJobId(reply) === null ? toUnknown(NO_JOB, request) : accepted;
}

const NO_JOB =
	'The response has no jobId, so it is unknown whether the service took this row. Check in the service';

/** Creates customers in batches. */
export const createBatch = defineBatchOperation('insert');

/** Creates customers in batches, and updates those that exist. */
export const upsertBatch = defineBatchOperation('upsert');
