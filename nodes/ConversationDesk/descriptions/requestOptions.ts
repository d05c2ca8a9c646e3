import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/**
 * Shows an expression that was entered in place of a collection: n8n reads its entries from whatever is there, and of all entries a
 * text has only this one.
 */
export const oneExpression: INodeProperties = {
	displayName: 'A Single Expression',
	name: 'length',
	type: 'hidden',
	default: '',
};

/** How long to wait for a response. */
export const timeout: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 3600 },
	default: 120,
	description: 'Seconds to wait for a response before giving up on the request',
};

/** How many requests are in progress. */
export const parallelRequests: INodeProperties = {
	displayName: 'Parallel Requests',
	name: 'parallelRequests',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 20 },
	default: 20,
	description: 'Max number of requests at the same time',
};

/** What is done with rows that mean the same. */
export const duplicates: INodeProperties = {
	displayName: 'Duplicate Phone Numbers',
	name: 'duplicates',
	type: 'options',
	options: [
		{ name: 'Keep the First', value: 'keepFirst' },
		{ name: 'Keep the Last', value: 'keepLast' },
		{ name: 'Send All', value: 'sendAll' },
		{ name: 'Stop Before Sending', value: 'stop' },
	],
	default: 'keepFirst',
	description: 'What to do if several rows have the same phone number',
};

/** What is done about rows that cannot be sent. */
export const invalidRows: INodeProperties = {
	displayName: 'If Rows Are Invalid',
	name: 'invalidRows',
	type: 'options',
	options: [
		{ name: 'Send the Valid Rows', value: 'sendValid' },
		{ name: 'Stop Before Sending', value: 'stop' },
	],
	default: 'stop',
	description: 'What to do if some rows are invalid. Invalid rows are never sent.',
};

/** How accepted rows are returned. */
export const outputAs: INodePropertyOptions[] = [
	{
		name: 'One Item per Request',
		value: 'requests',
		description: 'The accepted rows of a request together. Other rows stay one item each.',
	},
	{ name: 'One Item per Row', value: 'rows' },
];

/** Whether items have what the service said. */
export const includeResponse: INodeProperties = {
	displayName: 'Include Response',
	name: 'includeResponse',
	type: 'boolean',
	default: true,
	description: 'Whether to add the response of the service to each item',
};

/** What a node sends many of, and how many at once where the user does not choose. */
interface Batches {
	readonly noun: 'conversations' | 'customers';
	readonly batchSize: number;
	readonly parallel: number;
}

/** How the rows of a run are sent. */
export const sending = ({ noun, batchSize, parallel }: Batches): INodeProperties => ({
	displayName: 'Sending',
	name: 'sending',
	type: 'fixedCollection',
	default: { requests: {} },
	placeholder: 'Add Sending',
	description: `How ${noun} are sent to the service`,
	options: [
		{
			displayName: 'Requests',
			name: 'requests',
			values: [
				{
					displayName: 'Batch Size',
					name: 'batchSize',
					type: 'number',
					typeOptions: { minValue: 1 },
					default: batchSize,
					description: `Max number of ${noun} per request`,
				},
				{ ...parallelRequests, default: parallel },
				{
					displayName: 'Pause Between Requests',
					name: 'pause',
					type: 'number',
					typeOptions: { minValue: 0, maxValue: 3600 },
					default: 0,
					description: 'Seconds to wait between requests',
				},
				timeout,
			],
		},
	],
});
