import attempt from 'lodash/attempt';
import cloneDeep from 'lodash/cloneDeep';
import constant from 'lodash/constant';
import get from 'lodash/get';
import has from 'lodash/has';
import isEqual from 'lodash/isEqual';
import isError from 'lodash/isError';
import isNil from 'lodash/isNil';
import memoize from 'lodash/memoize';
import set from 'lodash/set';
import uniq from 'lodash/uniq';
import uniqBy from 'lodash/uniqBy';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';
import type { Problem } from '../../src/core/failures';
import type { Row } from '../../src/core/operation';
import { isBlank, toText } from '../../src/core/plainText';
import { NO_VALUE } from '../../src/core/schemas';
import { listSome } from '../../src/core/words';
import {
	listInputColumns,
	findEntered,
	rejectEmptySafeguards,
	rejectEntered,
	SAFEGUARDS,
} from './enteredParameters';
import { isTool } from './errors';
import type { Path } from './expressions';
import {
	findColumns,
	compileExpressions,
	readDraggedColumn,
	hasDefault,
	holdsExpression,
	listLeaves,
	findOpenParts,
} from './expressions';

/** The parameters of a node: settings are read once for the run, the others per input row. */
export interface ParameterReader {
	readonly settings: () => Row;
	readonly row: (item: number) => Row;
	/** Whether a parameter has one value for all rows, without an expression. */
	readonly isFixed: (path: Path) => boolean;
}

/** The source of parameters. */
interface Source {
	readonly context: IExecuteFunctions;
	readonly rows: readonly INodeExecutionData[];
	/** The parameters as they were entered, without hidden ones. */
	readonly entered: INodeParameters;
	readonly asTool: boolean;
	readonly properties: readonly INodeProperties[];
	readonly rowParameters: readonly string[];
}

/** Makes a reader. An expression that fails is a problem of its parameter, and the others are read. */
export function createParameterReader(
	context: IExecuteFunctions,
	properties: readonly INodeProperties[],
	rowParameters: readonly string[],
): ParameterReader {
	const node = context.getNode();
	const [rows, asTool] = [context.getInputData(), isTool(node)];
	const source = { context, rows, entered: node.parameters, asTool, properties, rowParameters };
	const rowReader = memoize(() => createRowReader(source));
	return {
		settings: () => readSettings(source),
		row: (item) => rowReader()(item),
		isFixed: (path) => {
			const entered = findEntered(node.parameters, path);
			return !isNil(entered) && !holdsExpression(entered);
		},
	};
}

/** Reads a parameter per row; undefined if it is hidden or missing. */
function compileParameter(source: Source, path: string): ((item: number) => unknown) | undefined {
	const { context, rows, entered: all, asTool } = source;
	const entered: unknown = get(all, path);
	if (isNil(entered)) return undefined;
	const evaluate = (item: number): unknown =>
		context.getNodeParameter(path, item, null, { skipValidation: true });
	if (!holdsExpression(entered)) return constant(evaluate(0));
	const fill = asTool ? undefined : compileExpressions(entered);
	if (fill) return (item) => fill(rows[item]?.json ?? {}) ?? evaluate(item);
	const composed = listLeaves(entered, path.split('.'))
		.filter(({ path: at, leaf }) => holdsExpression(leaf) && DECISIVE.test(at.join('.')))
		.map(({ path: at, leaf }) => ({ at, parts: findOpenParts(String(leaf)) }));
	if (composed.every(({ parts }) => parts.length === 0)) return evaluate;
	return (item) => {
		const read = set({}, path, cloneDeep(evaluate(item)));
		const isGap = (part: string): boolean => isBlank(context.evaluateExpression(part, item));
		for (const { at, parts } of composed) {
			const gap = parts.find(isGap);
			// JSON around a gap is not empty, so its condition would match too much.
			if (gap !== undefined && path === 'filtersJson') throw new Error(`${gap} gave no value`);
			if (gap !== undefined) set(read, at, '');
		}
		return get(read, path) as unknown;
	};
}

/** Parameters that select objects, because "ORD-" without its number would find every order. */
const DECISIVE =
	/^(filters\b(?!.*valueList$)|filtersJson|ticketId|conversationId|agentId|toPhoneNumber|customer\.value\.(identifier|phoneNumber|email|id)$|safeguards\.(personId|attempts))\b/;

/** Reads the settings of the run, and finds the problems of entered parameters. */
function readSettings(source: Source): Row {
	const { asTool, entered, properties, rowParameters } = source;
	const settings: Record<string, unknown> = { asTool };
	const problems: Problem[] = rejectColumns(source);
	for (const name of ['resource', 'operation'])
		problems.push(...rejectEntered(name, entered[name], asTool));
	for (const { name } of findColumnParameters(source))
		settings[`${name}Name`] = readColumnName(entered[name]) ?? '';
	for (const { name, type } of uniqBy(properties, 'name')) {
		if (isNil(entered[name]) || type === 'notice') continue;
		const rejected = rejectEntered(name, entered[name], asTool);
		problems.push(...rejected);
		if (type === 'resourceMapper') settings[`${name}Mapping`] = get(entered[name], 'mappingMode');
		if (rejected.length > 0 || rowParameters.includes(name)) continue;
		if (name === SAFEGUARDS) problems.push(...rejectEmptySafeguards(entered[name]));
		settings[name] = cloneDeep(entered[name]);
		for (const { path, leaf } of listLeaves(entered[name], [name])) {
			if (!holdsExpression(leaf) || rowParameters.includes(path.join('.'))) continue;
			const read = attempt(readSetting, source, path);
			if (isError(read)) problems.push(toUnreadProblem(path, read));
			else if (read.reason !== undefined) problems.push({ path, reason: read.reason });
			else set(settings, path, read.value);
		}
	}
	return problems.length > 0 ? { problems, readable: settings } : { parameters: settings };
}

/** Reads a setting, which must be equal for all rows. */
function readSetting(source: Source, path: Path): { value?: unknown; reason?: string } {
	const read = compileParameter(source, path.join('.'));
	const value = read?.(0);
	const other = source.rows.findIndex((_, item) => !isEqual(read?.(item), value));
	const isEmpty = isNil(value) || isEqual(value, []) || isEqual(value, {});
	if (isEmpty || (path[0] === SAFEGUARDS && isBlank(value))) return { reason: NO_VALUE };
	if (other < 0) return { value };
	const reason = `is ${formatSetting(value)} for row 1 and ${formatSetting(read?.(other))} for row ${other + 1}. It is read once per run, so use one value for all rows`;
	return { reason };
}

const formatSetting = (value: unknown): string =>
	value === undefined ? 'empty' : (JSON.stringify(value) ?? String(value)).slice(0, 40);

const ENDLESS = 'it is nested too deeply, or contains itself';

const toUnreadProblem = (path: Path, { message }: Error): Problem => ({
	path,
	reason: `could not be read: ${message.includes('call stack') ? ENDLESS : message}`,
});

/** Makes the function that reads a row. An expression that gives nothing is undefined, a hidden parameter has no key. */
function createRowReader(source: Source): ParameterReader['row'] {
	const readers = source.rowParameters.flatMap((path) => {
		const read = compileRowParameter(source, path);
		return read ? [{ keys: path.split('.'), read }] : [];
	});
	return (item) => {
		const parameters: Record<string, unknown> = { inputRow: source.rows[item]?.json ?? {} };
		const problems: Problem[] = [];
		for (const { keys, read } of readers) {
			const tried = attempt(() => ({ value: read(item) }));
			if (isError(tried)) problems.push(toUnreadProblem(keys, tried));
			else set(parameters, keys, tried.value ?? undefined);
		}
		return problems.length > 0 ? { problems, readable: parameters } : { parameters };
	};
}

/** Reads a parameter per row: the cell of a named column, the fields of a mapper, or its value. */
function compileRowParameter(source: Source, path: string) {
	const { rows, entered } = source;
	const mode: unknown = get(entered, [path, 'mappingMode']);
	if (mode === 'autoMapInputData') return (item: number): unknown => rows[item]?.json;
	const isColumn = findColumnParameters(source).some(({ name }) => name === path);
	const column = isColumn ? readColumnName(entered[path]) : undefined;
	if (column !== undefined) return (item: number): unknown => get(rows[item]?.json, column) ?? '';
	if (mode === undefined) return compileParameter(source, path);
	return compileParameter(source, `${path}.value`) ?? constant({});
}

/** The row parameters that name a column of the input. */
const findColumnParameters = ({ properties, rowParameters }: Source): readonly INodeProperties[] =>
	properties.filter(
		({ name, requiresDataPath }) => requiresDataPath === 'single' && rowParameters.includes(name),
	);

/** The column that was entered as its name or dragged as an expression; undefined for any other entry. */
function readColumnName(entered: unknown): string | undefined {
	if (isNil(entered)) return undefined;
	const text = toText(entered).trim();
	// A name, or nothing, may be in a field that is set to Expression.
	if (!text.includes('{{')) return text.replace(/^=\s*/, '');
	return holdsExpression(text) ? readDraggedColumn(text) : text;
}

/** Parameters whose columns must exist, because a comparison hides a misspelt column. */
const DECIDING = [
	...['dryRun', 'defaultCountry', 'options.defaultCountry', SAFEGUARDS],
	'customer.value.isDoNotDisturbEnabled',
];

/** Finds columns that no row has, in the parameters that decide whether a person is called. */
function rejectColumns(source: Source): Problem[] {
	const { rows, entered, rowParameters } = source;
	const describeColumns = (): string =>
		`Columns found: ${listSome(listInputColumns(rows), "'") || 'none'}`;
	const names = findColumnParameters(source).map(({ name }) => name);
	return [...DECIDING, ...names].flatMap((name) =>
		listLeaves(get(entered, name), name.split('.')).flatMap(({ path, leaf }): Problem[] => {
			const column = names.includes(name) ? readColumnName(leaf) : undefined;
			if (rows.length === 0) return [];
			if (column !== undefined && isBlank(column))
				return [
					{ path, reason: `is empty. Drag a column here, or enter its name. ${describeColumns()}` },
				];
			const isPerRow = rowParameters.includes(path.join('.'));
			const columns = column === undefined ? findRequiredColumns(leaf, isPerRow) : [column];
			const missing = columns.filter((each) => !rows.some(({ json }) => has(json, each)));
			if (missing.length === 0) return [];
			const reason = `reads ${listSome(uniq(missing), "'")}, which no row has as a column. ${describeColumns()}`;
			return [{ path, reason }];
		}),
	);
}

/** The columns in an expression, unless it is a setting with a default. */
const findRequiredColumns = (leaf: unknown, isPerRow: boolean): string[] =>
	holdsExpression(leaf) && (isPerRow || !hasDefault(String(leaf))) ? findColumns(String(leaf)) : [];
