import { compact, get, has, isEqual, isNil, uniq, uniqWith } from 'lodash';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { CELLS } from '../../src/conversations/create/readRows';
import type { Problem } from '../../src/core/failures';
import { isBlank, toColumnName } from '../../src/core/plainText';
import { listSome } from '../../src/core/words';
import {
	findColumns,
	findColumnsOfParts,
	isExpression,
	listLeaves,
	readDraggedColumn,
} from './expressions';

/** The parameters with the column of marks, e.g. of the people who must not be called. */
export const MARK_COLUMNS: readonly string[] = ['doNotCallColumn', 'doNotDisturbColumn'];

/** Parameters whose columns must exist, because a comparison hides a misspelt column. */
const DECIDING = ['dryRun', ...CELLS, 'customer.value.isDoNotDisturbEnabled', ...MARK_COLUMNS];

/** Its column must exist if it was dragged. A longer expression may name columns that a source leaves out. */
const NUMBER = 'toPhoneNumber';

/** The parameters that a model may fill in. All other parameters limit the model. */
const FOR_MODEL: readonly unknown[] = [
	...['agentId', 'conversationType', 'toPhoneNumber', 'dynamicVariables', 'dynamicVariablesJson'],
	...['customer', 'customersJson', 'conversationId', 'ticketId'],
	...['filters', 'filtersJson', 'limit', 'sort', 'output', 'columns'],
];

/** Names in an expression that may contain a model's values. Escaped letters may hide such a name. */
const FROM_MODEL =
	/\$(?!\(|\{|(?:vars|env|secrets|now|today|workflow|execution|if|ifEmpty|not|max|min)\b)|\\[ux]/;

const BOUNDS =
	"must not be set by the model. Enter a value, or read it from another node, e.g. $('Settings').first().json";

/** Returns one problem per parameter that a model must not set, e.g. a safeguard, but whose expression takes its value. */
export function rejectModelValues(entered: INodeParameters): Problem[] {
	const problems = listLeaves(entered)
		.filter(({ leaf }) => isExpression(leaf) && FROM_MODEL.test(leaf))
		.filter(({ path: [name] }) => !FOR_MODEL.includes(name))
		.map(({ path }) => ({ path: path.slice(0, 2), reason: BOUNDS })); // E.g. safeguards.attempts.
	return uniqWith(problems, isEqual);
}

/** The column that was entered as its name or dragged as an expression; undefined for any other entry. */
export function readColumnName(entered: unknown): string | undefined {
	if (isNil(entered)) return undefined;
	const text = String(entered).trim();
	// A name, or nothing, may be in a field that is set to Expression.
	const name = text.includes('{{') ? readDraggedColumn(text) : text.replace(/^=\s*/, '');
	return name === undefined ? undefined : toColumnName(name);
}

/** Finds columns that no row has, in the parameters that decide whether a person is called. */
export function rejectMissingColumns(
	entered: INodeParameters,
	rows: readonly INodeExecutionData[],
): Problem[] {
	const mapped = Object.keys(Object(get(entered, 'customer.value')) as object);
	const names = uniq([...DECIDING, NUMBER, ...mapped.map((field) => `customer.value.${field}`)]);
	return names.flatMap((name) => {
		const value: unknown = get(entered, name);
		const column = MARK_COLUMNS.includes(name) ? readColumnName(value) : undefined;
		// Fields of the mapper may be blank. Only in text of several parts a missing column leaves a gap.
		const find = DECIDING.includes(name) ? findColumns : findColumnsOfParts;
		const columns = isExpression(value) ? find(value) : [];
		if (name === NUMBER && isExpression(value))
			columns.push(...compact([readDraggedColumn(value)]));
		const missing = (column === undefined ? columns : [column]).filter(
			(each) => !rows.some(({ json }) => has(json, each)),
		);
		if (missing.length === 0) return [];
		// The columns of all rows, because a source may omit empty cells in some rows.
		const keys = rows.flatMap(({ json }) => Object.keys(json));
		const reason =
			column !== undefined && isBlank(column)
				? 'is empty. Drag a column here, or enter its name'
				: `reads ${listSome(uniq(missing), "'")}, which no row has as a column`;
		const columnsFound = `Columns found: ${listSome(uniq(keys), "'") || 'none'}`;
		return [{ path: name.split('.'), reason: `${reason}. ${columnsFound}` }];
	});
}
