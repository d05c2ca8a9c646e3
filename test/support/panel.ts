import type { INodeExecutionData } from 'n8n-workflow';
import { AGENT, listOf, members } from './samples';
import type { Received } from './service';

/** A search for tickets with all their columns. */
export const search = { resource: 'ticket', operation: 'search', output: 'raw' };

/** Calls to the numbers of the rows. */
export const calls = {
	resource: 'conversation',
	operation: 'create',
	dryRun: false,
	whoMayBeCalled: 'everyone',
	agentId: AGENT,
	toPhoneNumber: '={{ $json.phone }}',
};

export const createBatch = { resource: 'customer', operation: 'createBatch', dryRun: false };
export const upsertBatch = { resource: 'customer', operation: 'upsertBatch', dryRun: false };

/** A resource mapper whose fields have these values or expressions. */
export const mapped = (value: Readonly<Record<string, string | number | boolean | null>>) => ({
	mappingMode: 'defineBelow',
	value: { ...value },
	schema: [],
	matchingColumns: [],
	attemptToConvertTypes: false,
	convertFieldsToString: false,
});

/** A resource mapper that reads the columns of the rows. */
export const mappedAutomatically = { ...mapped({}), mappingMode: 'autoMapInputData', value: null };

/** Settings of a node that n8n runs again when it fails. */
export const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** The numbers that were called, in the order of the calls. */
export const called = (received: readonly Received[]): string[] =>
	received.flatMap(({ body }) =>
		listOf(body, 'conversations').map((each) => String(members(each)['toPhoneNumber'])),
	);

/** The outcome of the row of an item. */
export const outcomeOf = ({ json }: INodeExecutionData): unknown =>
	json['outcome'] ?? members(json['details'])['outcome'];
