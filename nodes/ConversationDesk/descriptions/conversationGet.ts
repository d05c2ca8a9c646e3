import type { INodeProperties } from 'n8n-workflow';
import { conversationFields } from '../../../src/conversations/get/fields';
import { listOrId, menu } from './menus';
import { includeOtherFields, parallelRequests, timeoutField, optionsField } from './requestOptions';
import { columnsField, outputField } from './ticketFields';

const getConversationOnly = { resource: ['conversation'], operation: ['get'] };

/** The parameters of Conversation > Get. */
export const conversationGet: INodeProperties[] = [
	{
		displayName: 'Conversation ID',
		name: 'conversationId',
		type: 'resourceLocator',
		required: true,
		displayOptions: { show: getConversationOnly },
		default: { mode: 'id', value: '' },
		modes: [
			...listOrId('Select a conversation...', 'searchConversations').modes,
			{
				displayName: 'By URL',
				name: 'url',
				type: 'string',
				placeholder: 'e.g. https://.../conversations/0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40',
				// The last ID in the path.
				extractValue: {
					type: 'regex',
					regex:
						'^\\s*https?://[^?#]*/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})(?=[/?#\\s]|$)',
				},
			},
		],
		description: 'The conversation to read. The list has those of recent tickets.',
	},
	{
		...outputField(
			'The response as the service returns it',
			'Status, result, customer, agent, times, summary, categories, notes and variables',
		),
		displayOptions: { show: getConversationOnly },
	},
	{
		...columnsField,
		displayOptions: { show: { ...getConversationOnly, output: ['selected'] } },
		options: menu(conversationFields),
	},
	{
		displayName: 'Wait Until Finished',
		name: 'waitUntilFinished',
		type: 'boolean',
		displayOptions: { show: getConversationOnly },
		default: false,
		description:
			"Whether to wait until the conversation is finished, or until 'Maximum Wait' (10 minutes) is over",
	},
	optionsField(getConversationOnly, [
		{
			displayName: 'Call Again Reasons',
			name: 'callAgainReasons',
			type: 'string',
			default: 'user_did_not_answer',
			placeholder: 'e.g. user_did_not_answer, busy',
			description: 'End reasons after which callAgain is true, separated by commas',
		},
		{
			displayName: 'Finished Statuses',
			name: 'finishedStates',
			type: 'string',
			default: 'completed',
			placeholder: 'e.g. completed, failed',
			description:
				'Statuses of finished conversations, separated by commas. One with an end time is always finished.',
		},
		includeOtherFields,
		{
			displayName: 'Initial Delay',
			name: 'firstPause',
			type: 'number',
			typeOptions: { minValue: 0.1, maxValue: 3600 },
			displayOptions: { show: { '/waitUntilFinished': [true] } },
			default: 5,
			description:
				'Seconds to wait before checking again. Each further delay is 50% longer, up to a minute.',
		},
		{
			displayName: 'Maximum Wait',
			name: 'maximumWait',
			type: 'number',
			typeOptions: { minValue: 0.1, maxValue: 1440 },
			displayOptions: { show: { '/waitUntilFinished': [true] } },
			default: 10,
			description: 'Max minutes to wait, counted from the start of the node',
		},
		{
			...parallelRequests,
			description:
				'Max number of requests at the same time. The node adapts to the speed of the service.',
		},
		timeoutField,
	]),
];
