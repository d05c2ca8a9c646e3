import type { INodeProperties } from 'n8n-workflow';
import { conditionFields } from './conditionFields';
import { columnMenu } from './menus';

/** The parameters of the trigger. */
export const ticketTrigger: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Customer Waiting For',
				value: 'customerWaiting',
				description: 'The customer wrote last, and no agent reacted for some time',
			},
			{
				name: 'Not Answered For',
				value: 'notAnswered',
				description: 'A ticket has no first response for some time',
			},
			{
				name: 'Snooze Over',
				value: 'snoozeOver',
				description: 'The time in Snoozed Until has passed',
			},
			{ name: 'Ticket Closed', value: 'ticketClosed', description: 'A ticket was closed' },
			{ name: 'Ticket Created', value: 'ticketCreated', description: 'A ticket was created' },
			{
				name: 'Ticket Created or Updated',
				value: 'ticketUpdated',
				description: 'A ticket was created or changed in any way',
			},
			{ name: 'Ticket Resolved', value: 'ticketResolved', description: 'A ticket was resolved' },
		],
		default: 'ticketCreated',
	},
	{
		displayName: 'Wait For',
		name: 'waitFor',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 525600 },
		displayOptions: { show: { event: ['customerWaiting', 'notAnswered'] } },
		default: 60,
		description: 'How long the ticket has to wait before the workflow starts',
	},
	{
		displayName: 'Unit',
		name: 'waitUnit',
		type: 'options',
		displayOptions: { show: { event: ['customerWaiting', 'notAnswered'] } },
		options: [
			{ name: 'Days', value: 'days' },
			{ name: 'Hours', value: 'hours' },
			{ name: 'Minutes', value: 'minutes' },
		],
		default: 'minutes',
		description: 'The unit of the waiting time',
	},
	{
		displayName: 'Filter By',
		name: 'filterMode',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Conditions', value: 'builder', description: 'Choose columns, operators and values' },
			{ name: 'JSON', value: 'json', description: 'Enter the filters as JSON' },
		],
		default: 'builder',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'fixedCollection',
		typeOptions: {
			multipleValues: true,
			multipleValueButtonText: 'Add Condition',
			fixedCollection: { itemTitle: '={{ $collection.item.value.column }}' },
		},
		displayOptions: { show: { filterMode: ['builder'] } },
		default: { conditions: [] },
		placeholder: 'Add Condition',
		builderHint: {
			propertyHint:
				'A list of conditions, never one expression for all of them. Put expressions into values, or use JSON.',
		},
		description: 'All conditions must match. Leave empty to watch all tickets.',
		options: [{ displayName: 'Condition', name: 'conditions', values: conditionFields }],
	},
	{
		displayName: 'Filters (JSON)',
		name: 'filtersJson',
		type: 'json',
		required: true,
		displayOptions: { show: { filterMode: ['json'] } },
		default: '{\n  "priority": { "in": ["urgent", "high"] }\n}',
		description: 'Columns with their operators, as an object or as text. {} matches every ticket.',
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{ name: 'Raw', value: 'raw', description: 'All columns, as the service returns them' },
			{
				name: 'Selected Fields',
				value: 'selected',
				description: 'The columns you choose, always with the ID',
			},
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'The ten columns that people work with',
			},
		],
		default: 'simplified',
	},
	{
		displayName: 'Columns',
		name: 'columns',
		type: 'multiOptions',
		displayOptions: { show: { output: ['selected'] } },
		options: columnMenu,
		default: [],
		description: 'The columns to return, in the order you choose them',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		default: {},
		placeholder: 'Add option',
		options: [
			{
				displayName: 'If a Value Is Empty',
				name: 'emptyValue',
				type: 'options',
				options: [
					{
						name: 'Match Empty',
						value: 'matchEmpty',
						description: 'Find tickets in which the column is empty',
					},
					{
						name: 'Skip the Condition',
						value: 'skip',
						description: 'Ignore the condition',
					},
					{ name: 'Stop', value: 'stop', description: 'Fail before anything is sent' },
				],
				default: 'stop',
				description: 'What to do if the value of a condition is empty',
			},
			{
				displayName: 'Maximum Tickets per Poll',
				name: 'maximumTickets',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 1000,
				description: 'Max number of tickets to return per poll. The next polls return the rest.',
			},
			{
				displayName: 'Overlap',
				name: 'overlap',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 1440 },
				default: 5,
				description:
					'How many minutes each poll looks back for tickets that the service shows late. No ticket is returned twice.',
			},
			{
				displayName: 'Repeat Every',
				name: 'repeatEvery',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 525600 },
				displayOptions: {
					show: { '/event': ['customerWaiting', 'notAnswered', 'snoozeOver'] },
				},
				default: 0,
				description:
					'How long until a ticket that still waits starts the workflow again. 0 for once only.',
			},
			{
				displayName: 'Repeat Unit',
				name: 'repeatUnit',
				type: 'options',
				displayOptions: {
					show: { '/event': ['customerWaiting', 'notAnswered', 'snoozeOver'] },
				},
				options: [
					{ name: 'Days', value: 'days' },
					{ name: 'Hours', value: 'hours' },
					{ name: 'Minutes', value: 'minutes' },
				],
				default: 'minutes',
				description: 'The unit of Repeat Every',
			},
			{
				displayName: 'Timeout',
				name: 'timeout',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 3600 },
				default: 60,
				description:
					'Seconds to wait for a response before giving up on the request. A poll can shorten it.',
			},
		],
	},
];
