import type { INodeProperties } from 'n8n-workflow';
import { timeout } from './requestOptions';
import { columns, output } from './ticketFields';

const show = { resource: ['ticket'], operation: ['get'] };

/** The parameters of Ticket > Get. */
export const ticketGet: INodeProperties[] = [
	{
		displayName: 'Ticket Number or ID',
		name: 'ticketId',
		type: 'resourceLocator',
		required: true,
		displayOptions: { show },
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a ticket...',
				typeOptions: { searchListMethod: 'searchTickets', searchable: true },
			},
			{
				displayName: 'By Number or ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 1042',
			},
		],
		description: 'The ticket to read. Search the list by number or title.',
	},
	{ ...output, displayOptions: { show } },
	{ ...columns, displayOptions: { show: { ...show, output: ['selected'] } } },
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		displayOptions: { show },
		default: {},
		placeholder: 'Add option',
		options: [timeout],
	},
];
