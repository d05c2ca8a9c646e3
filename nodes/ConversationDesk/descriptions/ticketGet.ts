import type { INodeProperties } from 'n8n-workflow';
import { listOrId } from './menus';
import { oneExpression, timeout } from './requestOptions';
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
		...listOrId('Select a ticket...', 'searchTickets', {
			displayName: 'By Number or ID',
			placeholder: 'e.g. 1042',
		}),
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
		options: [oneExpression, timeout],
	},
];
