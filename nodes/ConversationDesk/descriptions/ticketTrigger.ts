import type { INodeProperties } from 'n8n-workflow';
import { conditionFields } from './conditionFields';
import { columnMenu } from './menus';

/** The parameters of the trigger. */
export const ticketTrigger: INodeProperties[] = [
	{
		displayName: 'Event',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Ticket Closed', value: 'ticketClosed', description: 'A ticket was closed' },
			{ name: 'Ticket Created', value: 'ticketCreated', description: 'A ticket was created' },
			{ name: 'Ticket Resolved', value: 'ticketResolved', description: 'A ticket was resolved' },
			{
				name: 'Ticket Updated',
				value: 'ticketUpdated',
				description: 'A ticket was created or changed in any way',
			},
		],
		default: 'ticketCreated',
	},
	{
		displayName: 'Filter By',
		name: 'filterMode',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Conditions', value: 'builder', description: 'Choose columns, operators and values' },
			{ name: 'JSON', value: 'json', description: 'Enter the filters as the service takes them' },
		],
		default: 'builder',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Condition' },
		displayOptions: { show: { filterMode: ['builder'] } },
		default: { conditions: [] },
		placeholder: 'Add Condition',
		description: 'All conditions have to match; without any, every ticket does',
		options: [{ displayName: 'Condition', name: 'conditions', values: conditionFields }],
	},
	{
		displayName: 'Filters (JSON)',
		name: 'filtersJson',
		type: 'json',
		required: true,
		displayOptions: { show: { filterMode: ['json'] } },
		default: '{\n  "priority": { "in": ["urgent", "high"] }\n}',
		description: 'Columns with their operators, as an object or as text; {} matches every ticket',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
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
						description: 'Watch as if the condition were not there',
					},
					{ name: 'Stop', value: 'stop', description: 'Fail before anything is sent' },
				],
				default: 'stop',
				description: 'What to do with a condition of which an expression gives no value',
			},
			{
				displayName: 'Maximum Tickets per Poll',
				name: 'maximumTickets',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 1000,
				description:
					'How many tickets come out of one poll at most; the rest comes out of the next ones',
			},
			{
				displayName: 'Overlap',
				name: 'overlap',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 1440 },
				default: 5,
				description:
					'Minutes that each poll looks back, for tickets that become visible late; none comes out twice',
			},
			{
				displayName: 'Spelling of Sort and Columns',
				name: 'spelling',
				type: 'options',
				options: [
					{
						name: 'Automatic',
						value: 'auto',
						description: 'Try the other spelling when the service refuses one',
					},
					{
						name: 'Column and List',
						value: 'narrative',
						description: 'Sort rules name a column, columns are a list',
					},
					{
						name: 'Field and Object',
						value: 'formal',
						description: 'Sort rules name a field, columns are an object',
					},
				],
				default: 'auto',
				description:
					'How sort rules and columns are written in a request; change it only if the service refuses both',
			},
			{
				displayName: 'Timeout',
				name: 'timeout',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 3600 },
				default: 60,
				description: 'Seconds to wait for a reply, after which the request counts as lost',
			},
		],
	},
];
