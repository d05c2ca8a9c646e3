import { z } from 'zod/v4';
import type { Bulk } from '../bulk/bulk';
import type { Terms } from '../bulk/order';
import { choice, seconds, timeout, trueOrFalse, wholeNumber } from '../core/fields';
import { countryCode } from '../core/phoneNumber';
import type { Request } from '../core/request';
import { sharedParameters } from '../core/sharedParameters';
import type { Customer } from './customer';

/** The most bytes of customers in one request; the interface shows no limit. */
const LARGEST_BODY = 4_000_000;

const options = z
	.looseObject({
		batchSize: wholeNumber(1).default(500),
		pause: seconds.default(0),
		timeout: timeout.prefault(120),
		parallelRequests: wholeNumber(1, 20).default(4),
		defaultCountryCode: countryCode.default(''),
		remainingColumns: choice(['ignore', 'metadata']).default('ignore'),
		dryRun: trueOrFalse.default(false),
		duplicates: choice(['keepFirst', 'keepLast', 'sendAll', 'stop']).default('keepFirst'),
		invalidRows: choice(['stop', 'sendValid']).default('sendValid'),
		outputAs: choice(['rows', 'requests']).default('rows'),
		isolateBadRows: trueOrFalse.default(false),
		sendSource: trueOrFalse.default(true),
		repeatUpserts: trueOrFalse.default(true),
	})
	.prefault({});

const settings = {
	strategy: choice(['insert', 'upsert']).default('insert'),
	partial: trueOrFalse.optional(),
	options,
};

const DUPLICATES = { keepFirst: 'first', keepLast: 'last', sendAll: 'all', stop: 'stop' } as const;

type Settings = z.infer<z.ZodObject<typeof settings>>;

/** Reads on which terms the customers of a row are sent; rows with the same settings share them. */
export const readTerms = sharedParameters(settings, (chosen): Terms<Customer> => ({
	group: JSON.stringify([
		chosen.strategy,
		chosen.partial,
		chosen.options.sendSource,
		chosen.options.dryRun,
		chosen.options.repeatUpserts,
		chosen.options.isolateBadRows,
		chosen.options.outputAs,
	]),
	invalidRows: chosen.options.invalidRows,
	duplicates: DUPLICATES[chosen.options.duplicates],
	dryRun: chosen.options.dryRun,
	outputAs: chosen.options.outputAs,
	bulk: () => bulkOf(chosen),
}));

const bulkOf = (chosen: Settings): Bulk<Customer> => ({
	operation: `customer:createBatch:${chosen.strategy}`,
	size: { count: chosen.options.batchSize, bytes: LARGEST_BODY },
	parallel: chosen.options.parallelRequests,
	pause: chosen.options.pause * 1000,
	request: (customers) => batchRequest(customers, chosen),
	list: 'customers',
	// A plain insert that was refused may have been stored in part, so that it must not go again.
	isolate:
		chosen.options.isolateBadRows && (chosen.strategy === 'upsert' || chosen.partial === true),
});

function batchRequest(customers: readonly Customer[], chosen: Settings): Request {
	const { strategy, partial } = chosen;
	return {
		method: 'POST',
		path: '/customers/batch',
		body: {
			customers: chosen.options.sendSource
				? customers.map((customer) => ({ source: { method: 'api' }, ...customer }))
				: customers,
			strategy,
			// The interface allows `partial` with insert only.
			...(strategy === 'insert' && partial !== undefined && { partial }),
		},
		// Inserting the same customers twice is an error or a double; upserting them twice is not.
		repeatable: strategy === 'upsert' && chosen.options.repeatUpserts,
		timeout: chosen.options.timeout,
	};
}
