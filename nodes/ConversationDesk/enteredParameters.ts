import { cloneDeep, compact, has, set, trim, uniq } from 'lodash';
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

/** Lists the values inside a parameter with their paths. An empty object or list is a value. */
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

/** Returns the name of the column if an expression is only a column: phone for ={{ $json.phone }}; else undefined. */
export function readSoleColumn(expression: string): string | undefined {
	const [, plain, , quoted] = ONE_COLUMN.exec(expression) ?? [];
	return plain ?? quoted;
}

/** Lists the expressions in "=ORD-{{ $json.order }}". Returns none if one expression is the whole text. */
export function findParts(
	text: string,
): Array<{ readonly part: string; readonly isQuoted: boolean }> {
	const isJson = /^=\s*\{(?!\{)/.test(text);
	const parts = Array.from(text.matchAll(/"?\{\{[\s\S]+?\}\}"?/g), ([match]) => ({
		part: trim(match, '"'),
		// A whole text of JSON: {"note": "{{ $json.note }}"}.
		isQuoted: isJson && /^".*"$/s.test(match),
	}));
	return text.slice(1) === parts[0]?.part ? [] : parts;
}

/** Lists the columns of an expression that at least one row must have, as its parameter declares in `needed`. */
function listNeededColumns(expression: string, needed: ParameterFacts['needsColumns']): string[] {
	if (needed === undefined) return [];
	if (needed === 'all')
		return [...expression.matchAll(EACH_COLUMN)].map(([, plain, , quoted = '']) => plain ?? quoted);
	// 'part' needs the columns within a text, e.g. in "Hi {{ $json.name }}". 'whole' also needs a column as the whole text.
	// Only sole columns count, because a calculation may handle a missing one. `readSoleColumn` expects the equals sign.
	const expressions = findParts(expression).map(({ part }) => `=${part}`);
	if (needed === 'whole') expressions.push(expression); // E.g. ={{ $json.phone }}.
	return compact(expressions.map(readSoleColumn));
}

/** Makes a function that fills a row's cells into a parameter. Both return undefined if only n8n can evaluate. */
export function compileExpressions(entered: unknown): ((row: object) => unknown) | undefined {
	// In an object, because the parameter may itself be an expression, which has no path.
	const columns = listLeaves({ entered })
		.filter(({ leaf }) => isExpression(leaf))
		.map(({ path, leaf }) => ({ path, name: readSoleColumn(String(leaf)) }));
	if (columns.some(({ name }) => name === undefined)) return undefined;
	return (row) => {
		const filled = { entered: cloneDeep(entered) };
		for (const { path, name = '' } of columns) {
			const cell: unknown = Object.hasOwn(row, name) ? Reflect.get(row, name) : undefined;
			// For other cells n8n must evaluate, because it changes dates and objects, and has rules for missing columns.
			const isPlain = ['string', 'boolean'].includes(typeof cell) || Number.isFinite(cell);
			if (!isPlain) return undefined;
			set(filled, path, cell);
		}
		return filled.entered;
	};
}

/** Merges the declared facts of a parameter and of the groups that contain it. Its own facts win. */
export function findFacts(declared: DeclaredParameters, path: Path): ParameterFacts {
	const names = path.filter((key) => typeof key === 'string').join('.');
	// Groups are declared before the parameters inside them. Without the dots, 'customerJson' would begin with 'customer'.
	const containing = Object.keys(declared).filter((name) => `${names}.`.startsWith(`${name}.`));
	return Object.assign({}, ...containing.map((name) => declared[name])) as ParameterFacts;
}

/** "Hello {{ $json.name }}", which n8n does not evaluate in a fixed text. */
const EXPRESSION_IN_TEXT = /\{\{\s*\$/;
const NOT_EVALUATED =
	'contains an expression, but is set to Fixed. Switch it to Expression, or choose a value';
const NO_EXPRESSION =
	'is an expression. Switch it to Fixed and enter the name of a column. Edit Fields can compute one';

/** A name that may read the row, which a tool's model fills in. Escaped letters may hide such a name. */
const MAY_READ_ROW =
	/\$(?!\(|\{|(?:vars|env|secrets|now|today|workflow|execution|if|ifEmpty|not|max|min)\b)|\\[ux]/;

/** Whether an expression may give each row another value, by its columns or by a paired item. */
export const mayDependOnRow = (expression: string): boolean =>
	MAY_READ_ROW.test(expression) || /\b(item|pairedItem|itemMatching)\b/.test(expression);

const NOT_BY_MODEL =
	"must not be set by the model. Enter a value, or read it from another node, e.g. $('Settings').first().json";

/** Finds a fault in how a parameter was entered, before it is evaluated; undefined if it has none. */
export function findEnteredProblem(
	{ path, leaf }: Leaf,
	{ isColumnName, byModel, needsColumns }: ParameterFacts,
	{ asTool, rows }: { readonly asTool: boolean; readonly rows: readonly INodeExecutionData[] },
): Problem | undefined {
	const hasExpression = isExpression(leaf) || EXPRESSION_IN_TEXT.test(String(leaf));
	if (hasExpression && isColumnName) return { path, reason: NO_EXPRESSION };
	if (!isExpression(leaf)) return hasExpression ? { path, reason: NOT_EVALUATED } : undefined;
	// The model fills in the row of a tool, so it would set a field that reads the row. The problem names the group, e.g. safeguards.attempts.
	if (asTool && !byModel && MAY_READ_ROW.test(leaf))
		return { path: path.slice(0, 2), reason: NOT_BY_MODEL };
	const missing = listNeededColumns(leaf, needsColumns).filter(
		(column) => !rows.some(({ json }) => has(json, column)),
	);
	if (missing.length === 0) return undefined;
	// The message lists the columns of all rows, because a source may omit empty cells in some rows.
	const columns = listSome(uniq(rows.flatMap(({ json }) => Object.keys(json))), "'") || 'none';
	const reason = `reads ${listSome(uniq(missing), "'")}, which no row has as a column. Columns found: ${columns}`;
	return { path, reason };
}
