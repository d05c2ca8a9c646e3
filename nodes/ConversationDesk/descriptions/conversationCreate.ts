import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { countries } from './countries';
import { explainedValues, whoMayBeCalled } from './marks';
import { listOrId } from './menus';
import {
	batching,
	dryRunFields,
	duplicates,
	expressionDetector,
	includeOtherFields,
	includeResponse,
	inputMode,
	invalidRows,
	optionsField,
} from './requestOptions';

const createConversationOnly = { resource: ['conversation'], operation: ['create'] };

const DAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const weekdayOptions = DAY_NAMES.map((name) => ({ name, value: name.toLowerCase() }));
const WORKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];

const defaultCountry: INodeProperties = {
	displayName: 'Default Country',
	name: 'defaultCountry',
	type: 'options',
	options: [{ name: '(None)', value: '' }, ...countries],
	default: '',
	description:
		'The country of phone numbers without a country code. It can be a column by an expression.',
};

const enteredVariables: INodePropertyOptions[] = [
	{ name: 'Using Fields Below', value: 'fields', description: 'Enter names and values' },
	{ name: 'Using JSON', value: 'json', description: 'Enter an object' },
];

const variablesMode: INodeProperties = {
	displayName: 'Variables',
	name: 'variablesMode',
	type: 'options',
	noDataExpression: true,
	options: enteredVariables,
	default: 'fields',
	description: 'What the agent knows about the person, e.g. a name or an appointment',
};

/** The parameters of Conversation > Create. */
export const conversationCreate: INodeProperties[] = [
	...dryRunFields(
		createConversationOnly,
		{
			description: 'Whether to preview the calls without making them',
			builderHint: {
				propertyHint: 'Keep it true until the user has seen a dry run. False rings real phones.',
			},
		},
		{ displayName: 'Executing this step starts real conversations', name: 'startsConversations' },
	),
	{
		displayName:
			"This tool calls real people. It starts up to 5 conversations per execution and 20 per day, unless you set other limits under 'Safeguards'. To approve each call, add a human review to the tool.",
		name: 'toolStartsConversations',
		type: 'notice',
		displayOptions: { show: { ...createConversationOnly, '@tool': [true] } },
		default: '',
	},
	inputMode('conversation', createConversationOnly),
	{
		displayName: 'Agent ID',
		name: 'agentId',
		type: 'resourceLocator',
		required: true,
		displayOptions: { show: { ...createConversationOnly, inputMode: ['fields'] } },
		default: { mode: 'list', value: '' },
		...listOrId('Select an agent...', 'searchAgents'),
		description:
			'The AI agent. For several agents use an expression: two nodes do not know who was called by the other.',
	},
	{
		displayName: 'Conversation Type',
		name: 'conversationType',
		type: 'options',
		displayOptions: { show: { ...createConversationOnly, inputMode: ['fields'] } },
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
			show: { ...createConversationOnly, inputMode: ['fields'] },
			hide: { conversationType: ['chat', 'web'] },
		},
		default: '',
		placeholder: 'e.g. +14155550178',
		description: 'The number to call, with its country code',
	},
	{
		...defaultCountry,
		displayOptions: {
			show: { ...createConversationOnly, inputMode: ['fields'] },
			hide: { conversationType: ['chat', 'web'] },
		},
	},
	{
		...defaultCountry,
		displayOptions: { show: { ...createConversationOnly, inputMode: ['json'] } },
	},
	...whoMayBeCalled({ ...createConversationOnly, '@tool': [false] }),
	{
		...variablesMode,
		displayOptions: {
			show: { ...createConversationOnly, inputMode: ['fields'], '@tool': [false] },
		},
		options: [
			{
				name: 'Columns of the Row',
				value: 'columns',
				description: 'All columns with a value, except the one that says who may be called',
			},
			...enteredVariables,
		],
	},
	{
		...variablesMode,
		displayOptions: { show: { ...createConversationOnly, inputMode: ['fields'], '@tool': [true] } },
	},
	{
		displayName: 'Dynamic Variables',
		name: 'dynamicVariables',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Variable' },
		displayOptions: {
			show: { ...createConversationOnly, inputMode: ['fields'], variablesMode: ['fields'] },
		},
		default: { variables: [] },
		placeholder: 'Add Variable',
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
			show: { ...createConversationOnly, inputMode: ['fields'], variablesMode: ['json'] },
		},
		default: '',
		placeholder: 'e.g. { "firstName": "Ana" }',
		description: 'The variables that the agent can use, as an object of names and values',
	},
	{
		displayName: 'Conversation (JSON)',
		name: 'conversationJson',
		type: 'json',
		required: true,
		displayOptions: { show: { ...createConversationOnly, inputMode: ['json'] } },
		default: '',
		placeholder: 'e.g. { "agentId": "...", "toPhoneNumber": "+14155550178" }',
		description:
			'The conversation of a row, as an object or its text. For a list, add a Split Out node before.',
	},
	{
		displayName: 'Safeguards',
		name: 'safeguards',
		type: 'collection',
		displayOptions: { show: createConversationOnly },
		default: {},
		placeholder: 'Add safeguard',
		builderHint: { propertyHint: 'Never fill a safeguard with $fromAI.' },
		options: [
			expressionDetector,
			{
				displayName: 'Allowed Countries',
				name: 'allowedCountries',
				type: 'multiOptions',
				options: countries,
				default: [],
				description: 'Only numbers of these countries are called',
			},
			{
				displayName: 'Approved Plan',
				name: 'approvedPlan',
				type: 'string',
				default: '',
				placeholder: 'e.g. {{ $json.planId }}',
				description:
					'The planId of a dry run that was approved. If the rows differ, nothing is sent.',
			},
			{
				displayName: 'Attempts',
				name: 'attempts',
				type: 'fixedCollection',
				default: { limit: {} },
				placeholder: 'Add Attempts',
				description: 'How often a person is called in a campaign. Requires a saved workflow.',
				options: [
					{
						displayName: 'Limit',
						name: 'limit',
						values: [
							{
								displayName: 'Campaign Key',
								name: 'campaignKey',
								type: 'string',
								default: '',
								placeholder: 'e.g. spring-2026',
								description: 'A name of the campaign. A different name counts from the start.',
							},
							{
								displayName: 'Maximum Attempts',
								name: 'maximum',
								type: 'number',
								typeOptions: { minValue: 1, maxValue: 10 },
								default: 3,
								description: 'Max number of times to call a person in the campaign',
							},
						],
					},
				],
			},
			{
				displayName: 'Calling Hours',
				name: 'callingHours',
				type: 'fixedCollection',
				default: { when: {} },
				placeholder: 'Add Calling Hours',
				description: 'When people may be called, in their own time. Others are left out.',
				options: [
					{
						displayName: 'When',
						name: 'when',
						values: [
							{
								displayName: 'Hours',
								name: 'hours',
								type: 'fixedCollection',
								typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Hours' },
								default: { rows: [{ days: WORKDAYS, from: '', until: '' }] },
								placeholder: 'Add Hours',
								description: 'The hours of some days. For the whole day, use 00:00 to 24:00.',
								options: [
									{
										displayName: 'Hours',
										name: 'rows',
										values: [
											{
												displayName: 'Days',
												name: 'days',
												type: 'multiOptions',
												options: weekdayOptions,
												default: [...WORKDAYS],
												description: 'The days on which these hours begin',
											},
											{
												displayName: 'From',
												name: 'from',
												type: 'string',
												default: '',
												placeholder: 'e.g. 09:00',
												description: 'When calls may start, in 24 hours',
											},
											{
												displayName: 'Until',
												name: 'until',
												type: 'string',
												default: '',
												placeholder: 'e.g. 20:00',
												description:
													"When calls must stop. An earlier time than 'From' is on the next day.",
											},
										],
									},
								],
							},
							{
								displayName: 'Holidays',
								name: 'daysNotToCall',
								type: 'string',
								default: '',
								placeholder: 'e.g. 2026-12-25, 2027-01-01',
								description: 'Dates on which no one is called, separated by commas',
							},
							{
								displayName: 'Time Zone',
								name: 'timeZone',
								type: 'string',
								default: '',
								placeholder: 'e.g. America/New_York',
								description:
									'A name, or a column by an expression. Empty for all zones the number may be in.',
							},
						],
					},
				],
			},
			{
				displayName: 'Hours Between Calls',
				name: 'hoursBetweenCalls',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 168 },
				default: 12,
				description:
					'Hours before this node calls a person again. It is 12 unless set here, and 0 turns it off.',
			},
			{
				displayName: 'Maximum Conversations',
				name: 'maximumConversations',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 500,
				description:
					'Max number of conversations to start per execution. If there are more, none are started.',
				hint: 'It is 500 unless set here, and 5 as a tool of an agent',
			},
			{
				displayName: 'Maximum per Day',
				name: 'maximumPerDay',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 100000 },
				default: 500,
				description:
					'Max number of conversations per day, counted from when it is added. Requires a saved workflow.',
			},
			{
				displayName: 'Person ID',
				name: 'personId',
				type: 'string',
				default: '',
				placeholder: 'e.g. {{ $json.customerId }}',
				description: 'Who a chat or web conversation is for, as it has no number',
			},
			{
				displayName: 'Required Variables',
				name: 'requiredVariables',
				type: 'string',
				requiresDataPath: 'multiple',
				default: '',
				placeholder: 'e.g. firstName, city',
				description: 'Variables that no row may lack. A row without a value for one is not called.',
			},
			...explainedValues,
		],
	},
	optionsField(createConversationOnly, [
		{
			displayName: 'Additional Fields (JSON)',
			name: 'additionalFieldsJson',
			type: 'json',
			default: '{}',
			description: 'More fields of the conversation, sent as entered',
		},
		{
			displayName: 'Allow Premium-Rate Numbers',
			name: 'allowPremiumRate',
			type: 'boolean',
			default: true,
			description:
				'Whether to call premium-rate, shared-cost and personal numbers, pagers and voicemail boxes',
		},
		{
			displayName: 'Allow Unassigned Numbers',
			name: 'allowUnassigned',
			type: 'boolean',
			default: true,
			description:
				'Whether to call numbers of a valid length whose range is not known to be assigned in their country',
		},
		batching({ noun: 'conversations', batchSize: 50, parallel: 1 }),
		duplicates,
		invalidRows,
		includeOtherFields,
		includeResponse,
	]),
];
