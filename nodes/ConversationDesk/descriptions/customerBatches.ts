import type { INodeProperties } from 'n8n-workflow';
import { countries } from './countries';
import { doNotDisturb, explainedValues } from './marks';
import {
	batching,
	dryRunFields,
	duplicates,
	includeOtherFields,
	includeResponse,
	inputMode,
	invalidRows,
	optionsField,
} from './requestOptions';

const customerBatchesOnly = { resource: ['customer'], operation: ['createBatch', 'upsertBatch'] };

const automatic = { inputMode: ['fields'], '/customer.mappingMode': ['autoMapInputData'] };

/** The parameters of Customer > Create Batch and Customer > Create or Update Batch. */
export const customerBatches: INodeProperties[] = [
	...dryRunFields(
		customerBatchesOnly,
		{
			description: 'Whether to preview the customers without sending them',
			builderHint: { propertyHint: 'Keep it true until the user has seen a dry run.' },
		},
		{ displayName: 'Executing this step sends the customers', name: 'sendsCustomers' },
	),
	inputMode('customer', customerBatchesOnly),
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
		displayOptions: { show: { ...customerBatchesOnly, inputMode: ['fields'] } },
		default: { mappingMode: 'defineBelow', value: null },
		builderHint: {
			propertyHint:
				'For flat rows use mappingMode autoMapInputData with value null. Map nested rows with expressions.',
		},
	},
	{
		displayName:
			'You need not rename columns. These names are found, in any capitals: Identifier or ID, Name or First Name and Last Name, Phone Number or Phone or Mobile, Email. If it is unclear which column to use, the node asks before it sends anything.',
		name: 'recognizedNames',
		type: 'notice',
		displayOptions: { show: { ...customerBatchesOnly, ...automatic } },
		default: '',
	},
	...doNotDisturb({ ...customerBatchesOnly, ...automatic, '@tool': [false] }),
	{
		displayName: 'Customer (JSON)',
		name: 'customerJson',
		type: 'json',
		required: true,
		displayOptions: { show: { ...customerBatchesOnly, inputMode: ['json'] } },
		default: '',
		placeholder: 'e.g. { "identifier": "C-1001", "name": "Ana Silva" }',
		description:
			'One customer per row, as an object or text. For a list, add a Split Out node before.',
	},
	{
		displayName: 'Allow Partial Success',
		name: 'partial',
		type: 'boolean',
		displayOptions: { show: { resource: ['customer'], operation: ['createBatch'] } },
		default: false,
		description: 'Whether to create the valid customers of a batch even if others fail',
	},
	optionsField(customerBatchesOnly, [
		batching({ noun: 'customers', batchSize: 500, parallel: 4 }),
		{
			displayName: 'Columns to Use',
			name: 'columnsToUse',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			displayOptions: { show: { '/customer.mappingMode': ['autoMapInputData'] } },
			default: { columns: [{ field: '', column: '' }] },
			placeholder: 'Add column',
			description: 'Which column each field is read from',
			options: [
				{
					displayName: 'Column',
					name: 'columns',
					values: [
						{
							displayName: 'Field',
							name: 'field',
							type: 'options',
							options: [
								{ name: '(Choose)', value: '' },
								{ name: 'Email', value: 'email' },
								{ name: 'Identifier', value: 'identifier' },
								{ name: 'Metadata', value: 'metadata' },
								{ name: 'Name', value: 'name' },
								{ name: 'Phone Number', value: 'phoneNumber' },
								{ name: 'Priority', value: 'priority' },
							],
							default: '',
							description: 'The field of the customer',
						},
						{
							displayName: 'Column',
							name: 'column',
							type: 'string',
							requiresDataPath: 'single',
							default: '',
							placeholder: 'e.g. Mobile',
							description: 'The column to read it from. Drag it here, or enter its name.',
						},
					],
				},
			],
		},
		{
			displayName: 'Default Country',
			name: 'defaultCountry',
			type: 'options',
			options: [{ name: '(None)', value: '' }, ...countries],
			default: '',
			description:
				'The country of numbers without a country code. An expression may give a code or an English name per row.',
		},
		{
			...duplicates,
			displayName: 'Duplicate Customers',
			description: 'What to do if several rows have the same identifier',
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
		{ ...invalidRows, default: 'sendValid' },
		includeOtherFields,
		includeResponse,
		{
			displayName: 'Leave Out Bad Cells',
			name: 'leaveOutBadCells',
			type: 'boolean',
			default: true,
			description:
				'Whether to send a customer without its phone number or email if that is invalid',
		},
		{
			displayName: 'Leave Out Source',
			name: 'leaveOutSource',
			type: 'boolean',
			default: true,
			description: 'Whether to send customers without a source. Otherwise their source is the API.',
		},
		...explainedValues,
	]),
];
