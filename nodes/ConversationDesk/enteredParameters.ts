import { has, uniq } from 'lodash';
import type { INodeExecutionData } from 'n8n-workflow';
import type { Problem } from '../../src/core/failures';
import type { DeclaredParameters, ParameterFacts } from '../../src/core/operation';
import { listSome } from '../../src/core/words';
import { findNeededColumns, isExpression, type Leaf, type Path } from './expressions';

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
