import type { INodeProperties } from 'n8n-workflow';
import { conditionFields } from './conditionFields';
import { columnMenu } from './menus';

/** The parameters of Ticket > Search. */
export const ticketSearch: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		displayOptions: { show: { resource: ['ticket'], operation: ['search'] } },
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		displayOptions: { show: { resource: ['ticket'], operation: ['search'], returnAll: [false] } },
		default: 50,
		description: 'Max number of results to return',
	},
	{
		displayName: 'Filter By',
		name: 'filterMode',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['ticket'], operation: ['search'] } },
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
		displayOptions: {
			show: { resource: ['ticket'], operation: ['search'], filterMode: ['builder'] },
		},
		default: { conditions: [] },
		placeholder: 'Add Condition',
		builderHint: {
			propertyHint:
				'A list of conditions, never one expression for all of them. Put expressions into values, or use JSON.',
		},
		description: 'All conditions must match. Leave empty to return all tickets.',
		options: [{ displayName: 'Condition', name: 'conditions', values: conditionFields }],
	},
	{
		displayName: 'Filters (JSON)',
		name: 'filtersJson',
		type: 'json',
		required: true,
		displayOptions: {
			show: { resource: ['ticket'], operation: ['search'], filterMode: ['json'] },
			hide: { '@tool': [true] },
		},
		default: '{\n  "priority": { "in": ["urgent", "high"] }\n}',
		description: 'Columns with their operators, as an object or as text. {} matches every ticket.',
	},
	{
		displayName: 'Filters (JSON)',
		name: 'filtersJson',
		type: 'json',
		required: true,
		displayOptions: {
			show: { resource: ['ticket'], operation: ['search'], filterMode: ['json'], '@tool': [true] },
		},
		default:
			'={{ $fromAI(\'filters\', \'Filters by column as a JSON object. All must match, {} matches every ticket. Columns: ticketNumber (number) / title, description, summary (text) / priority (urgent, high, medium, low) / source (email, chat_widget, voice, whatsapp, sms, customer_portal, form, manual, api, slack, microsoft_teams, instagram, discord, telegram) / isShared (boolean) / createdAt, updatedAt, firstResponseAt, resolvedAt, closedAt, snoozedUntil, lastCustomerActivityAt, lastAgentActivityAt (ISO 8601 times) / IDs as UUID: id, statusId, customerId, assigneeUserId, assignedTeamId, ownerUserId, ownerTeamId, createdByUserId, conversationId, agentId, flowId, ticketTypeId, parentTicketId, mergedIntoTicketId, splitFromTicketId, workspaceId. Operators: eq, ne, in, notIn (lists), isNull, isNotNull, isEmpty, isNotEmpty (true), iLike, notILike, like, notLike (text, % matches anything), gt, gte, lt, lte (numbers and times). Example: {"priority": {"in": ["urgent", "high"] } }\', \'json\') }}',
		description: 'Columns with their operators. The model fills them in by default.',
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		displayOptions: { show: { resource: ['ticket'], operation: ['search'] } },
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
		displayOptions: { show: { resource: ['ticket'], operation: ['search'], output: ['selected'] } },
		options: columnMenu,
		default: [],
		description: 'The columns to return, in the order you choose them',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		displayOptions: { show: { resource: ['ticket'], operation: ['search'] } },
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
				displayName: 'Items',
				name: 'outputAs',
				type: 'options',
				options: [
					{ name: 'All Tickets in One Item', value: 'oneItem' },
					{ name: 'One Item per Ticket', value: 'items' },
				],
				default: 'items',
				description: 'How tickets are returned',
			},
			{
				displayName: 'Offset',
				name: 'offset',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 0,
				description: 'Number of tickets to skip at the start',
			},
			{
				displayName: 'Page Size',
				name: 'pageSize',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 100 },
				default: 100,
				description: 'Max number of tickets per request',
			},
			{
				displayName: 'Parallel Requests',
				name: 'parallelRequests',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 20 },
				default: 20,
				description:
					'Max number of requests at the same time, with Return All. The node adapts to the speed and limits of the service.',
			},
			{
				displayName: 'Timeout',
				name: 'timeout',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 3600 },
				default: 120,
				description: 'Seconds to wait for a response before giving up on the request',
			},
		],
	},
	{
		displayName: 'Sort',
		name: 'sort',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true, multipleValueButtonText: 'Add Sort Rule' },
		displayOptions: { show: { resource: ['ticket'], operation: ['search'] } },
		default: { rules: [] },
		placeholder: 'Add Sort Rule',
		description: 'Sorts by the first rule, then by the next',
		options: [
			{
				displayName: 'Rule',
				name: 'rules',
				values: [
					{
						displayName: 'Column',
						name: 'column',
						type: 'options',
						noDataExpression: true,
						options: columnMenu,
						default: 'createdAt',
					},
					{
						displayName: 'Direction',
						name: 'direction',
						type: 'options',
						options: [
							{ name: 'Ascending', value: 'asc' },
							{ name: 'Descending', value: 'desc' },
						],
						default: 'asc',
					},
				],
			},
		],
	},
];
