import { duplicatesGuard } from '../bulk/duplicates';
import type { BulkOperation } from '../bulk/operation';
import type { Outcome } from '../bulk/outcomes';
import type { Guard, Value } from '../bulk/plan';
import { wholeVerdict } from '../bulk/verdict';
import type { Request } from '../core/http';
import { isRecord } from '../core/json';
import { plural } from '../core/text';
import type { BatchSettings } from './batchInput';
import type { Customer } from './customer';
import { readCustomers } from './readCustomers';

/** A customer as it stands in the body of its request. */
export const toBody = (customer: Customer, { sendSource }: BatchSettings): object =>
	sendSource ? { source: { method: 'api' }, ...customer } : customer;

/** A batch becomes a job of the service (interface: POST /customers/batch). */
export const toRequest = (
	body: object,
	{
		timeoutMs,
		idempotent,
		...help
	}: Pick<Request, 'timeoutMs' | 'idempotent'> & { readonly existsAdvice?: string },
): Request => ({
	method: 'POST',
	path: '/customers/batch',
	body,
	idempotent,
	help: {
		credentialAdvice:
			'Check API Key and Access Token in the credential. Customer batches need both.',
		fieldsIn: ['customer'],
		...help,
	},
	timeoutMs,
});

/** Several customers with the same identifier are one. */
export const sameIdentifier = ({ duplicates }: BatchSettings): Guard<Customer> =>
	duplicatesGuard({
		duplicates,
		describe: ({ identifier }) => `identifier (${identifier})`,
		parameter: 'customer',
	});

/** What creating and updating customers have in common. */
export const batch = {
	words: { count: (values) => plural(values, 'customer'), send: 'send', sent: 'sent' },
	read: readCustomers,
	identityOf: ({ identifier }) => identifier,
	toBody,
	judge: (reply, customers) => customers.map(() => wholeVerdict(reply, customers.length)),
	output: {
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
			count: accepted.length,
			customers: accepted.map(listed),
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
			customers: unchanged.map(listed),
		}),
		toPreview: (customer) => customer,
	},
} satisfies Partial<BulkOperation<Customer, BatchSettings>>;

const listed = ({ row, content: { identifier } }: Value<Customer>) => ({
	row: row + 1,
	identifier,
});

function jobIdOf(outcome: Outcome | undefined): string | null {
	const reply = outcome?.outcome === 'accepted' ? outcome.reply : undefined;
	const jobId: unknown = isRecord(reply) ? reply['jobId'] : null;
	return typeof jobId === 'string' ? jobId : null;
}
