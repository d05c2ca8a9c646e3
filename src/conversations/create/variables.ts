import { isPlainObject, uniqBy } from 'lodash';
import { z } from 'zod/v4';
import { fitsJson, jsonParameter } from '../../core/json';
import { isBlank } from '../../core/plainText';
import { rowsOf } from '../../core/schemas';
import type { CreateSettings } from './settings';

/** Reads a parameter of a row by its path. It is undefined if it has a problem. */
export type ReadParameter = <T>(path: string, schema: z.ZodType<T>) => T | undefined;

/** The problem of a value that JSON cannot represent. */
export const NOT_JSON = 'contains a value that cannot be written as JSON. Convert it to text';

/** An object of names and values. */
export const jsonObject = z
	.custom<Record<string, unknown>>(isPlainObject, {
		error: 'must be an object, e.g. {"firstName": "Ana"}',
		abort: true,
	})
	.refine(fitsJson, { error: NOT_JSON, abort: true });

/** The variables that are entered as rows of names and values. A name may appear once. */
const variableRows = z
	.looseObject({
		variables: rowsOf(
			z.looseObject({
				name: z.string().trim().min(1, { error: 'is empty. Enter the name of the variable' }),
				value: z.unknown().transform((value) => value ?? ''),
			}),
		).refine((rows) => uniqBy(rows, 'name').length === rows.length, {
			error: 'contains a name twice. Remove one of the two',
		}),
	})
	.transform(({ variables }) =>
		Object.fromEntries(variables.map(({ name, value }) => [name, value])),
	)
	.prefault({ variables: [] });

const variablesJson = jsonParameter.pipe(jsonObject);

/** The columns of a row, whose names may not differ only in blanks at their ends. */
const rowColumns = z.unknown().transform((row, context) => {
	const columns = Object.entries(Object(row) as Readonly<Record<string, unknown>>);
	const repeated = columns.find(([name], i) =>
		columns.some(([other], j) => i < j && other.trim() === name.trim()),
	);
	if (!repeated) return columns;
	const message = `has the column '${repeated[0].trim()}' twice, because two names differ only in blanks. Rename one`;
	context.addIssue({ code: 'custom', message });
	return z.NEVER;
});

/** Reads the variables of a row from JSON, fields or its columns; undefined if they are invalid. */
export function readVariables(
	{ variablesMode, marks }: CreateSettings,
	read: ReadParameter,
): Readonly<Record<string, unknown>> | undefined {
	if (variablesMode === 'json') return read('dynamicVariablesJson', variablesJson);
	if (variablesMode === 'fields') return read('dynamicVariables', variableRows);
	// The filled columns without the one that says who may be called.
	const filled = read('inputRow', rowColumns)
		?.filter(([name, value]) => name !== marks?.column && !isBlank(value))
		.map(([name, value]) => [name.trim(), value] as const);
	return filled && Object.fromEntries(filled);
}
