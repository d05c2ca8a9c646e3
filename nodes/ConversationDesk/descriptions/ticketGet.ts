import type { INodeProperties } from 'n8n-workflow';
import { columnMenu } from './menus';

/** The parameters of Ticket > Get. */
export const ticketGet: INodeProperties[] = [
	{
		displayName: 'Ticket Number or ID',
		name: 'ticketId',
		type: 'resourceLocator',
		required: true,
		displayOptions: { show: { resource: ['ticket'], operation: ['get'] } },
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
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		displayOptions: { show: { resource: ['ticket'], operation: ['get'] } },
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
		displayOptions: { show: { resource: ['ticket'], operation: ['get'], output: ['selected'] } },
		options: columnMenu,
		default: [],
		description: 'The columns to return, in the order you choose them',
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
				displayName: 'Timeout',
				name: 'timeout',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 3600 },
				default: 120,
				description: 'Seconds to wait for a response before giving up on the request',
			},
		],
	},
];
