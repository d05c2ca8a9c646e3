import cloneDeep from 'lodash/cloneDeep';
import constant from 'lodash/constant';
import get from 'lodash/get';
import has from 'lodash/has';
import isEqual from 'lodash/isEqual';
import memoize from 'lodash/memoize';
import merge from 'lodash/merge';
import omit from 'lodash/omit';
import omitBy from 'lodash/omitBy';
import set from 'lodash/set';
import uniq from 'lodash/uniq';
import uniqBy from 'lodash/uniqBy';
import uniqWith from 'lodash/uniqWith';
import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { Problem } from '../../src/core/failures';
import type { Row } from '../../src/core/operation';
import { createPartsCheck } from './composedValues';
import { isTool } from './errors';
import { NO_VALUE } from '../../src/core/schemas';
import { isBlank, errorMessage, toText } from '../../src/core/plainText';
import { isTooDeep } from '../../src/core/json';
import { listSome } from '../../src/core/words';
import { compileExpressions, holdsExpression } from './simpleExpressions';

/** The parameters of a node: settings are read once for the run, the others for each input row. */
export interface ParameterReader {
	readonly settings: () => Row;
	readonly row: (item: number) => Row;
	/** All parameters as the panel shows them for one row. */
	readonly panel: (item: number) => unknown;
	/** Whether a parameter is entered once for all rows, with no expression and no column of theirs. */
	readonly isFixed: (path: Path) => boolean;
	/** A parameter as it was entered, where it is an expression. */
	readonly expressionAt: (path: Path) => unknown;
}

type Path = Problem['path'];

/**
 * Makes a reader; parameters without an expression are the same for all rows and are read once. In a node that continues on
 * errors an expression that fails is a problem.
 */
export function createParameterReader(
	context: IExecuteFunctions,
	properties: readonly INodeProperties[],
	rowParameters: readonly string[],
): ParameterReader {
	const source = sourceOf(context, properties, rowParameters);
	// With the first row, since an expression may fail.
	const rowReader = memoize((continues: boolean) => createRowReader(source, continues));
	const strict = {
		settings: memoize(() => readSettings(source)),
		row: (item: number) => rowReader(false)(item),
	};
	const tolerant = {
		settings: () => tryRead(strict.settings),
		row: (item: number) => tryRead(() => rowReader(true)(item)),
	};
	const enteredAt = ([name = '', ...inner]: Path): unknown => {
		const entered = source.raw(String(name));
		const mapped = mappingModeOf(entered);
		if (mapped === 'autoMapInputData') return null;
		const at = mapped === undefined ? inner : ['value', ...inner];
		return inner.length === 0 ? entered : get(entered, at.map(String));
	};
	return {
		...(context.continueOnFail() ? tolerant : strict),
		panel: (item) => {
			const read = [tolerant.settings(), tolerant.row(item)];
			// What is too deep to be copied shows no other parameter.
			const shown = (each: Row) =>
				omitBy(Object('parameters' in each ? each.parameters : {}), (value) => isTooDeep(value));
			return merge({}, ...read.map(shown));
		},
		isFixed: (path) => {
			const entered = enteredAt(path);
			const isShown = properties.some(({ name }) => name === path[0]);
			return isShown && entered !== null && entered !== undefined && !holdsExpression(entered);
		},
		expressionAt: (path) => (holdsExpression(enteredAt(path)) ? enteredAt(path) : undefined),
	};
}

function tryRead(read: () => Row): Row {
	try {
		return read();
	} catch (error) {
		return { problems: [unread([], error)] };
	}
}

function tryValue(
	read: () => unknown,
	path: Path,
): { readonly given: unknown } | { readonly problem: Problem } {
	try {
		return { given: read() };
	} catch (error) {
		return { problem: unread(path, error) };
	}
}

const unread = (path: Path, error: unknown): Problem => ({
	path,
	// Only what has no end, or nearly none, takes all of the stack.
	reason: `could not be read: ${/call stack/.test(errorMessage(error)) ? 'it is nested too deeply, or contains itself' : errorMessage(error)}`,
});

/** Where parameters are read from. */
interface Source {
	readonly rows: readonly INodeExecutionData[];
	readonly properties: readonly INodeProperties[];
	readonly rowParameters: readonly string[];
	/** A parameter by its path as it was entered, or null where it is hidden or missing. */
	readonly raw: (path: string) => unknown;
	/** A function that gives a parameter for each row; undefined for one that is hidden or missing. */
	readonly reader: (path: string) => ((item: number) => unknown) | undefined;
	/** n8n makes the tool for agents from the same class, under a name of its own. */
	readonly asTool: boolean;
}

function sourceOf(
	context: IExecuteFunctions,
	properties: Source['properties'],
	rowParameters: Source['rowParameters'],
): Source {
	const rows = context.getInputData();
	const asTool = isTool(context.getNode());
	const raw = (path: string): unknown =>
		context.getNodeParameter(path, 0, null, { rawExpressions: true });
	return {
		rows,
		properties,
		rowParameters,
		asTool,
		raw,
		reader: (path) => {
			const entered = raw(path);
			if (entered === null) return undefined;
			const evaluate = (item: number): unknown =>
				context.getNodeParameter(path, item, null, { skipValidation: true });
			if (!holdsExpression(entered)) return constant(evaluate(0));
			const fill = asTool ? undefined : compileExpressions(entered);
			const withoutGaps = createPartsCheck(path, entered, (part, item) =>
				context.evaluateExpression(part, item),
			);
			return (item) => withoutGaps(fill?.(rows[item]?.json ?? {}) ?? evaluate(item), item);
		},
	};
}

function readSettings(source: Source): Row {
	const { asTool, raw, properties, rowParameters } = source;
	const settings: Record<string, unknown> = { asTool };
	const problems: Problem[] = [];
	for (const path of rowParameters.filter((each) => each.startsWith(`${SAFEGUARDS}.`)))
		problems.push(...missingColumns(source, path));
	for (const { name } of columnParameters(source)) {
		problems.push(...unnamedColumn(source, name), ...missingColumns(source, name));
		settings[`${name}Name`] = columnNamed(raw(name)) ?? '';
	}
	for (const path of ANSWERS.filter((each) => raw(each) !== null))
		problems.push(...missingColumns(source, path));
	if (asTool)
		for (const name of ['resource', 'operation']) problems.push(...setByModel(name, raw(name)));
	const panel = properties.filter(({ type }) => type !== 'notice');
	for (const { name, type } of uniqBy(panel, 'name')) {
		const entered = raw(name);
		if (entered === null) continue;
		const refused = [
			...(asTool ? setByModel(name, entered) : []),
			...fixedExpressions(name, { entered, type }),
		];
		problems.push(...refused);
		if (refused.length > 0) continue;
		if (type === 'resourceMapper') settings[`${name}Mapping`] = mappingModeOf(entered);
		if (rowParameters.includes(name)) continue;
		if (name === SAFEGUARDS) problems.push(...emptySafeguards(entered));
		// What was one expression counts no more once there is an entry, also if that is read per row.
		const isRefilled = type === 'collection' && Object.keys(Object(entered) as object).length > 1;
		const fixed: Record<string, unknown> = omit(cloneDeep({ [name]: entered }), [
			...rowParameters,
			...(isRefilled ? [`${name}.length`] : []),
		]);
		Object.assign(settings, fixed);
		for (const { path, leaf } of leavesOf(fixed[name], [name])) {
			if (!holdsExpression(leaf)) continue;
			const { value, problem } = readSame(source, path);
			if (problem === undefined) set(settings, path, value);
			else problems.push({ path, reason: problem });
			const decides = [SAFEGUARDS, 'dryRun'].includes(name) && problem === undefined;
			if (decides && !DEFAULTED.test(String(leaf)))
				problems.push(...missingColumns(source, path.join('.')));
		}
	}
	return problems.length > 0 ? { problems, readable: settings } : { parameters: settings };
}

/** Reads a setting for all rows, which must be equal: the first alone could hide what the others ask for. */
function readSame({ reader, rows }: Source, path: Path): { value?: unknown; problem?: string } {
	const read = reader(path.join('.'));
	const value = read?.(0);
	for (const item of rows.keys()) {
		const other = item === 0 ? value : read?.(item);
		if (isEqual(other, value)) continue;
		const problem = `is ${shown(value)} for row 1 and ${shown(other)} for row ${item + 1}. It is read once per run, so use one value for all rows`;
		return { problem };
	}
	// What was entered and gives nothing must not be as if it had never been entered.
	const isEmpty = isNothing(value) || (path[0] === SAFEGUARDS && isBlank(value));
	return isEmpty ? { problem: NO_VALUE } : { value };
}

const shown = (value: unknown): string =>
	value === undefined ? 'empty' : (JSON.stringify(value) ?? String(value)).slice(0, 40);

/** Where it continues, each parameter is read by itself: who a row is for has to be known, whatever else in it fails. */
function createRowReader(source: Source, continues: boolean): ParameterReader['row'] {
	const { reader, rows, properties, rowParameters } = source;
	const columns = columnParameters(source).map(({ name }) => name);
	const readers = rowParameters.flatMap((path) => {
		const read = columns.includes(path) ? cellReader(source, path) : reader(path);
		return read ? [{ path, keys: path.split('.'), read }] : [];
	});
	const mappers = properties.filter(({ type }) => type === 'resourceMapper');
	const mapped = mappers.map(({ name }) => name);
	return (item) => {
		const inputRow = rows[item]?.json ?? {};
		const parameters: Record<string, unknown> = { inputRow };
		const problems: Problem[] = [];
		for (const { path, keys, read } of readers) {
			const tried = continues ? tryValue(() => read(item), keys) : { given: read(item) };
			if ('problem' in tried) {
				problems.push(tried.problem);
				continue;
			}
			// An expression that gives nothing is not the same as a parameter that is hidden.
			const value = tried.given ?? undefined;
			if (mapped.includes(path)) parameters[path] = mappedRow(value, inputRow);
			else set(parameters, keys, value);
		}
		return problems.length > 0 ? { problems, readable: parameters } : { parameters };
	};
}

/** The collection whose members are safeguards: each that was added has to say something. */
const SAFEGUARDS = 'safeguards';

/** Safeguards that were added and left empty: they must not be as if they had never been entered. */
const emptySafeguards = (entered: unknown): Problem[] =>
	Object.entries(Object(entered) as object).flatMap(([key, member]) => {
		const leaves = leavesOf(member, [SAFEGUARDS, key]);
		const isEmpty = leaves.every(({ leaf }) => isNothing(leaf) || isBlank(leaf));
		if (isEmpty) return [{ path: [SAFEGUARDS, key], reason: EMPTY }];
		const unfilled = leaves.filter(({ leaf }) => typeof leaf === 'string' && /^=\s*$/.test(leaf));
		return unfilled.map(({ path }) => ({ path, reason: NO_EXPRESSION }));
	});

const NO_EXPRESSION = 'is set to Expression but is empty. Enter one, or switch it to Fixed';
const EMPTY = 'was added but is empty. Enter a value, or remove it';

const isNothing = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	(typeof value === 'object' && Object.keys(value).length === 0);

/** The texts, numbers and empty objects in a parameter, with their paths. */
function leavesOf(
	value: unknown,
	path: Path,
): ReadonlyArray<{ readonly path: Path; readonly leaf: unknown }> {
	if (typeof value !== 'object' || isNothing(value)) return [{ path, leaf: value }];
	return Object.entries(value as object).flatMap(([key, inner]) =>
		leavesOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
	);
}

/** Parameters of a row in which each column has to exist, because a misspelt one would pass as an empty cell. */
const ANSWERS = [
	'defaultCountry',
	'options.defaultCountry',
	'customer.value.isDoNotDisturbEnabled',
];

/** The row parameters that name a column of the input, or give its value by an expression. */
const columnParameters = ({ properties, rowParameters }: Source): readonly INodeProperties[] =>
	properties.filter(
		({ name, requiresDataPath }) => requiresDataPath === 'single' && rowParameters.includes(name),
	);

/** `$json.name` or `$json['name']`, the columns of the row that an expression reads. */
const COLUMN =
	/\$json(?:\??\.([\p{L}_$][\p{L}\p{N}_$]*)(?![\p{L}\p{N}_$]|\s*\()|(?:\?\.)?\[\s*(["'])([^\\]+?)\2\s*\])/gu;

const columnsIn = (entered: unknown): string[] =>
	holdsExpression(entered)
		? Array.from(
				String(entered).matchAll(COLUMN),
				([, property, , quoted = '']) => property ?? quoted,
			)
		: [];

/** An expression that is one column of the row and nothing else. */
const ONE_COLUMN = new RegExp(`^=\\s*\\{\\{\\s*${COLUMN.source}\\s*\\}\\}\\s*$`, 'u');

/** The column that was entered as its name or as one expression; undefined for any other entry. */
function columnNamed(entered: unknown): string | undefined {
	if (entered === null) return undefined;
	const text = toText(entered ?? '');
	// Set to Expression, and filled in as if it were Fixed, or left empty.
	if (/^=[^{]*$/.test(text)) return text.slice(1).trim();
	if (!holdsExpression(entered)) return text;
	return ONE_COLUMN.test(text) ? columnsIn(text)[0] : undefined;
}

/** Reads the cell of a named column, blank where the row lacks it, or what an expression gives. */
function cellReader({ raw, rows, reader }: Source, path: string) {
	const column = columnNamed(raw(path));
	if (column === undefined) return reader(path);
	return (item: number): unknown => get(rows[item]?.json, column) ?? '';
}

/** Refuses a blank in place of the name of a column. */
function unnamedColumn({ raw, rows }: Source, name: string): Problem[] {
	const column = columnNamed(raw(name));
	if (column === undefined || !isBlank(column) || rows.length === 0) return [];
	const reason = `is empty. Drag a column here, or enter its name. ${columnsFound(rows)}`;
	return [{ path: [name], reason }];
}

/** Refuses columns that no row has: an expression would hide that behind a comparison or a default. */
function missingColumns(source: Source, path: string): Problem[] {
	const { raw, rows } = source;
	const entered = raw(path);
	const namesColumn = columnParameters(source).some(({ name }) => name === path);
	const column = namesColumn ? columnNamed(entered) : undefined;
	const named = column === undefined ? columnsIn(entered) : [column];
	const missing = named.filter((each) => each !== '' && !rows.some(({ json }) => has(json, each)));
	if (missing.length === 0 || rows.length === 0) return [];
	const reason = `reads ${listSome(uniq(missing), "'")}, which no row has as a column. ${columnsFound(rows)}`;
	return [{ path: path.replace('.value.', '.').split('.'), reason }];
}

const columnsFound = (rows: readonly INodeExecutionData[]): string =>
	`Columns found: ${listSome(columnNames(rows), "'") || 'none'}`;

/** An expression that says what counts where there is no value; of two comparisons none is the other's default. */
const DEFAULTED = /\?\?|\|\|\s*([\x22\x27\x60\d]|true|false)|ifEmpty/;

/** What is entered in a field that is set to Fixed stays as it is, also an expression. */
const FIXED = /\{\{\s*\$/;

function fixedExpressions(
	name: string,
	{ entered, type }: { readonly entered: unknown; readonly type: string },
): Problem[] {
	return leavesOf(entered, [name]).flatMap(({ path, leaf }) => {
		if (typeof leaf !== 'string') return [];
		if (/^=\s*$/.test(leaf)) return [{ path, reason: NO_EXPRESSION }];
		if (holdsExpression(leaf) || !FIXED.test(leaf)) return [];
		const isWrapped = (key: string | number, i: number): boolean =>
			key === 'value' && (type === 'resourceLocator' || (type === 'resourceMapper' && i === 1));
		const reason = 'contains an expression, but is set to Fixed. Switch it to Expression';
		return [{ path: path.filter((key, i) => !isWrapped(key, i)), reason }];
	});
}

const MAX_ROWS = 100;

/** The columns of rows: a source may leave out empty cells. */
export const columnNames = (rows: readonly INodeExecutionData[]): string[] =>
	uniq(rows.slice(0, MAX_ROWS).flatMap(({ json }) => Object.keys(json)));

/** What a model may fill in: whom and what it is about. Everything else bounds it, so that is for the user to set. */
const FOR_MODEL = [
	...['agentId', 'conversationType', 'toPhoneNumber', 'dynamicVariables', 'dynamicVariablesJson'],
	...['customer', 'customersJson', 'conversationId', 'ticketId'],
	...['filters', 'filtersJson', 'limit', 'sort', 'output', 'columns'],
];

/** What is set by a model although it bounds it, as one problem per member of a collection. */
function setByModel(name: string, entered: unknown): Problem[] {
	if (FOR_MODEL.includes(name)) return [];
	const found = leavesOf(entered, [name]).flatMap(({ path, leaf }) =>
		holdsExpression(leaf) && FROM_MODEL.test(String(leaf)) ? [path.slice(0, 2)] : [],
	);
	return uniqWith(found, isEqual).map((path) => ({ path: [...path], reason: BOUNDS }));
}

/**
 * Whatever may come from a model. The row of a tool has its arguments beside the input of the agent, so of n8n's own names
 * only those count as the user's that have nothing of a row, and no letter may be written as an escape.
 */
const FROM_MODEL =
	/\$(?!\(|\{|(?:vars|env|secrets|now|today|workflow|execution|if|ifEmpty|not|max|min)\b)|\\[ux]/;

const BOUNDS =
	"must not be set by the model. Enter a value, or read it from another node, e.g. $('Settings').first().json";

/** How the fields of a resource mapper are filled; undefined for any other parameter. */
const mappingModeOf = (entered: unknown): unknown => get(entered, 'mappingMode');

/** The fields are the columns of the input row, or those mapped by hand. */
const mappedRow = (mapper: unknown, inputRow: object): unknown =>
	mappingModeOf(mapper) === 'autoMapInputData' ? inputRow : (get(mapper, 'value') ?? {});
