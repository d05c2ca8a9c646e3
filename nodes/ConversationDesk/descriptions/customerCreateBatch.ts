import type { INodeProperties } from 'n8n-workflow';
import { countries } from './countries';

/** The parameters of Customer > Create Batch. */
export const customerCreateBatch: INodeProperties[] = [
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		displayOptions: { show: { resource: ['customer'], operation: ['createBatch'] } },
		default: false,
		description: 'Whether to preview the customers without sending them',
	},
	{
		displayName: 'Input Mode',
		name: 'inputMode',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['customer'], operation: ['createBatch'] } },
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
		displayOptions: {
			show: { resource: ['customer'], operation: ['createBatch'], inputMode: ['fields'] },
		},
		default: { mappingMode: 'defineBelow', value: null },
	},
	{
		displayName:
			'Other names are recognized too, e.g. Record ID, First Name or Mobile. Dry Run shows what each column becomes.',
		name: 'recognizedNames',
		type: 'notice',
		displayOptions: {
			show: {
				resource: ['customer'],
				operation: ['createBatch'],
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
		displayOptions: {
			show: { resource: ['customer'], operation: ['createBatch'], inputMode: ['json'] },
		},
		default:
			'[\n  { "identifier": "C-1001", "name": "Ana Silva", "phoneNumber": "+14155550178" }\n]',
		description: 'One customer or a list of them, as an object, a list or text',
	},
	{
		displayName: 'Strategy',
		name: 'strategy',
		type: 'options',
		displayOptions: { show: { resource: ['customer'], operation: ['createBatch'] } },
		options: [
			{ name: 'Create', value: 'insert', description: 'Create new records only (insert)' },
			{
				name: 'Create or Update',
				value: 'upsert',
				description: 'Create a new record, or update the current one if it already exists (upsert)',
			},
		],
		default: 'insert',
		description: 'What to do with customers that already exist',
	},
	{
		displayName: 'Allow Partial Success',
		name: 'partial',
		type: 'boolean',
		displayOptions: {
			show: { resource: ['customer'], operation: ['createBatch'], strategy: ['insert'] },
		},
		default: false,
		description: 'Whether to create the valid customers of a batch even if others fail',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		displayOptions: { show: { resource: ['customer'], operation: ['createBatch'] } },
		default: {},
		placeholder: 'Add option',
		options: [
			{
				displayName: 'Batch Size',
				name: 'batchSize',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 500,
				description: 'Max number of customers per request',
			},
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
				default: false,
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
				displayName: 'Retry When There Is No Response',
				name: 'repeatUpserts',
				type: 'boolean',
				default: true,
				description:
					'Whether to resend a batch that got no response. Only with Create or Update, where it is safe.',
			},
			{
				displayName: 'Retry Without Bad Rows',
				name: 'isolateBadRows',
				type: 'boolean',
				default: false,
				description: 'Whether to resend a rejected batch without the rows that caused it',
			},
			{
				displayName: 'Send All Again',
				name: 'sendAllAgain',
				type: 'boolean',
				displayOptions: { show: { '/strategy': ['upsert'] } },
				default: false,
				description: 'Whether to send all customers once more, including unchanged ones',
			},
			{
				displayName: 'Send Source',
				name: 'sendSource',
				type: 'boolean',
				default: true,
				description: 'Whether to send the service API as the source of the customers',
			},
			{
				displayName: 'Skip Unchanged Customers',
				name: 'skipUnchanged',
				type: 'boolean',
				displayOptions: { show: { '/strategy': ['upsert'] } },
				default: false,
				description:
					'Whether to skip customers that the service accepted with the same data in an earlier run of this workflow',
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
];
