import type { INodeProperties } from 'n8n-workflow';

/** The parameters of Conversation > Create. */
export const conversationCreate: INodeProperties[] = [
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
		type: 'string',
		required: true,
		displayOptions: {
			show: { resource: ['conversation'], operation: ['create'], inputMode: ['fields'] },
		},
		default: '',
		placeholder: 'e.g. 0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40',
		description:
			'The ID of the AI agent that holds the conversation: a UUID, to be found in the service',
	},
	{
		displayName: 'To Phone Number',
		name: 'toPhoneNumber',
		type: 'string',
		required: true,
		displayOptions: {
			show: { resource: ['conversation'], operation: ['create'], inputMode: ['fields'] },
		},
		default: '',
		placeholder: 'e.g. +14155550178',
		description: 'The number to call, with its country code',
	},
	{
		displayName: 'Conversation Type',
		name: 'conversationType',
		type: 'string',
		required: true,
		displayOptions: {
			show: { resource: ['conversation'], operation: ['create'], inputMode: ['fields'] },
		},
		default: 'telephony',
		placeholder: 'e.g. telephony',
		description: 'The channel of the conversation, telephony for a phone call',
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
		description: 'How many conversations one run may start; above it nothing is sent',
	},
	{
		displayName: 'Maximum Conversations',
		name: 'maximumConversations',
		type: 'number',
		typeOptions: { minValue: 1 },
		displayOptions: {
			show: { resource: ['conversation'], operation: ['create'], '@tool': [true] },
		},
		default: 5,
		description: 'How many conversations one run may start; above it nothing is sent',
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
				displayName: 'Batch Size',
				name: 'batchSize',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 50,
				description: 'How many conversations to start with one request at most',
			},
			{
				displayName: 'Campaign Key',
				name: 'campaignKey',
				type: 'string',
				default: '',
				placeholder: 'e.g. spring-2026',
				description:
					'Names the campaign for Skip People Already Contacted; with another key everybody may be called again',
			},
			{
				displayName: 'Default Country Code',
				name: 'defaultCountryCode',
				type: 'string',
				default: '',
				placeholder: 'e.g. +1',
				description: 'Put before phone numbers without one; with Input Mode Fields only',
			},
			{
				displayName: 'Do Not Call',
				name: 'doNotCall',
				type: 'string',
				default: '',
				placeholder: "e.g. {{ $json['Do Not Call'] }}",
				description: 'An expression that is true or yes for rows that must not be called',
			},
			{
				displayName: 'Dry Run',
				name: 'dryRun',
				type: 'boolean',
				default: true,
				description:
					'Whether to show what would be sent, without calling anybody; on as soon as it is added',
			},
			{
				displayName: 'If Numbers Are the Same',
				name: 'duplicates',
				type: 'options',
				options: [
					{ name: 'Call Every Row', value: 'callEvery' },
					{ name: 'Call Once', value: 'callOnce' },
					{ name: 'Stop Before Sending', value: 'stop' },
				],
				default: 'callOnce',
				description: 'What to do when several rows of a run have the same phone number',
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
				description:
					'What to do when some rows cannot be sent as they are; the invalid rows always end as errors',
			},
			{
				displayName: 'Output',
				name: 'outputAs',
				type: 'options',
				options: [
					{
						name: 'One Item per Request',
						value: 'requests',
						description: 'Accepted rows of a request together; others as one item each',
					},
					{ name: 'One Item per Row', value: 'rows' },
				],
				default: 'rows',
				description: 'How accepted rows come out',
			},
			{
				displayName: 'Parallel Requests',
				name: 'parallelRequests',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 20 },
				default: 1,
				description: 'How many requests to send at the same time at most',
			},
			{
				displayName: 'Pause Between Requests',
				name: 'pause',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 3600 },
				default: 0,
				description: 'Seconds to wait before each request but the first',
			},
			{
				displayName: 'Skip People Already Contacted',
				name: 'skipContacted',
				type: 'boolean',
				default: true,
				description:
					'Whether to remember across executions whom this node contacted, and call nobody twice in a campaign; needs a saved workflow; on as soon as it is added',
			},
			{
				displayName: 'Timeout',
				name: 'timeout',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 3600 },
				default: 120,
				description: 'Seconds to wait for a reply, after which the request counts as lost',
			},
			{
				displayName: 'Use Columns as Variables',
				name: 'columnsAsVariables',
				type: 'boolean',
				default: false,
				description:
					'Whether the agent gets the columns of the row as variables, all but the phone number and empty ones',
			},
		],
	},
];
