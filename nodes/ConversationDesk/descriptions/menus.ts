import { mapValues } from 'lodash';
import type { IDisplayOptions, INodePropertyMode, INodePropertyOptions } from 'n8n-workflow';
import { columns, listColumns, type Kind } from '../../../src/tickets/columns';
import { builderOperators, type Takes } from '../../../src/tickets/filters/builderOperators';

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
export const columnMenu = menu(mapValues(columns, 'label'));

/** The menu of operators for a kind of column. */
export const operatorMenu = (kind: Kind): INodePropertyOptions[] =>
	Array.from(builderOperators(kind), ([value, { label, description }]) => ({
		name: label,
		value,
		...(description !== undefined && { description }),
	})).sort(byName);

/** The modes of an ID: chosen from a list, or entered. */
export const listOrId = (
	placeholder: string,
	searchListMethod: string,
	extra: Partial<INodePropertyMode> = {},
): { modes: INodePropertyMode[] } => ({
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

/** Shows a field of a condition for the operators that take it. All `kinds` must have the same operators. */
export function forOperators(takes: Takes, ...kinds: [Kind, ...Kind[]]): IDisplayOptions {
	const taking = [...builderOperators(kinds[0])].filter(([, each]) => each.takes === takes);
	return { show: { column: listColumns(...kinds), operator: taking.map(([name]) => name) } };
}
