import type { INodeProperties } from 'n8n-workflow';
import { listOrId } from './menus';
import { timeoutField, optionsField } from './requestOptions';
import { columnsField, ticketOutput } from './ticketFields';

const getTicketOnly = { resource: ['ticket'], operation: ['get'] };

/** The parameters of Ticket > Get. */
export const ticketGet: INodeProperties[] = [
	{
		displayName: 'Ticket Number or ID',
		name: 'ticketId',
		type: 'resourceLocator',
		required: true,
		displayOptions: { show: getTicketOnly },
		default: { mode: 'list', value: '' },
		...listOrId('Select a ticket...', 'searchTickets', {
			displayName: 'By Number or ID',
			placeholder: 'e.g. 1042',
		}),
		description: 'The ticket to read. The list has the newest 1,000 tickets by number and title.',
	},
	{ ...ticketOutput, displayOptions: { show: getTicketOnly } },
	{ ...columnsField, displayOptions: { show: { ...getTicketOnly, output: ['selected'] } } },
	optionsField(getTicketOnly, [timeoutField]),
];
