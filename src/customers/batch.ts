import get from 'lodash/get';
import uniq from 'lodash/uniq';
import { z } from 'zod/v4';
import { duplicatesGuard } from '../bulk/duplicates';
import { ledgerGuard } from '../bulk/ledger';
import { newestOnlyGuard } from '../bulk/newestOnly';
import type { BulkOperation } from '../bulk/operation';
import { runInBulk } from '../bulk/run';
import type { Operation } from '../core/operation';
import { plural } from '../core/words';
import type { BatchSettings } from './batchSettings';
import { batchSettings } from './batchSettings';
import type { Customer } from './customer';
import { toBody } from './customer';
import { rememberMarksGuard } from './holdMarks';
import { readCustomers } from './readCustomers';
import { unchangedGuard } from './unchanged/unchangedGuard';

type Batch = BulkOperation<Customer, BatchSettings>;

/** The parts of a batch that inserts and upserts share. */
const batch: Omit<Batch, 'settings' | 'guards' | 'toRequest' | 'afterRejection'> = {
	words: { count: (count) => plural(count, 'customer'), send: 'send', sent: 'sent' },
	read: readCustomers,
	identityOf: ({ identifier }) => identifier,
	// The response has a job of the whole request, and nothing about single customers.
	judge: (reply, customers) => customers.map(() => ({ kind: 'accepted', reply, isPaired: false })),
	toFields: ({ identifier }, accepted) => ({
		identifier,
		jobId: readJobId(accepted?.reply),
		request: accepted?.request ?? null,
	}),
	toPreview: (customer) => ({ ...customer }),
	toRunFields: ({ entries }) => ({
		jobIds: uniq(
			entries.flatMap(({ outcome }) =>
				outcome?.outcome === 'accepted' ? (readJobId(outcome.reply) ?? []) : [],
			),
		),
	}),
};

function readJobId(reply: unknown): string | null {
	const jobId: unknown = get(reply, 'jobId');
	return typeof jobId === 'string' ? jobId : null;
}

const toRequest = (customers: readonly Customer[], settings: BatchSettings) => ({
	method: 'POST' as const,
	path: '/customers/batch',
	body: { customers: customers.map((customer) => toBody(customer, settings)) },
	help: {
		credentialAdvice:
			'Check API Key and Access Token in the credential. Customer batches need both.',
		fieldsIn: ['customer'],
	},
	timeoutMs: settings.timeoutMs,
});

const chooseDuplicates = ({ duplicates }: BatchSettings) =>
	duplicatesGuard<Customer>({
		duplicates,
		describe: ({ identifier }) => `identifier (${identifier})`,
	});

const sendsAll = ({ duplicates }: BatchSettings): boolean => duplicates === 'sendAll';

const insert: Batch = {
	...batch,
	settings: batchSettings,
	guards: (settings, context) => [
		chooseDuplicates(settings),
		rememberMarksGuard(context),
		ledgerGuard(
			{ scope: 'customer:createBatch', tellsApart: sendsAll(settings), perRound: false },
			context,
		),
		// A node that was switched to inserts must not skip by what its upserts remember.
		unchangedGuard({ ...settings, skipUnchanged: false }, context),
	],
	toRequest: (customers, settings) => {
		const { body, help, ...request } = toRequest(customers, settings);
		return {
			...request,
			body: { ...body, strategy: 'insert', partial: settings.partial },
			// Inserting a customer twice is an error or a double.
			idempotent: false,
			help: {
				...help,
				namedAdvice: 'Correct it, or use Create or Update Batch for customers that exist',
			},
		};
	},
	afterRejection: ({ partial, isolateBadRows }) =>
		partial ? 'maybeStored' : isolateBadRows ? 'parts' : 'nothing',
};

const upsert: Batch = {
	...batch,
	// A newer row of a customer must not overtake an older one.
	settings: batchSettings.transform((settings) =>
		sendsAll(settings) ? { ...settings, parallelRequests: 1 } : settings,
	),
	guards: (settings, context) => [
		chooseDuplicates(settings),
		rememberMarksGuard(context),
		ledgerGuard(
			{
				scope: 'customer:upsertBatch',
				tellsApart: sendsAll(settings),
				perRound: false,
				contentOf: (customer) => toBody(customer, settings),
			},
			context,
		),
		...(sendsAll(settings) ? [newestOnlyGuard<Customer>()] : []),
		unchangedGuard(settings, context),
	],
	toRequest: (customers, settings) => {
		const { body, ...request } = toRequest(customers, settings);
		// Upserting a customer twice changes nothing.
		return { ...request, body: { ...body, strategy: 'upsert' }, idempotent: true };
	},
	afterRejection: ({ isolateBadRows }) => (isolateBadRows ? 'parts' : 'nothing'),
};

/** Sends customers in batches; each becomes a job of the service (interface: POST /customers/batch). */
const toOperation = (
	operation: Batch,
	outcomes: readonly ['accepted', ...string[]],
): Operation => ({
	output: z.object({
		row: z.int(),
		outcome: z.enum(outcomes),
		reason: z.string(),
		identifier: z.string(),
		jobId: z.string().nullable(),
		request: z.int().nullable(),
	}),
	settings: operation.settings,
	needs: ['accessToken', 'workspaceSlug'],
	rowParameters: ['customer', 'customersJson', 'doNotDisturbColumn', 'options.defaultCountry'],
	run: runInBulk(operation),
});

/** Creates customers in batches. */
export const createBatch = toOperation(insert, ['accepted']);

/** Creates customers in batches, and updates those that exist. */
export const upsertBatch = toOperation(upsert, ['accepted', 'unchanged']);
