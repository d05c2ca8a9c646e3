import type { INodeProperties } from 'n8n-workflow';
import { listColumns, priorities, sources, type Kind } from '../../../src/tickets/columns';
import { operatorsByKind } from '../../../src/tickets/operators';
import { columnMenu, forOperators, listOrId, menu, operatorMenu } from './menus';

const operatorFields = (Object.keys(operatorsByKind) as Kind[]).map((kind): INodeProperties => ({
	displayName: 'Operator',
	name: 'operator',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { column: listColumns(kind) } },
	options: operatorMenu(kind),
	default: 'eq',
}));

const unitsByLabel = { Days: 'days', Hours: 'hours', Minutes: 'minutes' } as const;

/** The kinds of columns with a menu of values, and the default. */
const choices = [
	['source', menu(sources), 'email'],
	['priority', menu(priorities), 'urgent'],
] as const;

const valueParameters: INodeProperties[] = [
	{
		displayName: 'Value',
		name: 'value',
		type: 'string',
		displayOptions: forOperators('one', 'text'),
		default: '',
		description: 'The text to look for. % and _ have no special meaning.',
	},
	{
		displayName: 'Value',
		name: 'value',
		type: 'resourceLocator',
		displayOptions: forOperators('one', 'identifier'),
		default: { mode: 'list', value: '' },
		...listOrId('Select a value...', 'searchColumnValues'),
		description:
			'The ID to compare with. The list has the IDs of recent tickets, because the service gives no names.',
	},
	{
		displayName: 'Value Names or IDs',
		name: 'idValues',
		type: 'multiOptions',
		displayOptions: forOperators('many', 'identifier'),
		typeOptions: { loadOptionsMethod: 'getColumnValues', loadOptionsDependsOn: ['&column'] },
		default: [],
		description:
			'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	},
	{
		displayName: 'Pattern',
		name: 'value',
		type: 'string',
		displayOptions: forOperators('pattern', 'text'),
		default: '',
		placeholder: 'e.g. %refund%',
		description: '% matches any text, _ one character',
	},
	{
		displayName: 'Value',
		name: 'numberValue',
		type: 'number',
		displayOptions: forOperators('one', 'number'),
		default: 0,
	},
	{
		displayName: 'Date',
		name: 'dateValue',
		type: 'dateTime',
		displayOptions: forOperators('one', 'timestamp'),
		default: '',
		description:
			'In the time zone of the workflow. A date without a time, or a picked midnight, means the whole day.',
	},
	{
		displayName: 'Value',
		name: 'booleanValue',
		type: 'boolean',
		displayOptions: forOperators('one', 'boolean'),
		default: true,
		description: 'Whether the ticket is shared',
	},
	...choices.flatMap(([kind, options, value]): INodeProperties[] => [
		{
			displayName: 'Value',
			name: `${kind}Value`,
			type: 'options',
			displayOptions: forOperators('one', kind),
			options,
			default: value,
		},
		{
			displayName: 'Values',
			name: `${kind}Values`,
			type: 'multiOptions',
			displayOptions: forOperators('many', kind),
			options,
			default: [],
		},
	]),
	{
		displayName: 'Values',
		name: 'valueList',
		type: 'string',
		displayOptions: forOperators('many', 'text', 'number'),
		default: '',
		placeholder: 'e.g. 1001, 1002',
		description: 'Values separated by commas, or an expression that returns a list',
	},
	...Object.entries(unitsByLabel).map(([displayName, unit]): INodeProperties => ({
		displayName,
		name: 'numberValue',
		type: 'number',
		typeOptions: { minValue: 1 },
		displayOptions: forOperators(unit, 'timestamp'),
		default: 1,
	})),
];

/** The fields of one condition: a column, the operators that fit its kind, and the widget that fits both. */
export const conditionFields: INodeProperties[] = [
	{
		displayName: 'Column',
		name: 'column',
		type: 'options',
		noDataExpression: true,
		options: columnMenu,
		default: 'priority',
		description:
			'For open tickets, choose Closed At with Is Not Set. The service gives no names of statuses and agents.',
	},
	...operatorFields,
	...valueParameters,
];
