import { attempt, cloneDeep, get, isEmpty, isEqual, isError, isNil, isObject, set } from 'lodash';
import type { IExecuteFunctions } from 'n8n-workflow';
import { CELLS } from '../../src/conversations/create/readRows';
import type { Problem } from '../../src/core/failures';
import type { Row } from '../../src/core/operation';
import { isBlank } from '../../src/core/plainText';
import { NO_VALUE } from '../../src/core/schemas';
import { shorten } from '../../src/core/words';
import {
	MARK_COLUMNS,
	readColumnName,
	rejectMissingColumns,
	rejectModelValues,
} from './enteredParameters';
import { isTool } from './errors';
import { compileExpressions, findParts, isExpression, listLeaves, type Path } from './expressions';

/** Reads the settings of a run once, and finds the problems of all entered parameters. */
export function readSettings(context: IExecuteFunctions, rowParameters: readonly string[]): Row {
	const entered = context.getNode().parameters;
	const asTool = isTool(context.getNode());
	const settings: Record<string, unknown> = { ...cloneDeep(entered), asTool };
	const problems = [
		...(asTool ? rejectModelValues(entered) : []),
		...rejectMissingColumns(entered, context.getInputData()),
	];
	// The settings have the name of the column of marks, because the parameter itself gives a row's cell.
	for (const name of MARK_COLUMNS) settings[`${name}Name`] = readColumnName(entered[name]) ?? '';
	settings['customerMapping'] = get(entered, ['customer', 'mappingMode'], '');
	for (const { path, leaf } of listLeaves(entered)) {
		if (!isExpression(leaf)) {
			if (EXPRESSION_IN_TEXT.test(String(leaf))) problems.push({ path, reason: FIXED });
			continue;
		}
		// Skips parameters of rows. The dot at the end keeps 'customer' apart from 'customersJson'.
		if (rowParameters.some((each) => `${path.join('.')}.`.startsWith(`${each}.`))) continue;
		const read = attempt(readSetting, context, path);
		if (isError(read)) problems.push(toReadProblem(path, read));
		else if (read.reason !== undefined) problems.push({ path, reason: read.reason });
		else set(settings, path, read.value);
	}
	return problems.length > 0 ? { problems, readable: settings } : { parameters: settings };
}

/** "Hello {{ $json.name }}", which n8n does not evaluate in a fixed text. */
const EXPRESSION_IN_TEXT = /\{\{\s*\$/;
const FIXED = 'contains an expression, but is set to Fixed. Switch it to Expression';

/** Reads an expression of a setting, which must give one value, never blank, for all rows. Returns its value, or the reason why it is rejected. */
function readSetting(context: IExecuteFunctions, path: Path): { value?: unknown; reason?: string } {
	const read = compileParameter(context, path.join('.'));
	const value = read(0);
	if (isBlank(value) || (isObject(value) && isEmpty(value))) return { reason: NO_VALUE };
	const other = context.getInputData().findIndex((_, item) => !isEqual(read(item), value));
	if (other < 0) return { value };
	const [first, different] = [value, read(other)].map((each) =>
		shorten(JSON.stringify(each) ?? 'empty', 40),
	);
	const reason = `is ${first} for row 1 and ${different} for row ${other + 1}. It is read once per run, so use one value for all rows`;
	return { reason };
}

/** Reads rows one by one. n8n's null for an empty expression becomes undefined, a hidden parameter has no key. */
export function* readRowParameters(
	context: IExecuteFunctions,
	rowParameters: readonly string[],
): Generator<Row, void, undefined> {
	const { parameters: entered } = context.getNode();
	const readers = rowParameters
		.filter((path) => !isNil(get(entered, path)))
		.map((path) => ({
			path,
			read: compileParameter(context, path),
			// An expression without a value is rejected later. A dragged column may be blank in some rows.
			valueIfEmpty: CELLS.includes(path) && readColumnName(get(entered, path)) ? '' : undefined,
		}));
	for (const [item, { json }] of context.getInputData().entries()) {
		const parameters: Record<string, unknown> = { inputRow: json };
		const problems: Problem[] = [];
		for (const { path, read, valueIfEmpty } of readers) {
			const value: unknown = attempt(read, item);
			if (isError(value)) problems.push(toReadProblem(path.split('.'), value));
			else set(parameters, path, value ?? valueIfEmpty);
		}
		yield problems.length > 0 ? { problems, readable: parameters } : { parameters };
	}
}

const ENDLESS = 'it is nested too deeply, or contains itself';

/** Converts the error of a read to a problem. Endless or deep nesting overflows the call stack. */
export const toReadProblem = (path: Path, { message }: Error): Problem => ({
	path,
	reason: `could not be read: ${message.includes('call stack') ? ENDLESS : message}`,
});

/** Makes a function that reads a parameter of a row: the cell of a named column, the mapper's fields, or its value. */
function compileParameter(context: IExecuteFunctions, path: string): (item: number) => unknown {
	const rows = context.getInputData();
	const entered: unknown = get(context.getNode().parameters, path);
	const column = MARK_COLUMNS.includes(path) ? readColumnName(entered) : undefined;
	if (column !== undefined) return (item) => get(rows[item]?.json, column) ?? '';
	const mode: unknown = get(entered, 'mappingMode');
	if (mode === 'autoMapInputData') return (item) => rows[item]?.json;
	if (mode !== undefined) return compileParameter(context, `${path}.value`);
	const expressions = listLeaves(entered, path.split('.')).filter(({ leaf }) => isExpression(leaf));
	// The mapper has null until a field is mapped.
	if (expressions.length === 0) return () => entered ?? {};
	// A field that is set to Expression, and left empty.
	if (/^=\s*$/.test(String(entered))) return () => undefined;
	const evaluate = (item: number): unknown =>
		// The operation validates, and reports problems per row.
		context.getNodeParameter(path, item, null, { skipValidation: true });
	// Avoids n8n's 0.3 ms per evaluation, if each expression is one whole column. Only n8n can evaluate for a tool, which may read another row than `rows`.
	const fill = isTool(context.getNode()) ? undefined : compileExpressions(entered);
	if (fill) return (item) => fill(rows[item]?.json ?? {}) ?? evaluate(item);
	// "ORD-" without its number would select every order, so a text with an empty part becomes empty.
	const composed = expressions
		.filter(({ path: at }) => SELECTS_OBJECTS.test(at.join('.')))
		.flatMap(({ path: at, leaf }) => findParts(String(leaf)).map((part) => ({ at, part })));
	if (composed.length === 0) return evaluate;
	return (item) => {
		const read = set({}, path, cloneDeep(evaluate(item)));
		for (const { at, part } of composed) {
			const value: unknown = context.evaluateExpression(part, item);
			// Only a part that gives nothing counts, e.g. '', [] or [null].
			if (!isBlank([value].flat(Infinity).join(''))) continue;
			// JSON around a gap is never empty as a whole, so its condition would match too much.
			if (path === 'filtersJson') throw new Error(`${part} gave no value`);
			set(read, at, '');
		}
		return get(read, path) as unknown;
	};
}

/** Parameters that select objects, because "ORD-" without its number would find every order. */
const SELECTS_OBJECTS =
	/^(filters\b(?!.*valueList$)|filtersJson|ticketId|conversationId|agentId|toPhoneNumber|customer\.value\.(identifier|phoneNumber|email|id)$|safeguards\.(personId|attempts))\b/;
