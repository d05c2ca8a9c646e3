import type { IDisplayOptions, INodePropertyOptions } from 'n8n-workflow';
import type { Kind } from '../../../src/tickets/columns';
import { columnNames, columns, columnsOf } from '../../../src/tickets/columns';
import type { Operator } from '../../../src/tickets/operators';
import { operatorLabel, operators, operatorsOf } from '../../../src/tickets/operators';
import { widgets } from '../../../src/tickets/widgets';

const byName = (a: INodePropertyOptions, b: INodePropertyOptions): number =>
	a.name.localeCompare(b.name, 'en');

/** A menu of names and values, sorted by name. */
export const menu = (labels: Readonly<Record<string, string>>): INodePropertyOptions[] =>
	Object.entries(labels)
		.map(([value, name]) => ({ name, value }))
		.sort(byName);

/** The menu of all ticket columns. */
export const columnMenu: INodePropertyOptions[] = columnNames
	.map((value) => ({ name: columns[value].label, value }))
	.sort(byName);

/** The menu of the operators that fit a kind of column. */
export const operatorMenu = (kind: Kind): INodePropertyOptions[] =>
	operatorsOf[kind]
		.map((value: Operator) => {
			const facts = operators[value];
			return {
				name: operatorLabel(value, kind),
				value,
				...('description' in facts && { description: facts.description }),
			};
		})
		.sort(byName);

/** Shows an operator menu for the columns of its kinds. */
export const forKinds = (...kinds: Kind[]): IDisplayOptions => ({
	show: { column: columnsOf(...kinds) },
});

/** Shows a value field for the columns and operators it belongs to. */
export const forWidget = (name: keyof typeof widgets): IDisplayOptions => ({
	show: { column: columnsOf(...widgets[name].kinds), operator: [...widgets[name].operators] },
});
