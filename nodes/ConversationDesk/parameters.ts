import cloneDeep from 'lodash/cloneDeep';
import get from 'lodash/get';
import isEqual from 'lodash/isEqual';
import merge from 'lodash/merge';
import omit from 'lodash/omit';
import set from 'lodash/set';
import uniqWith from 'lodash/uniqWith';
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Problem } from '../../src/core/failures';
import type { Row } from '../../src/core/operation';
import { isTool } from './errors';
import { isBlank } from '../../src/core/text';
import { compileExpressions, fieldOf, holdsExpression } from './simpleExpressions';

/** The parameters of a node: settings are read once for the run, the others for each input row. */
export interface ParameterReader {
	readonly settings: () => Row;
	readonly row: (item: number) => Row;
	/** All parameters as the panel shows them for one row. */
	readonly panel: (item: number) => unknown;
	/** Whether a parameter is entered once for all rows, with no expression and no column of theirs. */
	readonly isFixed: (path: Problem['path']) => boolean;
	/** Whether a parameter comes from rows by an expression. */
	readonly isExpression: (path: Problem['path']) => boolean;
	/** The columns of the input rows, by the first of them. */
	readonly columns: () => readonly string[];
}

/** Makes a reader; parameters without an expression are the same for all rows and are read once. */
export function createParameterReader(
	context: IExecuteFunctions,
	properties: readonly INodeProperties[],
	rowParameters: readonly string[],
): ParameterReader {
	const source = sourceOf(context);
	let settings: Row | undefined;
	let rows: RowReader | undefined;
	// With the first row, since an expression may fail.
	const row = (item: number) => (rows ??= createRowReader(source, properties, rowParameters))(item);
	const readSettings = () => (settings ??= readOnce(source, properties, rowParameters));
	const enteredAt = (path: Problem['path']): unknown => {
		const [name, ...inner] = path.map(String);
		const entered = name === undefined ? null : source.raw(name);
		const mapped: unknown = Reflect.get(Object(entered) as object, 'mappingMode');
		if (mapped === 'autoMapInputData') return null;
		return inner.length === 0
			? entered
			: get(entered, mapped === undefined ? inner : ['value', ...inner]);
	};
	return {
		isFixed: (path) => {
			const entered = enteredAt(path);
			const isShown = properties.some(({ name }) => name === path[0]);
			return isShown && entered !== null && entered !== undefined && !holdsExpression(entered);
		},
		isExpression: (path) => holdsExpression(enteredAt(path)),
		columns: () => Object.keys(source.rows[0]?.json ?? {}),
		settings: readSettings,
		row,
		panel: (item) =>
			merge(
				{},
				parametersOf(readSettings),
				parametersOf(() => row(item)),
			),
	};
}

/** Reads parameters, but an expression that fails is a problem: for nodes that continue on errors. */
export const tolerant = ({ settings, row, ...others }: ParameterReader): ParameterReader => ({
	...others,
	settings: () => tryRead(settings),
	row: (item) => tryRead(() => row(item)),
});

function tryRead(read: () => Row): Row {
	try {
		return read();
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		return { problems: [{ path: [], message: `could not be read: ${message}` }] };
	}
}

function parametersOf(read: () => Row): object {
	const row = tryRead(read);
	return 'parameters' in row ? (row.parameters as object) : {};
}

/** Where parameters are read from. */
interface Source {
	readonly rows: ReadonlyArray<{ readonly json: object }>;
	/** A parameter by its path as it was entered, or null where it is hidden or missing. */
	readonly raw: (path: string) => unknown;
	/** A parameter by its path with its expressions evaluated for a row. */
	readonly evaluate: (path: string, item: number) => unknown;
	/** n8n makes the tool for agents from the same class, under a name of its own. */
	readonly asTool: boolean;
}

const sourceOf = (context: IExecuteFunctions): Source => ({
	rows: context.getInputData(),
	raw: (path) => context.getNodeParameter(path, 0, null, { rawExpressions: true }),
	evaluate: (path, item) => context.getNodeParameter(path, item, null, { skipValidation: true }),
	asTool: isTool(context.getNode()),
});

/** A function that gives a parameter for each row. */
function valueReader(
	{ raw, evaluate, rows, asTool }: Source,
	path: string,
): ((item: number) => unknown) | undefined {
	const entered = raw(path);
	if (entered === null) return undefined;
	if (!holdsExpression(entered)) {
		const value = evaluate(path, 0);
		return () => value;
	}
	const fill = asTool ? undefined : compileExpressions(entered);
	return (item) => fill?.(rows[item]?.json ?? {}) ?? evaluate(path, item);
}

function readOnce(
	source: Source,
	properties: readonly INodeProperties[],
	rowParameters: readonly string[],
): Row {
	const { asTool, raw } = source;
	const settings: Record<string, unknown> = { asTool };
	const problems: Problem[] = [];
	for (const path of rowParameters) problems.push(...missingColumns(source, path));
	if (asTool)
		for (const name of ['resource', 'operation']) problems.push(...setByModel(name, raw(name)));
	for (const { name, type } of distinct(properties)) {
		const entered = raw(name);
		if (entered === null) continue;
		const fromModel = asTool ? setByModel(name, entered) : [];
		problems.push(...fromModel);
		if (fromModel.length > 0) continue;
		if (type === 'resourceMapper')
			settings[`${name}Mapping`] = Reflect.get(Object(entered) as object, 'mappingMode');
		if (rowParameters.includes(name)) continue;
		const inner = rowParameters.filter((path) => path.startsWith(`${name}.`));
		const isText = typeof entered === 'string';
		const fixed: unknown = isText ? entered : get(omit({ [name]: entered }, inner), name);
		settings[name] = cloneDeep(fixed);
		for (const path of expressionPaths(name, fixed)) {
			const read = readSame(source, path);
			if ('problem' in read) problems.push(read.problem);
			else set(settings, path, read.value);
		}
		problems.push(...nothingIn(name, { settings, fixed, entered }));
	}
	return problems.length > 0 ? { problems } : { parameters: settings };
}

interface Entered {
	readonly settings: Readonly<Record<string, unknown>>;
	/** The parameter without what is read per row. */
	readonly fixed: unknown;
	readonly entered: unknown;
}

/** Collections whose members are safeguards: each that was added has to say something. */
const SAFEGUARDS = ['safeguards'];

/**
 * What was entered and gives nothing: an expression without a value, and a safeguard that was added and left empty. It must not
 * be as if it had never been entered.
 */
function nothingIn(name: string, { settings, fixed, entered }: Entered): Problem[] {
	const value = settings[name];
	if (typeof entered === 'string' && holdsExpression(entered))
		return isNothing(value) ? [nothing([name], NO_VALUE)] : [];
	const isGuard = SAFEGUARDS.includes(name);
	const added = isGuard ? Object.entries(Object(entered) as object) : [];
	const empty = added.flatMap(([key, member]) => {
		const isEmpty = leavesOf(member, [key]).every(({ leaf }) => isNothing(leaf) || isBlank(leaf));
		return isEmpty ? [nothing([name, key], EMPTY)] : [];
	});
	const gone = leavesOf(fixed, [name]).flatMap(({ path, leaf }) => {
		if (!holdsExpression(leaf)) return [];
		const read: unknown = get(settings, path);
		return isNothing(read) || (isGuard && isBlank(read)) ? [nothing(path, NO_VALUE)] : [];
	});
	return [...empty, ...gone];
}

const NO_VALUE =
	'is empty because its expression gave no value. Correct the expression, or enter a value';
const EMPTY = 'was added but is empty. Enter a value, or remove it';

const nothing = (path: Problem['path'], message: string): Problem => ({
	path: [...path],
	message,
});

const isNothing = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	(typeof value === 'object' && Object.keys(value).length === 0);

/** The texts, numbers and empty objects in a parameter, with their paths. */
function leavesOf(
	value: unknown,
	path: Problem['path'],
): ReadonlyArray<{ readonly path: Problem['path']; readonly leaf: unknown }> {
	const isInner = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
	if (!isInner) return [{ path, leaf: value }];
	return Object.entries(value).flatMap(([key, inner]) =>
		// Rows of a list are counted from 1 where they are named.
		leavesOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
	);
}

const COLUMN =
	/(?:\$json|\$input\.item\.json)\s*(?:\??\.\s*([\p{L}_$][\p{L}\p{N}_$]*)|(?:\?\.)?\[\s*(?:\x22([^\x22\\]*)\x22|\x27([^\x27\\]*)\x27|\x60([^\x60\\]*)\x60)\s*\])/gu;
const MAX_COLUMNS = 30;

/** Columns that a safeguard of each row is read from and that no row has: a default in the expression would hide that. */
function missingColumns({ raw, rows }: Source, path: string): Problem[] {
	const entered = path.startsWith('safeguards.') ? raw(path) : undefined;
	if (typeof entered !== 'string' || !holdsExpression(entered) || rows.length === 0) return [];
	const named = Array.from(
		entered.matchAll(COLUMN),
		([, plain, ...quoted]) => plain ?? quoted.find((name) => name !== undefined) ?? '',
	);
	const isThere = (column: string): boolean => rows.some(({ json }) => column in json);
	// Of a mark each column counts: one that is misspelt would mark no one.
	const isFine = path === MARK ? named.every(isThere) : named.length === 0 || named.some(isThere);
	if (isFine) return [];
	const found = Object.keys(rows[0]?.json ?? {})
		.slice(0, MAX_COLUMNS)
		.join(', ');
	const message = `reads the column ${named.map((column) => `'${column}'`).join(' or ')}, which no row has. Columns found: ${found || 'none'}`;
	return [{ path: path.split('.'), message }];
}

/** Where a row says that its person must not be called. */
const MARK = 'safeguards.doNotCall.people.mark';

const unmarked: Problem = {
	path: MARK.split('.'),
	message:
		'gave no value for this row, so no one can tell whether the person may be called. Correct the expression',
};

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
	return uniqWith(found, isEqual).map((path) => ({ path: [...path], message: BOUNDS }));
}

/**
 * Whatever may come from a model. The row of a tool has its arguments beside the input of the agent, so of n8n's own names
 * only those count as the user's that have nothing of a row, and no letter may be written as an escape.
 */
const FROM_MODEL =
	/\$(?!\(|\{|(?:vars|env|secrets|now|today|workflow|execution|if|ifEmpty|not|max|min)\b)|\\[ux]/;

const BOUNDS =
	"must not be set by the model. Enter a value, or read it from another node, e.g. $('Settings').first().json";

/** The paths of the parameter, or of the members of the collection, that hold an expression. */
function expressionPaths(name: string, entered: unknown): string[] {
	if (!holdsExpression(entered)) return [];
	if (typeof entered === 'string' || Array.isArray(entered)) return [name];
	return Object.entries(entered as object).flatMap(([key, value]) => {
		if (!holdsExpression(value)) return [];
		// A group has settings and what is read per row.
		const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
		return isGroup ? expressionPaths(`${name}.${key}`, value) : [`${name}.${key}`];
	});
}

/** Reads a setting for all rows, which must be equal: the first alone could hide what the others ask for. */
function readSame(source: Source, path: string): { value: unknown } | { problem: Problem } {
	const read = valueReader(source, path);
	const first = read?.(0);
	for (const item of source.rows.keys()) {
		const value = item === 0 ? first : read?.(item);
		if (isEqual(value, first)) continue;
		const message = `is ${shown(first)} for row 1 and ${shown(value)} for row ${item + 1}. It is read once per run, so use one value for all rows`;
		return { problem: { path: path.split('.'), message } };
	}
	return { value: first };
}

const shown = (value: unknown): string =>
	value === undefined ? 'empty' : (JSON.stringify(value) ?? String(value)).slice(0, 40);

type RowReader = (item: number) => Row;

function createRowReader(
	source: Source,
	properties: readonly INodeProperties[],
	rowParameters: readonly string[],
): RowReader {
	const mappers = distinct(properties).filter(({ type }) => type === 'resourceMapper');
	const isMapper = (path: string): boolean => mappers.some(({ name }) => name === path);
	const readers = rowParameters.flatMap((path) => {
		const read = valueReader(source, path);
		return read ? [{ path, keys: path.split('.'), read, mapped: isMapper(path) }] : [];
	});
	const mark = rowParameters.includes(MARK) ? source.raw(MARK) : undefined;
	// A source may leave out an empty column, but what is worked out from columns always gives something.
	const isPlain = typeof mark !== 'string' || fieldOf(mark) !== undefined;
	return (item) => {
		const inputRow = source.rows[item]?.json ?? {};
		const parameters: Record<string, unknown> = { inputRow };
		for (const { path, keys, read, mapped } of readers) {
			const given = read(item);
			if (path === MARK && given === undefined && !isPlain) return { problems: [unmarked] };
			// An expression that gives nothing is not the same as a parameter that is hidden, and an empty mark is a mark.
			const value = path === MARK ? given : (given ?? undefined);
			if (keys.length > 1) set(parameters, keys, value);
			else parameters[path] = mapped ? mappedRow((value ?? {}) as Mapper, inputRow) : value;
		}
		return { parameters };
	};
}

interface Mapper {
	readonly mappingMode?: string;
	readonly value?: unknown;
}

/** The fields are the columns of the input row, or those mapped by hand. */
const mappedRow = ({ mappingMode, value }: Mapper, inputRow: object): unknown =>
	mappingMode === 'autoMapInputData' ? inputRow : (value ?? {});

const distinct = (properties: readonly INodeProperties[]): INodeProperties[] =>
	properties.filter(
		({ name, type }, index) =>
			type !== 'notice' && properties.findIndex((other) => other.name === name) === index,
	);
