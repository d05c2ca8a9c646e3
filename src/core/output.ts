import { uniq, zipObject } from 'lodash';
import { choice, listOf } from './schemas';

/** The schemas of the parameters Output and Columns. `fields` can be selected; `what` is their noun in errors. */
export const outputParameters = <T extends string>(fields: readonly T[], what: string) => ({
	output: choice(['simplified', 'raw', 'selected']).default('simplified'),
	columns: listOf(fields, what).default([]),
});

/** Arguments of `refine` that reject an empty selection of columns. */
export const requireSelectedColumns = [
	({ output, columns }: { readonly output: string; readonly columns: readonly string[] }) =>
		output !== 'selected' || columns.length > 0,
	{ path: ['columns'] as PropertyKey[], error: 'is empty. Choose at least one column' },
] as const;

/** Lists the fields that a read returns by the parameter Output. An empty list means all fields. */
export function returnedFields<T extends string>(
	{ output, columns }: { readonly output: string; readonly columns: readonly T[] },
	{ simplified, id }: { readonly simplified: readonly T[]; readonly id: T },
): readonly T[] {
	if (output === 'raw') return [];
	if (output === 'simplified') return simplified;
	// With the ID, a selected row can always be read again.
	return uniq(columns.includes(id) ? columns : [id, ...columns]);
}

/** Creates a function that picks the named fields of an item in their order, null if missing. */
export function createPicker(
	names: readonly string[],
): (item: Readonly<Record<string, unknown>>) => Record<string, unknown> {
	// A copy of one object keeps its hidden class, so it is faster than adding each key.
	const shape: Record<string, unknown> = zipObject(names);
	return (item) => {
		const picked = { ...shape };
		for (const name of names) picked[name] = item[name] ?? null;
		return picked;
	};
}
