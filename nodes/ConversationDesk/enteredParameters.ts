import { cloneDeep, compact, has, set, uniq } from 'lodash';
import type { INodeExecutionData } from 'n8n-workflow';
import type { Problem } from '../../src/core/failures';
import type { DeclaredParameters, ParameterFacts } from '../../src/core/operation';
import { listSome } from '../../src/core/words';

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

/** Finds the columns that some row must have: all in the expression, or those dragged into the field. */
function findNeededColumns(expression: string, needed: ParameterFacts['needsColumns']): string[] {
	if (needed === undefined) return [];
	if (needed === 'all') {
		const matches = [...expression.matchAll(EACH_COLUMN)];
		return matches.map(([, plain, , quoted = '']) => plain ?? quoted);
	}
	const expressions = findParts(expression).map((part) => `=${part}`);
	if (needed === 'whole') expressions.push(expression);
	return compact(expressions.map(readDraggedColumn));
}

/** The trace of an empty value in a text that an expression put together, e.g. "Ana undefined". */
export const TRACE = /undefined|\b(null|NaN)\b|\[object \w+\]/;

/** Makes a fast function that fills a row into `entered` without n8n; undefined if an expression is not one column. */
export function compileExpressions(entered: unknown): ((row: object) => unknown) | undefined {
	const columns = listLeaves({ entered })
		.filter(({ leaf }) => isExpression(leaf))
		.map(({ path, leaf }) => ({ path, name: readDraggedColumn(String(leaf)) }));
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

/** Finds the facts of a parameter, together with those of the parameters around it. */
export function findFacts(declared: DeclaredParameters, path: Path): ParameterFacts {
	const names = path.filter((key) => typeof key === 'string').join('.');
	// The dot keeps 'customer' apart from 'customerJson'.
	const around = Object.keys(declared).filter((name) => `${names}.`.startsWith(`${name}.`));
	return Object.assign({}, ...around.map((name) => declared[name])) as ParameterFacts;
}

/** "Hello {{ $json.name }}", which n8n does not evaluate in a fixed text. */
const EXPRESSION_IN_TEXT = /\{\{\s*\$/;
const FIXED = 'contains an expression, but is set to Fixed. Switch it to Expression';
const NO_EXPRESSION =
	'is an expression. Switch it to Fixed and enter the name of a column. Edit Fields can compute one';

/** Names in an expression that may contain a model's values. Escaped letters may hide such a name. */
const FROM_MODEL =
	/\$(?!\(|\{|(?:vars|env|secrets|now|today|workflow|execution|if|ifEmpty|not|max|min)\b)|\\[ux]/;

/** Whether an expression may give each row another value: it may contain its columns, or pair an item with it. */
export const namesRow = (expression: string): boolean =>
	FROM_MODEL.test(expression) || /\b(item|pairedItem|itemMatching)\b/.test(expression);

const NOT_BY_MODEL =
	"must not be set by the model. Enter a value, or read it from another node, e.g. $('Settings').first().json";

/** Finds the problem of a parameter as it was entered, before it is read. */
export function findEnteredProblem(
	{ path, leaf }: Leaf,
	{ isColumnName, byModel, needsColumns }: ParameterFacts,
	{ asTool, rows }: { readonly asTool: boolean; readonly rows: readonly INodeExecutionData[] },
): Problem | undefined {
	const isEntered = isExpression(leaf) || EXPRESSION_IN_TEXT.test(String(leaf));
	if (isEntered && isColumnName) return { path, reason: NO_EXPRESSION };
	if (!isExpression(leaf)) return isEntered ? { path, reason: FIXED } : undefined;
	// Names a group once, e.g. safeguards.attempts.
	if (asTool && !byModel && FROM_MODEL.test(leaf))
		return { path: path.slice(0, 2), reason: NOT_BY_MODEL };
	const missing = findNeededColumns(leaf, needsColumns).filter(
		(column) => !rows.some(({ json }) => has(json, column)),
	);
	if (missing.length === 0) return undefined;
	// The columns of all rows, because a source may omit empty cells in some rows.
	const columns = uniq(rows.flatMap(({ json }) => Object.keys(json)));
	const columnsFound = `Columns found: ${listSome(columns, "'") || 'none'}`;
	const reason = `reads ${listSome(uniq(missing), "'")}, which no row has as a column. ${columnsFound}`;
	return { path, reason };
}
