import type { INodeProperties } from 'n8n-workflow';

/** The parameters of Conversation > Get. */
export const conversationGet: INodeProperties[] = [
	{
		displayName: 'Conversation ID',
		name: 'conversationId',
		type: 'string',
		required: true,
		displayOptions: { show: { resource: ['conversation'], operation: ['get'] } },
		default: '',
		placeholder: 'e.g. 0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40',
		description: 'The ID of the conversation, or a web address that holds it',
	},
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		displayOptions: { show: { resource: ['conversation'], operation: ['get'] } },
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	{
		displayName: 'Wait Until Finished',
		name: 'waitUntilFinished',
		type: 'boolean',
		displayOptions: { show: { resource: ['conversation'], operation: ['get'] } },
		default: false,
		description:
			'Whether to ask again, with growing pauses, until the conversation is finished or Maximum Wait (10 minutes) is over',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		displayOptions: { show: { resource: ['conversation'], operation: ['get'] } },
		default: {},
		placeholder: 'Add option',
		options: [
			{
				displayName: 'Call Again Reasons',
				name: 'callAgainReasons',
				type: 'string',
				default: 'user_did_not_answer',
				placeholder: 'e.g. user_did_not_answer, busy',
				description: 'End reasons after which callAgain is true, separated by commas',
			},
			{
				displayName: 'Finished States',
				name: 'finishedStates',
				type: 'string',
				default: 'completed',
				placeholder: 'e.g. completed, failed',
				description:
					'The statuses, separated by commas, in which a conversation is finished; one with an end time is finished in any case',
			},
			{
				displayName: 'First Pause',
				name: 'firstPause',
				type: 'number',
				typeOptions: { minValue: 0.1, maxValue: 3600 },
				displayOptions: { show: { '/waitUntilFinished': [true] } },
				default: 5,
				description:
					'Seconds until the second look at a conversation; each pause after it is longer by half',
			},
			{
				displayName: 'If Not Finished',
				name: 'ifNotFinished',
				type: 'options',
				displayOptions: { show: { '/waitUntilFinished': [true] } },
				options: [
					{ name: 'Fail', value: 'fail' },
					{ name: 'Return the Last State', value: 'return' },
				],
				default: 'return',
				description:
					'What to do with a conversation that is not finished when Maximum Wait is over',
			},
			{
				displayName: 'Longest Pause',
				name: 'longestPause',
				type: 'number',
				typeOptions: { minValue: 0.1, maxValue: 3600 },
				displayOptions: { show: { '/waitUntilFinished': [true] } },
				default: 60,
				description: 'Seconds between two looks at most, however long the wait',
			},
			{
				displayName: 'Maximum Wait',
				name: 'maximumWait',
				type: 'number',
				typeOptions: { minValue: 0.1, maxValue: 1440 },
				displayOptions: { show: { '/waitUntilFinished': [true] } },
				default: 10,
				description: 'Minutes to wait at most, counted from the start of the node',
			},
			{
				displayName: 'Parallel Requests',
				name: 'parallelRequests',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 20 },
				default: 5,
				description: 'How many requests to send at the same time at most',
			},
			{
				displayName: 'Timeout',
				name: 'timeout',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 3600 },
				default: 120,
				description: 'Seconds to wait for a reply, after which the request counts as lost',
			},
		],
	},
];
