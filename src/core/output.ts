import zipObject from 'lodash/zipObject';
import { choice, listOf } from './schemas';

/** What a read returns. */
const outputModes = ['simplified', 'raw', 'selected'] as const;

/** The parameters that choose what a read returns; `fields` are those that can be selected, `what` names one of them. */
export const outputParameters = <T extends string>(fields: readonly T[], what: string) => ({
	output: choice(outputModes).default('simplified'),
	columns: listOf(fields, what).default([]),
});

/** Refuses selected columns without any: what is returned has to have fields. */
export const someSelected = [
	({ output, columns }: { readonly output: string; readonly columns: readonly string[] }) =>
		output !== 'selected' || columns.length > 0,
	{
		path: ['columns'] as PropertyKey[],
		error: 'is empty. Choose at least one column',
		when: ({ issues }: { readonly issues: readonly unknown[] }) => issues.length === 0,
	},
] as const;

/** The fields that a read returns, in their order and each once; none for all of them. */
export function returnedFields<T extends string>(
	{ output, columns }: { readonly output: string; readonly columns: readonly T[] },
	{ simplified, id }: { readonly simplified: readonly T[]; readonly id: T },
): readonly T[] {
	if (output === 'raw') return [];
	if (output === 'simplified') return simplified;
	// What is selected can always be found again.
	return columns.includes(id) ? [...new Set(columns)] : [...new Set([id, ...columns])];
}

/**
 * Picks the named fields of an item that it has, in the order of the names.
 * An item with all of them becomes a copy of one object, which V8 makes faster than key by key.
 */
export function createPicker(
	names: readonly string[],
): (item: Readonly<Record<string, unknown>>) => Record<string, unknown> {
	const shape: Record<string, unknown> = zipObject(names);
	return (item) => {
		const present = names.filter((name) => Object.hasOwn(item, name));
		if (present.length < names.length)
			return zipObject(
				present,
				present.map((name) => item[name]),
			);
		const picked = { ...shape };
		for (const name of names) picked[name] = item[name];
		return picked;
	};
}
