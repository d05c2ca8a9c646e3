import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { menu } from './menus';
import { expressionDetector } from './requestOptions';
import { columnsField, filterMode, filters, filtersJson, ticketOutput } from './ticketFields';

/** Events that a ticket records, and the ends of a wait, in the order of use. */
const eventMenu: INodePropertyOptions[] = [
	{ name: 'Ticket Created', value: 'ticketCreated', description: 'A ticket was created' },
	{
		name: 'Ticket Created or Updated',
		value: 'ticketUpdated',
		description: 'A ticket was created or changed in any way',
	},
	{ name: 'Ticket Resolved', value: 'ticketResolved', description: 'A ticket was resolved' },
	{ name: 'Ticket Closed', value: 'ticketClosed', description: 'A ticket was closed' },
	{
		name: 'Customer Waiting For',
		value: 'customerWaiting',
		action: 'On customer waiting',
		description: 'The customer wrote last, and no agent reacted for some time',
	},
	{
		name: 'Not Answered For',
		value: 'notAnswered',
		action: 'On ticket not answered',
		description: 'A ticket has no first response for some time',
	},
	{
		name: 'Snooze Ended',
		value: 'snoozeOver',
		action: 'On snooze ended',
		description: 'The time in Snoozed Until has passed',
	},
];

/** The parameters of the trigger. */
export const ticketTrigger: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: eventMenu,
		default: 'ticketCreated',
	},
	{
		displayName: 'Waiting Longer Than',
		name: 'waitFor',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 525600 },
		displayOptions: { show: { event: ['customerWaiting', 'notAnswered'] } },
		default: 60,
		description:
			'How long a ticket has waited when the workflow starts. A manual test respects it.',
	},
	{
		displayName: 'Unit',
		name: 'waitUnit',
		type: 'options',
		displayOptions: { show: { event: ['customerWaiting', 'notAnswered'] } },
		options: menu({ days: 'Days', hours: 'Hours', minutes: 'Minutes' }),
		default: 'minutes',
		description: 'The unit of the waiting time',
	},
	filterMode,
	{
		...filters,
		displayOptions: { show: { filterMode: ['builder'] } },
		description: 'All conditions must match. Leave empty to watch all tickets.',
	},
	{ ...filtersJson, displayOptions: { show: { filterMode: ['json'] } } },
	ticketOutput,
	{ ...columnsField, displayOptions: { show: { output: ['selected'] } } },
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		default: {},
		placeholder: 'Add option',
		options: [
			expressionDetector,
			{
				displayName: 'Look Back',
				name: 'overlap',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 1440 },
				default: 5,
				description:
					'How many minutes each poll looks back for tickets that the service shows late. No ticket is returned twice.',
			},
			{
				displayName: 'Maximum Tickets per Poll',
				name: 'maximumTickets',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 1000,
				description: 'Max number of tickets to return per poll. The next polls return the rest.',
			},
		],
	},
];
