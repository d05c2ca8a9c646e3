import { cloneDeep, compact, set } from 'lodash';
import type { ParameterFacts } from '../../src/core/operation';

/** Where a value is in the parameters of a node. */
export type Path = ReadonlyArray<string | number>;

/** A value of a parameter with its path. */
export interface Leaf {
	readonly path: Path;
	readonly leaf: unknown;
}

/** Lists all values of a parameter with their paths, except filled objects and lists. */
export function listLeaves(value: unknown, path: Path = []): readonly Leaf[] {
	const entries = Object.entries(typeof value === 'object' ? (value ?? {}) : {});
	if (entries.length === 0) return [{ path, leaf: value }];
	return entries.flatMap(([key, inner]) =>
		listLeaves(inner, [...path, Array.isArray(value) ? Number(key) : key]),
	);
}

/** Whether n8n evaluates a text, because it begins with an equals sign. */
export const isExpression = (leaf: unknown): leaf is string =>
	typeof leaf === 'string' && leaf.startsWith('=');

/** $json.name or $json['name'], but no method such as $json.keys(). */
const COLUMN =
	/\$json(?:\??\.([\p{L}_$][\p{L}\p{N}_$]*)(?![\p{L}\p{N}_$]|\s*\()|(?:\?\.)?\[\s*([\x22\x27])((?:(?!\2)[^\\{}\r\n])+)\2\s*\])/u;
const EACH_COLUMN = new RegExp(COLUMN.source, 'gu');
const ONE_COLUMN = new RegExp(`^=\\{\\{\\s*${COLUMN.source}\\s*\\}\\}$`, 'u');

/** The column that an expression consists of, e.g. phone for ={{ $json.phone }}; undefined for others. */
export function readDraggedColumn(expression: string): string | undefined {
	const [, plain, , quoted] = ONE_COLUMN.exec(expression) ?? [];
	return plain ?? quoted;
}

/** Splits "=ORD-{{ $json.order }}" into its expressions. An expression that is the whole text is no part. */
export function findParts(text: string): string[] {
	const parts = Array.from(text.matchAll(/\{\{[\s\S]+?\}\}/g), ([part]) => part);
	return parts.length === 1 && text.slice(1).trim() === parts[0] ? [] : parts;
}

/** Finds the columns of an expression that some row must have. */
export function findNeededColumns(
	expression: string,
	needed: ParameterFacts['needsColumns'],
): string[] {
	if (needed === undefined) return [];
	if (needed === 'all')
		return Array.from(
			expression.matchAll(EACH_COLUMN),
			([, plain, , quoted = '']) => plain ?? quoted,
		);
	const parts = findParts(expression).map((part) => readDraggedColumn(`=${part}`));
	return compact([...parts, needed === 'whole' && readDraggedColumn(expression)]);
}

/** The names with which an expression reads the row, or a value of a model. */
const ROW_NAMES =
	/\$(json|input|itemIndex|position|binary|data|node|items|parameter|evaluateExpression|from[Aa][Ii])\b|\b(item|pairedItem|itemMatching)\b|\$\[|\\[ux]/;

/** Whether an expression may give each row another value. */
export const namesRow = (expression: string): boolean => ROW_NAMES.test(expression);

/** The trace of an empty value in a text that an expression put together, e.g. "Ana undefined". */
export const TRACE = /undefined|\b(null|NaN)\b|\[object \w+\]/;

/** Makes a fast function that fills a row into `entered` without n8n; undefined if an expression is not one column. */
export function compileExpressions(entered: unknown): ((row: object) => unknown) | undefined {
	const columns = listLeaves(entered)
		.filter(({ leaf }) => isExpression(leaf))
		.map(({ path, leaf }) => ({
			path: ['entered', ...path],
			name: readDraggedColumn(String(leaf)),
		}));
	if (columns.some(({ name }) => name === undefined)) return undefined;
	return (row) => {
		const filled = { entered: cloneDeep(entered) };
		for (const { path, name = '' } of columns) {
			const cell: unknown = Object.hasOwn(row, name) ? Reflect.get(row, name) : undefined;
			// n8n must evaluate other cells: it changes dates and objects, and has rules for missing columns.
			const isPlain = ['string', 'boolean'].includes(typeof cell) || Number.isFinite(cell);
			if (!isPlain) return undefined;
			set(filled, path, cell);
		}
		return filled.entered;
	};
}
