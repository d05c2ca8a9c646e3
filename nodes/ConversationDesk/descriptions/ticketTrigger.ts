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
				description: 'The columns to return; without any, all are returned',
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
					'How many tickets one poll hands out at most; the rest comes with the next ones',
			},
			{
				displayName: 'Overlap (Minutes)',
				name: 'overlap',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 1440 },
				default: 5,
				description:
					'How far each poll looks back, for tickets that become visible late; none comes out twice',
			},
			{
				displayName: 'Spelling of Sort and Columns',
				name: 'spelling',
				type: 'options',
				options: [
					{
						name: 'Find Out',
						value: 'auto',
						description: 'Try the other spelling when the service refuses one',
					},
					{ name: 'Formal', value: 'formal', description: 'Sort by field, columns as an object' },
					{
						name: 'Narrative',
						value: 'narrative',
						description: 'Sort by column, columns as a list',
					},
				],
				default: 'auto',
				description:
					'How to write sort rules and columns in a request; the service documents two ways',
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
