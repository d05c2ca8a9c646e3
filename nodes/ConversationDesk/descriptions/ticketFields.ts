import type { INodeProperties } from 'n8n-workflow';
import { conditionFields } from './conditionFields';
import { columnMenu } from './menus';

/** How the filters of tickets are entered. */
export const filterMode: INodeProperties = {
	displayName: 'Filter By',
	name: 'filterMode',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Conditions', value: 'builder', description: 'Choose columns, operators and values' },
		{ name: 'JSON', value: 'json', description: 'Enter the filters as JSON' },
	],
	default: 'builder',
};

/** The conditions that tickets have to match. */
export const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'fixedCollection',
	typeOptions: {
		multipleValues: true,
		multipleValueButtonText: 'Add Condition',
		fixedCollection: { itemTitle: '={{ $collection.item.value.column }}' },
	},
	default: { conditions: [] },
	placeholder: 'Add Condition',
	builderHint: {
		propertyHint:
			'A list of conditions, never one expression for all of them. Put expressions into values, or use JSON.',
	},
	description: 'All conditions must match. Leave empty to return all tickets.',
	options: [{ displayName: 'Condition', name: 'conditions', values: conditionFields }],
};

/** The same conditions as JSON. */
export const filtersJson: INodeProperties = {
	displayName: 'Filters (JSON)',
	name: 'filtersJson',
	type: 'json',
	required: true,
	default: '',
	placeholder: 'e.g. { "priority": { "in": ["urgent", "high"] } }',
	description: 'Columns with their operators, as an object or as text. {} matches every ticket.',
};

/** The choice of returned fields. */
export const outputField = (raw: string, simplified: string): INodeProperties => ({
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'Raw', value: 'raw', description: raw },
		{
			name: 'Selected Fields',
			value: 'selected',
			description: 'The columns you choose, always with the ID',
		},
		{ name: 'Simplified', value: 'simplified', description: simplified },
	],
	default: 'simplified',
});

/** The choice of returned columns of tickets. */
export const ticketOutput = outputField(
	'All columns, as the service returns them',
	'The main columns. Statuses and agents are IDs, because the service gives no names.',
);

/** The columns of selected fields. */
export const columnsField: INodeProperties = {
	displayName: 'Columns',
	name: 'columns',
	type: 'multiOptions',
	options: columnMenu,
	default: [],
	description: 'The columns to return, in the order you choose them',
};
