import type { INodeProperties } from 'n8n-workflow';
import { countries } from './countries';

const show = { resource: ['customer'], operation: ['createBatch', 'upsertBatch'] };

/** The parameters of Customer > Create Batch and Customer > Create or Update Batch. */
export const customerBatches: INodeProperties[] = [
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		displayOptions: { show },
		default: false,
		description: 'Whether to preview the customers without sending them',
	},
	{
		displayName: 'Input Mode',
		name: 'inputMode',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show },
		options: [
			{ name: 'Fields', value: 'fields', description: 'One customer for each input row' },
			{
				name: 'JSON',
				value: 'json',
				description: 'One customer or a list of them for each input row',
			},
		],
		default: 'fields',
	},
	{
		displayName: 'Customer',
		name: 'customer',
		type: 'resourceMapper',
		noDataExpression: true,
		required: true,
		typeOptions: {
			resourceMapper: {
				resourceMapperMethod: 'getCustomerFields',
				mode: 'add',
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: true,
				multiKeyMatch: false,
				supportAutoMap: true,
			},
		},
		displayOptions: { show: { ...show, inputMode: ['fields'] } },
		default: { mappingMode: 'defineBelow', value: null },
		builderHint: {
			propertyHint:
				'For rows of a CRM use mappingMode autoMapInputData with value null: usual column names are recognized.',
		},
	},
	{
		displayName:
			'Other names are recognized too, e.g. Record ID, First Name or Mobile. Dry Run shows what each column becomes.',
		name: 'recognizedNames',
		type: 'notice',
		displayOptions: {
			show: {
				...show,
				inputMode: ['fields'],
				'/customer.mappingMode': ['autoMapInputData'],
			},
		},
		default: '',
	},
	{
		displayName: 'Customers (JSON)',
		name: 'customersJson',
		type: 'json',
		required: true,
		displayOptions: { show: { ...show, inputMode: ['json'] } },
		default:
			'[\n  { "identifier": "C-1001", "name": "Ana Silva", "phoneNumber": "+14155550178" }\n]',
		description: 'One customer or a list of them, as an object, a list or text',
	},
	{
		displayName: 'Allow Partial Success',
		name: 'partial',
		type: 'boolean',
		displayOptions: { show: { resource: ['customer'], operation: ['createBatch'] } },
		default: false,
		description: 'Whether to create the valid customers of a batch even if others fail',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		displayOptions: { show },
		default: {},
		placeholder: 'Add option',
		options: [
			{
				displayName: 'Default Country',
				name: 'defaultCountry',
				type: 'options',
				options: [{ name: '(None)', value: '' }, ...countries],
				default: '',
				description:
					'The country of phone numbers without a country code. Applies to Input Mode Fields.',
			},
			{
				displayName: 'Duplicate Customers',
				name: 'duplicates',
				type: 'options',
				options: [
					{ name: 'Keep the First', value: 'keepFirst' },
					{ name: 'Keep the Last', value: 'keepLast' },
					{ name: 'Send All', value: 'sendAll' },
					{ name: 'Stop Before Sending', value: 'stop' },
				],
				default: 'keepFirst',
				description: 'What to do if several rows have the same identifier',
			},
			{
				displayName: 'Identifier Column',
				name: 'identifierColumn',
				type: 'string',
				displayOptions: { show: { '/customer.mappingMode': ['autoMapInputData'] } },
				default: '',
				placeholder: 'e.g. Email',
				description:
					'The column that identifies each customer, instead of the one found automatically',
			},
			{
				displayName: 'Identifier Prefix',
				name: 'identifierPrefix',
				type: 'string',
				default: '',
				placeholder: 'e.g. hubspot-',
				description:
					'Text to put before each identifier, to keep customers of different sources apart',
			},
			{
				displayName: 'If Rows Are Invalid',
				name: 'invalidRows',
				type: 'options',
				options: [
					{ name: 'Send the Valid Rows', value: 'sendValid' },
					{ name: 'Stop Before Sending', value: 'stop' },
				],
				default: 'sendValid',
				description: 'What to do if some rows are invalid. Invalid rows are never sent.',
			},
			{
				displayName: 'Include Response',
				name: 'includeResponse',
				type: 'boolean',
				default: true,
				description: 'Whether to add the response of the service to each item',
			},
			{
				displayName: 'Items',
				name: 'outputAs',
				type: 'options',
				options: [
					{
						name: 'One Item per Request',
						value: 'requests',
						description: 'The accepted rows of a request together. Other rows stay one item each.',
					},
					{ name: 'One Item per Row', value: 'rows' },
				],
				default: 'rows',
				description: 'How accepted rows are returned',
			},
			{
				displayName: 'Leave Out Bad Cells',
				name: 'leaveOutBadCells',
				type: 'boolean',
				default: true,
				description:
					'Whether to send a customer without its phone number or email if that is invalid',
			},
			{
				displayName: 'Remaining Columns',
				name: 'remainingColumns',
				type: 'options',
				options: [
					{ name: 'Add to Metadata', value: 'metadata' },
					{ name: 'Leave Out', value: 'ignore' },
				],
				default: 'ignore',
				description:
					'What to do with columns that do not match a customer field, with automatic mapping',
			},
			{
				displayName: 'Retry Without Bad Rows',
				name: 'isolateBadRows',
				type: 'boolean',
				default: true,
				description: 'Whether to resend a rejected batch without the rows that caused it',
			},
			{
				displayName: 'Send Source',
				name: 'sendSource',
				type: 'boolean',
				default: true,
				description: 'Whether to send the service API as the source of the customers',
			},
			{
				displayName: 'Sending',
				name: 'sending',
				type: 'fixedCollection',
				default: { requests: {} },
				placeholder: 'Add Sending',
				description: 'How customers are sent to the service',
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
								default: 500,
								description: 'Max number of customers per request',
							},
							{
								displayName: 'Parallel Requests',
								name: 'parallelRequests',
								type: 'number',
								typeOptions: { minValue: 1, maxValue: 20 },
								default: 4,
								description: 'Max number of requests at the same time',
							},
							{
								displayName: 'Pause Between Requests',
								name: 'pause',
								type: 'number',
								typeOptions: { minValue: 0, maxValue: 3600 },
								default: 0,
								description: 'Seconds to wait between requests',
							},
							{
								displayName: 'Timeout',
								name: 'timeout',
								type: 'number',
								typeOptions: { minValue: 1, maxValue: 3600 },
								default: 120,
								description: 'Seconds to wait for a response before giving up on the request',
							},
						],
					},
				],
			},
			{
				displayName: 'Skip Unchanged Customers',
				name: 'skipUnchanged',
				type: 'boolean',
				displayOptions: { show: { '/operation': ['upsertBatch'] } },
				default: true,
				description:
					'Whether to skip customers already accepted with the same data. Works in runs of a published workflow only.',
			},
		],
	},
];
