import get from 'lodash/get';
import { z } from 'zod/v4';
import { duplicatesGuard } from '../bulk/duplicates';
import { ledgerGuard } from '../bulk/ledger';
import type { OutputMapper } from '../bulk/operation';
import type { Outcome } from '../bulk/outcomes';
import { leftOut } from '../bulk/outcomes';
import type { Guard, Value } from '../bulk/plan';
import { runInBulk } from '../bulk/run';
import type { Operation } from '../core/operation';
import { plural, sameText } from '../core/text';
import type { BatchSettings } from './batchSettings';
import { batchSettings } from './batchSettings';
import type { Customer } from './customer';
import { MARK, toBody } from './customer';
import { judgeReply } from './judgeReply';
import { readCustomers } from './readCustomers';
import { unchangedGuard } from './unchanged/unchangedGuard';

/** Sends customers in batches, each becomes a job of the service (interface: POST /customers/batch). */
export function customerBatch(
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
		rowParameters: ['customer', 'customersJson'],
		run: runInBulk<Customer, BatchSettings>({
			settings: batchSettings,
			words: { count: (values) => plural(values, 'customer'), send: 'send', sent: 'sent' },
			read: readCustomers,
			identityOf: ({ identifier }) => sameText(identifier),
			toBody,
			judge: judgeReply,
			output,
			guards: (settings, context) => [
				duplicatesGuard({
					duplicates: settings.duplicates,
					describe: ({ identifier }) => `identifier (${identifier})`,
					parameter: 'customer',
				}),
				ledgerGuard(
					{
						tellsApart: sendsSeveral(settings),
						perRound: false,
						scope: `customer:${isUpsert ? 'upsertBatch' : 'createBatch'}`,
						contentOf: isUpsert ? (customer) => toBody(customer, settings) : undefined,
					},
					context,
				),
				...(isUpsert && sendsSeveral(settings) ? [newestOnly] : []),
				// A node that was switched to inserts keeps what its upserts remember, which is no longer all that was sent.
				unchangedGuard({ ...settings, skipUnchanged: isUpsert && settings.skipUnchanged }, context),
				lostMarks,
			],
			toRequest: (customers, { partial, timeoutMs }) => ({
				method: 'POST',
				path: '/customers/batch',
				body: { customers, strategy, ...(isUpsert ? {} : { partial }) },
				help: {
					credentialAdvice:
						'Check API Key and Access Token in the credential. Customer batches need both.',
					fieldsIn: ['customer'],
					existsAdvice: isUpsert ? undefined : 'Use Create or Update Batch',
				},
				// Upserting the same customers twice changes nothing; inserting them twice is an error or a double.
				idempotent: isUpsert,
				timeoutMs,
			}),
			afterRejection: ({ partial, isolateBadRows }) =>
				partial && !isUpsert ? 'maybeStored' : isolateBadRows ? 'parts' : 'nothing',
			// A newer value of a customer must not overtake an older one, which may be resent.
			inOrder: (settings) => isUpsert && sendsSeveral(settings),
		}),
	};
}

const sendsSeveral = ({ duplicates }: BatchSettings): boolean => duplicates === 'sendAll';

const OLDER = leftOut('Not sent, because a newer row of the same customer was already sent');

/** Keeps an older value from being sent after a newer one of the same identity, as a retry would. */
const newestOnly: Guard<Customer> = {
	open: ({ values }) => {
		const newer = new Set<string>();
		for (const value of values.toReversed()) {
			if (value.outcome) newer.add(value.identity);
			else if (newer.has(value.identity)) value.outcome = OLDER;
		}
		return {};
	},
};

const LOST = 'The mark did not reach the service';

/** Says of a marked customer who was rejected, e.g. for the name, that the service may still have it called. */
const lostMarks: Guard<Customer> = {
	close: ({ values }) => {
		for (const value of values) {
			const { content, outcome } = value;
			if (!content[MARK] || outcome?.outcome !== 'rejected' || outcome.failure.kind !== 'api')
				continue;
			const { message, issues } = outcome.failure;
			// Where the service names fields, its message is not shown.
			const named = issues.length > 0 ? [{ path: `customers.0.${MARK}`, message: LOST }] : [];
			const failure = { ...outcome.failure, message: `${message}. ${LOST}` };
			value.outcome = { ...outcome, failure: { ...failure, issues: [...named, ...issues] } };
		}
		return {};
	},
};

const output: OutputMapper<Customer> = {
	toIdentity: ({ identifier }) => ({ identifier }),
	toItem: ({ identifier }, accepted) => ({
		outcome: 'accepted',
		identifier,
		jobId: jobIdOf(accepted),
		batch: accepted.batch,
	}),
	toRequestItem: (accepted, batch) => ({
		outcome: 'accepted',
		jobId: jobIdOf(accepted[0]?.outcome),
		batch,
		...listed(accepted),
	}),
	toUnchangedItem: ({ identifier }) => ({ outcome: 'unchanged', identifier, ...NO_JOB }),
	toUnchangedItems: (unchanged) => ({ outcome: 'unchanged', ...NO_JOB, ...listed(unchanged) }),
	toPreview: (customer) => customer,
};

const NO_JOB = { jobId: null, batch: null };

const listed = (values: ReadonlyArray<Value<Customer>>) => ({
	count: values.length,
	customers: values.map(({ row, content: { identifier } }) => ({ row: row + 1, identifier })),
});

function jobIdOf(outcome: Outcome | undefined): string | null {
	const jobId: unknown = outcome?.outcome === 'accepted' ? get(outcome.reply, 'jobId') : null;
	return typeof jobId === 'string' ? jobId : null;
}
