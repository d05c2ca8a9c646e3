import get from 'lodash/get';
import isEqual from 'lodash/isEqual';
import uniq from 'lodash/uniq';
import uniqWith from 'lodash/uniqWith';
import type { INodeExecutionData } from 'n8n-workflow';
import type { Problem } from '../../src/core/failures';
import { isBlank } from '../../src/core/plainText';
import type { Path } from './expressions';
import { holdsExpression, listLeaves } from './expressions';

/** The collection whose members each need a value once they were added. */
export const SAFEGUARDS = 'safeguards';

/** Finds the problems of a parameter as it was entered. */
export function rejectEntered(name: string, entered: unknown, asTool: boolean): Problem[] {
	const problems = listLeaves(entered, [name]).flatMap(({ path, leaf }): Problem[] => {
		if (typeof leaf !== 'string') return [];
		if (/^=\s*$/.test(leaf)) return [{ path, reason: NO_EXPRESSION }];
		if (!holdsExpression(leaf)) return /\{\{\s*\$/.test(leaf) ? [{ path, reason: FIXED }] : [];
		const isForbidden = asTool && !FOR_MODEL.includes(name) && FROM_MODEL.test(leaf);
		return isForbidden ? [{ path: path.slice(0, 2), reason: BOUNDS }] : [];
	});
	return uniqWith(problems, isEqual);
}

const NO_EXPRESSION = 'is set to Expression but is empty. Enter one, or switch it to Fixed';
const FIXED = 'contains an expression, but is set to Fixed. Switch it to Expression';

/** Finds safeguards that were added but left empty. */
export const rejectEmptySafeguards = (safeguards: unknown): Problem[] =>
	Object.entries(Object(safeguards) as object)
		.filter(([, member]) =>
			listLeaves(member).every(({ leaf }) => isBlank(leaf) || typeof leaf === 'object'),
		)
		.map(([key]) => ({ path: [SAFEGUARDS, key], reason: EMPTY_SAFEGUARD }));

const EMPTY_SAFEGUARD = 'was added but is empty. Enter a value, or remove it';

/** The parameters that a model may fill in. All other parameters limit the model. */
const FOR_MODEL: readonly string[] = [
	...['agentId', 'conversationType', 'toPhoneNumber', 'dynamicVariables', 'dynamicVariablesJson'],
	...['customer', 'customersJson', 'conversationId', 'ticketId'],
	...['filters', 'filtersJson', 'limit', 'sort', 'output', 'columns'],
];

/** Names in an expression that may contain a model's values. Escaped letters may hide such a name. */
const FROM_MODEL =
	/\$(?!\(|\{|(?:vars|env|secrets|now|today|workflow|execution|if|ifEmpty|not|max|min)\b)|\\[ux]/;

const BOUNDS =
	"must not be set by the model. Enter a value, or read it from another node, e.g. $('Settings').first().json";

/** A parameter at the path of a problem, which leaves out the key that a mapper adds. */
export const findEntered = (entered: object, [name = '', ...inner]: Path): unknown =>
	get(entered, [name, ...inner]) ?? get(entered, [name, 'value', ...inner]);

const MAX_SAMPLED_ROWS = 100;

/** The columns of the first rows, because a source may leave out empty cells. */
export const listInputColumns = (rows: readonly INodeExecutionData[]): string[] =>
	uniq(rows.slice(0, MAX_SAMPLED_ROWS).flatMap(({ json }) => Object.keys(json)));
