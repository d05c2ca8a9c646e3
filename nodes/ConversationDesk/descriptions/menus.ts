import type {
	IDisplayOptions,
	INodeProperties,
	INodePropertyMode,
	INodePropertyOptions,
} from 'n8n-workflow';
import { columnNames, columns, listColumns, type Kind } from '../../../src/tickets/columns';
import type { Operand, Operator } from '../../../src/tickets/operators';
import {
	menuOperatorsByKind,
	operatorLabel,
	operators,
	operatorsByKind,
	listOperatorsByOperand,
} from '../../../src/tickets/operators';
import type { ShortcutFields, Unit } from '../../../src/tickets/shortcuts';
import {
	listUnitShortcuts,
	shortcutFields,
	shortcutNames,
	shortcuts,
} from '../../../src/tickets/shortcuts';

const { compare } = new Intl.Collator('en');

/** Compares two menu entries by name. */
export const byName = (a: INodePropertyOptions, b: INodePropertyOptions): number =>
	compare(a.name, b.name);

/** A menu of names and values, sorted by name. */
export const menu = (labels: Readonly<Record<string, string>>): INodePropertyOptions[] =>
	Object.entries(labels)
		.map(([value, name]) => ({ name, value }))
		.sort(byName);

/** The menu of all ticket columns. */
export const columnMenu: INodePropertyOptions[] = columnNames
	.map((value) => ({ name: columns[value].label, value }))
	.sort(byName);

/** The menu of operators for a kind of column, with the shortcuts of this package. */
export const operatorMenu = (kind: Kind): INodePropertyOptions[] =>
	[
		...menuOperatorsByKind[kind].map((value: Operator) => ({
			...describe(operators[value]),
			name: operatorLabel(value, kind),
			value,
		})),
		...shortcutNames
			.filter((value) => kind !== 'identifier' && shortcutFields(value, kind) !== undefined)
			.map((value) => ({ ...describe(shortcuts[value]), name: shortcuts[value].label, value })),
	].sort(byName);

/** The modes of an ID: chosen from a list, or entered. */
export const listOrId = (
	placeholder: string,
	searchListMethod: string,
	extra: Partial<INodePropertyMode> = {},
): Pick<INodeProperties, 'modes'> => ({
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder,
			typeOptions: { searchListMethod, searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40',
			...extra,
		},
	],
});

const describe = (facts: { label: string; description?: string }): { description?: string } =>
	facts.description === undefined ? {} : { description: facts.description };

/** Shows a value field for columns of some kinds and operators with these operands. */
export const forValue = (
	operands: readonly Operand[],
	...kinds: [Kind, ...Kind[]]
): IDisplayOptions => ({
	show: { column: listColumns(...kinds), operator: listOperatorsByOperand(kinds[0], operands) },
});

/** Shows a value field for the shortcuts that take it. */
export const forShortcuts = (taken: ShortcutFields): IDisplayOptions => {
	const kinds = (Object.keys(operatorsByKind) as Kind[]).filter((kind) =>
		shortcutNames.some((name) => shortcutFields(name, kind) === taken),
	);
	const names = shortcutNames.filter((name) =>
		kinds.some((kind) => shortcutFields(name, kind) === taken),
	);
	return { show: { column: listColumns(...kinds), operator: names } };
};

/** Shows the number field for the shortcuts that count in a unit. */
export const forCount = (unit: Unit): IDisplayOptions => ({
	show: { column: listColumns('timestamp'), operator: listUnitShortcuts(unit) },
});
