import { cloneDeep, set } from 'lodash';

/** Where a value is in the parameters of a node. */
export type Path = ReadonlyArray<string | number>;

/** Lists all values of a parameter with their paths, except filled objects and lists. */
export function listLeaves(
	value: unknown,
	path: Path = [],
): ReadonlyArray<{ readonly path: Path; readonly leaf: unknown }> {
	const entries = Object.entries(typeof value === 'object' ? (value ?? {}) : {});
	if (entries.length === 0) return [{ path, leaf: value }];
	return entries.flatMap(([key, inner]) =>
		listLeaves(inner, [...path, Array.isArray(value) ? Number(key) : key]),
	);
}

/** Whether n8n evaluates a text, because it begins with an equals sign. */
export const isExpression = (leaf: unknown): leaf is string =>
	typeof leaf === 'string' && leaf.startsWith('=');

const COLUMN =
	/\$json(?:\??\.([\p{L}_$][\p{L}\p{N}_$]*)(?![\p{L}\p{N}_$]|\s*\()|(?:\?\.)?\[\s*([\x22\x27])((?:(?!\2)[^\\{}\r\n])+)\2\s*\])/u;
const EACH_COLUMN = new RegExp(COLUMN.source, 'gu');
const ONE_COLUMN = new RegExp(`^=\\{\\{\\s*${COLUMN.source}\\s*\\}\\}$`, 'u');

/** The columns that an expression reads as `$json.name` or `$json['name']`. Methods are not columns. */
export const findColumns = (expression: string): string[] =>
	Array.from(expression.matchAll(EACH_COLUMN), ([, name, , quoted = '']) => name ?? quoted);

/** The column that an expression consists of, e.g. phone for ={{ $json.phone }}; undefined for others. */
export function readDraggedColumn(expression: string): string | undefined {
	const [, plain, , quoted] = ONE_COLUMN.exec(expression) ?? [];
	return plain ?? quoted;
}

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

/** The expressions in text of several parts, such as "=ORD-{{ $json.order }}", because the other parts hide an empty one. None if one is the whole text. */
export function findParts(text: string): string[] {
	const parts = Array.from(text.matchAll(/\{\{[\s\S]+?\}\}/g), ([part]) => part);
	return parts.length === 1 && text.slice(1).trim() === parts[0] ? [] : parts;
}

/** The columns that are whole parts of a text, such as first and last in "={{ $json.first }} {{ $json.last }}". */
export const findColumnsOfParts = (text: string): string[] =>
	findParts(text).flatMap((part) => readDraggedColumn(`=${part}`) ?? []);
