import type { INodeProperties } from 'n8n-workflow';
import { columnMenu } from './menus';

/** The parameters of Ticket > Get. */
export const ticketGet: INodeProperties[] = [
	{
		displayName: 'Ticket Number or ID',
		name: 'ticketId',
		type: 'string',
		required: true,
		displayOptions: { show: { resource: ['ticket'], operation: ['get'] } },
		default: '',
		placeholder: 'e.g. 1042',
		description: 'The number of the ticket, or its ID',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		displayOptions: { show: { resource: ['ticket'], operation: ['get'] } },
		default: {},
		placeholder: 'Add option',
		options: [
			{
				displayName: 'Columns',
				name: 'columns',
				type: 'multiOptions',
				options: columnMenu,
				default: [],
				description: 'The columns to return; choose none for all of them',
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
