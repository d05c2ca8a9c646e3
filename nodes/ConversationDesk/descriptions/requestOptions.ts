import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/** Detects an expression in place of a collection, because the only entry n8n reads from a text is its length. */
export const expressionDetector: INodeProperties = {
	displayName: 'A Single Expression',
	name: 'length',
	type: 'hidden',
	default: '',
};

/** The options of an operation, with the hidden field that detects one expression in their place. */
export const optionsField = (
	show: IDisplayOptions['show'],
	options: INodeProperties[],
): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	displayOptions: { show },
	default: {},
	placeholder: 'Add option',
	options: [expressionDetector, ...options],
});

/** Seconds to wait for a response. */
export const timeoutField: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 3600 },
	default: 120,
	description: 'Seconds to wait for a response before giving up on the request',
};

/** Max requests in parallel. */
export const parallelRequests: INodeProperties = {
	displayName: 'Parallel Requests',
	name: 'parallelRequests',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 20 },
	default: 20,
	description: 'Max number of requests at the same time',
};

/** The Dry Run switch, and a notice while it is off. A tool has no switch, and always sends. */
export const dryRunFields = (
	show: IDisplayOptions['show'],
	preview: Pick<INodeProperties, 'description' | 'builderHint'>,
	notice: Pick<INodeProperties, 'displayName' | 'name'>,
): INodeProperties[] => [
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		displayOptions: { show, hide: { '@tool': [true] } },
		default: true,
		...preview,
	},
	{
		...notice,
		type: 'notice',
		displayOptions: { show: { ...show, dryRun: [false] } },
		default: '',
	},
];

/** How rows are entered. */
export const inputMode = (noun: string, show: IDisplayOptions['show']): INodeProperties => ({
	displayName: 'Input Mode',
	name: 'inputMode',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show },
	options: [
		{ name: 'Fields', value: 'fields', description: `One ${noun} in fields for each input row` },
		{ name: 'JSON', value: 'json', description: `One ${noun} as JSON for each input row` },
	],
	default: 'fields',
});

/** The treatment of rows for the same person. */
export const duplicates: INodeProperties = {
	displayName: 'Duplicate Phone Numbers',
	name: 'duplicates',
	type: 'options',
	options: [
		{ name: 'Keep the First', value: 'keepFirst' },
		{ name: 'Keep the Last', value: 'keepLast' },
		{ name: 'Stop Before Sending', value: 'stop' },
	],
	default: 'keepFirst',
	description: 'What to do if several rows have the same phone number',
};

/** The treatment of invalid rows. */
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

/** Whether each item contains the columns of its input row. */
export const includeOtherFields: INodeProperties = {
	displayName: 'Include Other Input Fields',
	name: 'includeOtherFields',
	type: 'boolean',
	default: false,
	description:
		'Whether to add the columns of the input row to its item. On unless it is turned off here.',
};

/** Whether each item contains the response of the service. */
export const includeResponse: INodeProperties = {
	displayName: 'Include Response',
	name: 'includeResponse',
	type: 'boolean',
	default: true,
	description: 'Whether to add the response of the service to each item',
};

interface BatchDefaults {
	readonly noun: 'conversations' | 'customers';
	readonly batchSize: number;
	readonly parallel: number;
}

/** How rows are sent in batches, named as in the HTTP Request node. */
export const batching = ({ noun, batchSize, parallel }: BatchDefaults): INodeProperties => ({
	displayName: 'Batching',
	name: 'batching',
	type: 'fixedCollection',
	default: { batch: {} },
	placeholder: 'Add Batching',
	description: `How ${noun} are sent to the service`,
	options: [
		{
			displayName: 'Batching',
			name: 'batch',
			values: [
				expressionDetector, // Detects one expression in place of the fields, because n8n reads only its length.
				{
					displayName: 'Batch Interval',
					name: 'batchInterval',
					type: 'number',
					typeOptions: { minValue: 0, maxValue: 3600000 },
					default: 0,
					description: 'Milliseconds to wait between batches',
				},
				{
					displayName: 'Batch Size',
					name: 'batchSize',
					type: 'number',
					typeOptions: { minValue: 1 },
					default: batchSize,
					description: `Max number of ${noun} per request`,
				},
				{ ...parallelRequests, default: parallel },
				timeoutField,
			],
		},
	],
});
