import type { INodeProperties } from 'n8n-workflow';
import { countries } from './countries';

/** The parameters of Conversation > Create. */
export const conversationCreate: INodeProperties[] = [
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		displayOptions: {
			show: { resource: ['conversation'], operation: ['create'] },
			hide: { '@tool': [true] },
		},
		default: true,
		description: 'Whether to preview the calls without making them',
	},
	{
		displayName: 'Executing this step starts real conversations',
		name: 'startsConversations',
		type: 'notice',
		displayOptions: {
			show: { resource: ['conversation'], operation: ['create'], dryRun: [false] },
		},
		default: '',
	},
	{
		displayName: 'Input Mode',
		name: 'inputMode',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['conversation'], operation: ['create'] } },
		options: [
			{ name: 'Fields', value: 'fields', description: 'One conversation for each input row' },
			{
				name: 'JSON',
				value: 'json',
				description: 'One conversation or a list of them for each input row',
			},
		],
		default: 'fields',
	},
	{
		displayName: 'Agent ID',
		name: 'agentId',
		type: 'resourceLocator',
		required: true,
		displayOptions: {
			show: { resource: ['conversation'], operation: ['create'], inputMode: ['fields'] },
		},
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select an agent...',
				typeOptions: { searchListMethod: 'searchAgents', searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40',
			},
		],
		description: 'The AI agent of the conversation. The list has the agents of recent tickets.',
	},
	{
		displayName: 'Conversation Type',
		name: 'conversationType',
		type: 'options',
		displayOptions: {
			show: { resource: ['conversation'], operation: ['create'], inputMode: ['fields'] },
		},
		options: [
			{ name: 'Chat', value: 'chat' },
			{ name: 'Phone Call', value: 'telephony' },
			{ name: 'Web', value: 'web' },
		],
		default: 'telephony',
		description: 'The channel of the conversation. Use an expression for any other type.',
	},
	{
		displayName: 'To Phone Number',
		name: 'toPhoneNumber',
		type: 'string',
		required: true,
		displayOptions: {
			show: { resource: ['conversation'], operation: ['create'], inputMode: ['fields'] },
			hide: { conversationType: ['chat', 'web'] },
		},
		default: '',
		placeholder: 'e.g. +14155550178',
		description: 'The number to call, with its country code',
	},
	{
		displayName: 'Variables Mode',
		name: 'variablesMode',
		type: 'options',
		noDataExpression: true,
		displayOptions: {
			show: { resource: ['conversation'], operation: ['create'], inputMode: ['fields'] },
		},
		options: [
			{ name: 'Fields', value: 'fields', description: 'Enter names and values' },
			{ name: 'JSON', value: 'json', description: 'Enter an object' },
		],
		default: 'fields',
		description: 'How to enter the variables that the agent can use',
	},
	{
		displayName: 'Dynamic Variables',
		name: 'dynamicVariables',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Variable' },
		displayOptions: {
			show: {
				resource: ['conversation'],
				operation: ['create'],
				inputMode: ['fields'],
				variablesMode: ['fields'],
			},
		},
		default: { variables: [] },
		placeholder: 'Add Variable',
		description: 'What the agent knows about the person, e.g. a name or an appointment',
		options: [
			{
				displayName: 'Variable',
				name: 'variables',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. firstName',
					},
					{ displayName: 'Value', name: 'value', type: 'string', default: '' },
				],
			},
		],
	},
	{
		displayName: 'Dynamic Variables (JSON)',
		name: 'dynamicVariablesJson',
		type: 'json',
		required: true,
		displayOptions: {
			show: {
				resource: ['conversation'],
				operation: ['create'],
				inputMode: ['fields'],
				variablesMode: ['json'],
			},
		},
		default: '{\n  "firstName": "Ana"\n}',
		description: 'The variables that the agent can use, as an object of names and values',
	},
	{
		displayName: 'Conversations (JSON)',
		name: 'conversationsJson',
		type: 'json',
		required: true,
		displayOptions: {
			show: { resource: ['conversation'], operation: ['create'], inputMode: ['json'] },
		},
		default:
			'[\n  {\n    "agentId": "0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40",\n    "conversationType": "telephony",\n    "toPhoneNumber": "+14155550178",\n    "dynamicVariables": { "firstName": "Ana" }\n  }\n]',
		description: 'One conversation or a list of them, as an object, a list or text',
	},
	{
		displayName: 'Maximum Conversations',
		name: 'maximumConversations',
		type: 'number',
		typeOptions: { minValue: 1 },
		displayOptions: {
			show: { resource: ['conversation'], operation: ['create'] },
			hide: { '@tool': [true] },
		},
		default: 500,
		description:
			'Max number of conversations to start per execution. If there are more, none are started.',
	},
	{
		displayName: 'Maximum Conversations',
		name: 'maximumConversations',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 1 },
		displayOptions: {
			show: { resource: ['conversation'], operation: ['create'], '@tool': [true] },
		},
		default: 5,
		description:
			'Max number of conversations to start per execution. If there are more, none are started.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		displayOptions: { show: { resource: ['conversation'], operation: ['create'] } },
		default: {},
		placeholder: 'Add option',
		options: [
			{
				displayName: 'Additional Fields (JSON)',
				name: 'additionalFieldsJson',
				type: 'json',
				default: '{}',
				description: 'More fields of the conversation, sent as entered',
			},
			{
				displayName: 'Allow Unknown Number Ranges',
				name: 'allowUnknownRanges',
				type: 'boolean',
				default: false,
				description:
					'Whether to accept numbers with a valid length that are in no known range of their country',
			},
			{
				displayName: 'Batch Size',
				name: 'batchSize',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 50,
				description: 'Max number of conversations per request',
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
			},
			{
				displayName: 'If Rows Are Invalid',
				name: 'invalidRows',
				type: 'options',
				options: [
					{ name: 'Send the Valid Rows', value: 'sendValid' },
					{ name: 'Stop Before Sending', value: 'stop' },
				],
				default: 'stop',
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
				default: 1,
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
			{
				displayName: 'Use Columns as Variables',
				name: 'columnsAsVariables',
				type: 'boolean',
				default: false,
				description:
					'Whether to send the columns of the row as variables, except the phone number and empty columns',
			},
		],
	},
	{
		displayName: 'Safeguards',
		name: 'safeguards',
		type: 'collection',
		displayOptions: { show: { resource: ['conversation'], operation: ['create'] } },
		default: {},
		placeholder: 'Add safeguard',
		options: [
			{
				displayName: 'Allowed Countries',
				name: 'allowedCountries',
				type: 'multiOptions',
				options: countries.filter(({ value }) => value !== ''),
				default: [],
				description: 'Only numbers of these countries are called. Leave empty for all countries.',
			},
			{
				displayName: 'Campaign Key',
				name: 'campaignKey',
				type: 'string',
				default: '',
				placeholder: 'e.g. spring-2026',
				description:
					'The campaign that Skip People Already Contacted is about. Another key calls everyone again.',
			},
			{
				displayName: 'Do Not Call',
				name: 'doNotCall',
				type: 'string',
				default: '',
				placeholder: "e.g. {{ $json['Do Not Call'] }}",
				description: 'An expression that is yes or true for rows that must not be called',
			},
			{
				displayName: 'Do-Not-Call Numbers',
				name: 'doNotCallNumbers',
				type: 'string',
				typeOptions: { rows: 3 },
				default: '',
				placeholder: 'e.g. +14155550178, +442079460000',
				description: 'Numbers that are never called, separated by commas or line breaks',
			},
			{
				displayName: 'Person ID',
				name: 'personId',
				type: 'string',
				default: '',
				placeholder: 'e.g. {{ $json.customerId }}',
				description: 'Who a chat or web conversation is for, so no one gets the same one twice',
			},
			{
				displayName: 'Skip People Already Contacted',
				name: 'skipContacted',
				type: 'boolean',
				default: true,
				description:
					'Whether to skip people this node already contacted in earlier executions. Requires a saved workflow.',
			},
		],
	},
];
