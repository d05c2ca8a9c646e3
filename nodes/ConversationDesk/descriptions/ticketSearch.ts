import type { INodeProperties } from 'n8n-workflow';
import { columnMenu } from './menus';
import { parallelRequests, timeoutField, optionsField } from './requestOptions';
import { columnsField, filterMode, filters, filtersJson, ticketOutput } from './ticketFields';

const searchTicketsOnly = { resource: ['ticket'], operation: ['search'] };

/** The parameters of Ticket > Search. */
export const ticketSearch: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		displayOptions: { show: searchTicketsOnly },
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		displayOptions: { show: { ...searchTicketsOnly, returnAll: [false] } },
		default: 50,
		description: 'Max number of results to return',
	},
	{ ...filterMode, displayOptions: { show: searchTicketsOnly, hide: { '@tool': [true] } } },
	{
		...filterMode,
		displayOptions: { show: { ...searchTicketsOnly, '@tool': [true] } },
		// A model cannot fill in conditions.
		default: 'json',
	},
	{ ...filters, displayOptions: { show: { ...searchTicketsOnly, filterMode: ['builder'] } } },
	{
		...filtersJson,
		displayOptions: {
			show: { ...searchTicketsOnly, filterMode: ['json'] },
			hide: { '@tool': [true] },
		},
	},
	{
		...filtersJson,
		displayOptions: { show: { ...searchTicketsOnly, filterMode: ['json'], '@tool': [true] } },
		default:
			'={{ $fromAI(\'filters\', \'Filters by column as a JSON object. All must match, {} matches every ticket. Columns: ticketNumber (number) / title, description, summary (text) / priority (urgent, high, medium, low) / source (email, chat_widget, voice, whatsapp, sms, customer_portal, form, manual, api, slack, microsoft_teams, instagram, discord, telegram) / isShared (boolean) / createdAt, updatedAt, firstResponseAt, resolvedAt, closedAt, snoozedUntil, lastCustomerActivityAt, lastAgentActivityAt (ISO 8601 times) / IDs as UUID: id, statusId, customerId, assigneeUserId, assignedTeamId, ownerUserId, ownerTeamId, createdByUserId, conversationId, agentId, flowId, ticketTypeId, parentTicketId, mergedIntoTicketId, splitFromTicketId, workspaceId. Operators: eq, ne, in, notIn (lists), isNull, isNotNull, isEmpty, isNotEmpty (true), iLike, notILike, like, notLike (text, % matches anything), gt, gte, lt, lte (numbers and times). Example: {"priority": {"in": ["urgent", "high"] } }\', \'json\') }}',
		description: 'Columns with their operators. The model fills them in by default.',
	},
	{ ...ticketOutput, displayOptions: { show: searchTicketsOnly } },
	{ ...columnsField, displayOptions: { show: { ...searchTicketsOnly, output: ['selected'] } } },
	{
		displayName: 'Sort',
		name: 'sort',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true, multipleValueButtonText: 'Add Sort Rule' },
		displayOptions: { show: searchTicketsOnly },
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
	optionsField(searchTicketsOnly, [
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
			...parallelRequests,
			description:
				'Max number of requests at the same time, with Return All. The node adapts to the speed and limits of the service.',
		},
		timeoutField,
	]),
];
