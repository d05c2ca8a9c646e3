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
];
