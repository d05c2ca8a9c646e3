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
import sum from 'lodash/sum';
import uniq from 'lodash/uniq';
import uniqBy from 'lodash/uniqBy';
import uniqWith from 'lodash/uniqWith';
import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { Problem } from '../../src/core/failures';
import type { Row } from '../../src/core/operation';
import { createPartsCheck } from './composedValues';
import { isTool } from './errors';
import { NO_VALUE } from '../../src/core/schemas';
import { isBlank, isTooDeep, messageOf, shorten, someOf, textOf } from '../../src/core/text';
import { consentOf, isPermission } from '../../src/core/yesNo';
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
	message: `could not be read: ${/call stack/.test(messageOf(error)) ? 'it is nested too deeply, or contains itself' : messageOf(error)}`,
});

/** Where parameters are read from. */
interface Source {
	readonly rows: readonly INodeExecutionData[];
	readonly properties: readonly INodeProperties[];
	readonly rowParameters: readonly string[];
	/** A parameter by its path as it was entered, or null where it is hidden or missing. */
	readonly raw: (path: string) => unknown;
	/** The rows that an expression reads, such as `$json`; undefined for one that cannot be read. */
	readonly read: (source: string) => Generator<object | undefined, void, undefined>;
	/** What a list of columns has for a row; undefined where it cannot be read. */
	readonly values: (columns: readonly string[], item: number) => object | undefined;
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
		*read(source) {
			const isOwn = /^\$json|^\$input\.item/.test(source);
			for (const [item, { json }] of rows.entries()) {
				yield isOwn ? json : evaluated(context, source, item);
				if (/\(\)\.json$/.test(source)) return;
			}
		},
		values: (columns, item) => evaluated(context, `[${columns.join()}]`, item),
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

/** What an expression gives, if it is an object. */
function evaluated(context: IExecuteFunctions, expression: string, item: number) {
	try {
		return Object(context.evaluateExpression(`{{ ${expression} }}`, item)) as object;
	} catch {
		return undefined;
	}
}

function readSettings(source: Source): Row {
	const { asTool, raw, rows, properties, rowParameters } = source;
	const settings: Record<string, unknown> = { asTool };
	const problems: Problem[] = [];
	for (const path of rowParameters.filter((each) => each.startsWith(`${SAFEGUARDS}.`)))
		problems.push(...wrongColumns(source, path));
	for (const { name } of columnParameters(source)) {
		problems.push(...missingColumn(source, name));
		settings[`${name}Name`] = raw(name) === null ? '' : (columnNamed(raw(name)) ?? '');
	}
	for (const path of COUNTRIES.filter((each) => rowParameters.includes(each)))
		problems.push(...wrongColumns(source, path));
	for (const path of OF_ROW.filter((each) => rowParameters.includes(each)))
		problems.push(...typedColumns(path, { entered: raw(path), rows }));
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
			else problems.push({ path, message: problem });
			// Their defaults are the user's own, a comparison with nothing is not.
			const isSafe = problem !== undefined || DEFAULTED.test(String(leaf));
			if (!isSafe && [SAFEGUARDS, 'dryRun'].includes(name))
				problems.push(...wrongColumns(source, path.join('.')));
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
	const { raw, reader, rows, properties, rowParameters } = source;
	const columns = columnParameters(source).map(({ name }) => name);
	const readers = rowParameters.flatMap((path) => {
		const read = columns.includes(path) ? cellReader(source, path) : reader(path);
		const misread = OF_NUMBERS.includes(path) ? partsReader(source, path) : undefined;
		return read ? [{ path, keys: path.split('.'), read, misread }] : [];
	});
	const mappers = properties.filter(({ type }) => type === 'resourceMapper');
	const mapped = mappers.map(({ name }) => name);
	const mark = rowParameters.includes(MARK) ? raw(MARK) : undefined;
	// A source may leave out an empty column, but what is worked out from columns always gives something.
	const isPlain = typeof mark !== 'string' || ONE_COLUMN.test(mark);
	return (item) => {
		const inputRow = rows[item]?.json ?? {};
		const parameters: Record<string, unknown> = { inputRow };
		const problems: Problem[] = [];
		for (const { path, keys, read, misread } of readers) {
			const tried = continues ? tryValue(() => read(item), keys) : { given: read(item) };
			if ('problem' in tried) {
				problems.push(tried.problem);
				continue;
			}
			const { given } = tried;
			if (path === MARK && (given === undefined || given === 'undefined') && !isPlain) {
				problems.push(unmarked);
				continue;
			}
			const wrong = misread?.(item, given) ?? [];
			// Of a customer the other fields still count, above all a mark.
			if (!mapped.includes(path)) problems.push(...wrong);
			else if (wrong.length > 0) parameters['misread'] = wrong;
			// An expression that gives nothing is not the same as a parameter that is hidden, and an empty mark is a mark.
			const value = path === MARK ? given : (given ?? undefined);
			if (mapped.includes(path)) parameters[path] = mappedRow(value, inputRow);
			else set(parameters, keys, value);
		}
		return problems.length > 0 ? { problems, readable: parameters } : { parameters };
	};
}

const NUMBER = 'toPhoneNumber';
/** Parameters in which a number may be put together from several columns. */
const OF_NUMBERS = [NUMBER, 'customer', 'conversationsJson'];
const CHOOSES = /\?(?!\.)|\|\||&&|if\w*\(|find|filter|compact/i;

/** The field of phone numbers in a parameter, and how each of them is entered. */
function numbersEntered(path: string, raw: Source['raw']): [string, readonly string[]] {
	if (path === NUMBER) return [NUMBER, [String(raw(path))]];
	if (path === 'customer') return ['phoneNumber', [textOf(get(raw(path), 'value.phoneNumber'))]];
	return [NUMBER, String(raw(path)).match(/toPhoneNumber[^,\n]*/g) ?? []];
}

const without = (columns: readonly string[], field: string): Problem => ({
	path: [field],
	message: `reads ${columns.join(' and ')}, and one of them is empty, so it may be the number of someone else. Fill it in, or add a default with ||`,
});

const addedUp = (columns: readonly string[], field: string): Problem => ({
	path: [field],
	message: `adds up ${columns.join(' and ')} as numbers. Put each of them in its own {{ }}`,
});

/** Digits as a number has them. */
const digitsOf = (part: unknown): string => textOf(part).replace(/^\D*0+|\D/g, '');

/** Finds what is wrong with phone numbers put together from several columns, also in JSON: without one of them it is someone else's. */
function partsReader({ raw, values }: Source, path: string) {
	const [field = '', texts] = numbersEntered(path, raw);
	const numbers = texts
		.map((text) => ({ text, columns: uniq(text.match(COLUMN)) }))
		.filter(({ columns }) => columns.length > 1);
	return (item: number, given: unknown): Problem[] =>
		numbers.flatMap(({ text, columns }) => {
			const parts = Object.values(values(columns, item) ?? {});
			const read: unknown = get(given, ['value', field], given);
			const [number, filled] = [textOf(read), parts.filter((part) => !isBlank(part))];
			// A zero may be what a source has for nothing.
			const isSum =
				(parts.every(Number) && sum(parts.map(Number)) === Number(number.replace(/\D/g, ''))) ||
				(typeof read === 'number' && !filled.some((part) => number.includes(digitsOf(part))));
			if (filled.length < parts.length && !CHOOSES.test(text)) return [without(columns, field)];
			return isSum && filled.length > 0 ? [addedUp(columns, field)] : [];
		});
}

/** An expression that says itself what counts where there is no value; of two comparisons none is the other's default. */
const DEFAULTED = /\?\?|\|\|\s*([\x22\x27\x60\d]|true|false)|ifEmpty/;

/** The collection whose members are safeguards: each that was added has to say something. */
const SAFEGUARDS = 'safeguards';

/** Safeguards that were added and left empty: they must not be as if they had never been entered. */
const emptySafeguards = (entered: unknown): Problem[] =>
	Object.entries(Object(entered) as object).flatMap(([key, member]) => {
		const leaves = leavesOf(member, [SAFEGUARDS, key]);
		const isEmpty = leaves.every(({ leaf }) => isNothing(leaf) || isBlank(leaf));
		if (isEmpty) return [{ path: [SAFEGUARDS, key], message: EMPTY }];
		const unfilled = leaves.filter(({ leaf }) => typeof leaf === 'string' && /^=\s*$/.test(leaf));
		return unfilled.map(({ path }) => ({ path, message: NO_EXPRESSION }));
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

/** A column that an expression reads, of the row or of another node, also one inside of another. */
const COLUMN =
	/(\$json|\$input\.(?:item|first\(\)|last\(\))\.json|(?:\$\(|\$node\[)\s*(?:\x22[^\x22\\]*\x22|\x27[^\x27\\]*\x27|\x60[^\x60\\]*\x60)\s*[)\]](?:\.item|\.first\(\)|\.last\(\))?\.json)((?:\s*\??\.\s*[\p{L}_$][\p{L}\p{N}_$]*(?![\p{L}\p{N}_$]|\s*\()|\s*(?:\?\.)?\[\s*(?:\x22[^\x22\\]*\x22|\x27[^\x27\\]*\x27|\x60[^\x60\\]*\x60|\d+)\s*\])+)/gu;
const NAME = /([\x22\x27\x60])(.*?)\1|[^\s?.[\]]+/gs;
/** An expression that is one column. */
const ONE_COLUMN = new RegExp(`^=\\s*\\{\\{\\s*(${COLUMN.source})\\s*\\}\\}\\s*$`, 'u');

const columnsRead = (expression: string) =>
	Array.from(expression.matchAll(COLUMN), ([, source = '', path = '']) => ({
		source,
		path: Array.from(path.matchAll(NAME), ([name, , quoted]) => quoted ?? name),
	}));

/** Columns that a safeguard is read from and that no row has, as a comparison or a default would hide, or that say the opposite. */
function wrongColumns({ raw, rows, read }: Source, path: string): Problem[] {
	const entered = raw(path);
	if (typeof entered !== 'string' || !holdsExpression(entered) || rows.length === 0) return [];
	const named = columnsRead(entered);
	const [, column = ''] = (path === MARK && ONE_COLUMN.exec(entered)) || [];
	const consent = column === '' ? '' : (named[0]?.path.at(-1) ?? '');
	if (consentOf(consent) || isPermission(consent)) {
		const message = `reads the column '${consent}', in which yes means that someone may be called. Use the opposite, e.g. {{ ${column} !== 'Yes' }}`;
		return [{ path: path.split('.'), message }];
	}
	const missing = named.filter(({ source, path }) => {
		for (const row of read(source)) if (typeof row !== 'object' || has(row, path)) return false;
		return true;
	});
	// Of a mark each column counts: one that is misspelt would mark no one.
	const isFine = path === MARK ? missing.length === 0 : missing.length < named.length;
	const [first] = missing;
	if (isFine || !first) return [];
	const found = someOf(
		uniq(
			[...read(first.source)]
				.slice(0, MAX_ROWS)
				.flatMap((row) => Object.keys(Object(get(row, first.path.slice(0, -1), row)))),
		),
	);
	const message = `reads the column ${uniq(missing.map(({ path }) => `'${path.join('.')}'`)).join(' or ')}, which no row has. Columns found: ${found || 'none'}`;
	return [{ path: path.split('.'), message }];
}

/** The row parameters that give the country of phone numbers. */
const COUNTRIES = ['defaultCountry', 'options.defaultCountry'];

/** The row parameters that name a column of the input: a dragged column, its name, or an expression that gives its value. */
const columnParameters = ({ properties, rowParameters }: Source): readonly INodeProperties[] =>
	properties.filter(
		({ name, requiresDataPath }) => requiresDataPath === 'single' && rowParameters.includes(name),
	);

/** `={{ $json.name }}` or `={{ $json['name'] }}`. */
const ROW_COLUMN =
	/^=\s*\{\{\s*\$json(?:\.([\p{L}_$][\p{L}\p{N}_$]*)|\[(['"])([^\\]+?)\2\])\s*\}\}\s*$/u;

/** The column that was entered as its name or as one expression; undefined for any other expression. */
function columnNamed(entered: unknown): string | undefined {
	if (!holdsExpression(entered)) return textOf(entered ?? '');
	const [, property, , quoted] = ROW_COLUMN.exec(String(entered)) ?? [];
	return property ?? quoted;
}

/** Reads the cell of a named column, blank where the row lacks it, or what an expression gives. */
function cellReader({ raw, rows, reader }: Source, path: string) {
	const column = raw(path) === null ? undefined : columnNamed(raw(path));
	if (column === undefined) return reader(path);
	return (item: number): unknown => get(rows[item]?.json, column) ?? '';
}

/** Refuses a column that is not named, or that no row has. */
function missingColumn({ raw, rows }: Source, name: string): Problem[] {
	const entered = raw(name);
	const column = entered === null ? undefined : columnNamed(entered);
	if (column === undefined || rows.length === 0) return [];
	const found = `Columns found: ${someOf(columnsIn(rows), "'") || 'none'}`;
	if (isBlank(column))
		return [{ path: [name], message: `is empty. Drag a column here, or enter its name. ${found}` }];
	if (rows.some(({ json }) => has(json, column))) return [];
	return [
		{ path: [name], message: `is '${shorten(column, 60)}', a column that no row has. ${found}` },
	];
}

/** What is entered in a field that is set to Fixed stays as it is, also an expression. */
const FIXED = /\{\{\s*\$/;

function fixedExpressions(
	name: string,
	{ entered, type }: { readonly entered: unknown; readonly type: string },
): Problem[] {
	return leavesOf(entered, [name]).flatMap(({ path, leaf }) => {
		if (typeof leaf !== 'string' || holdsExpression(leaf) || !FIXED.test(leaf)) return [];
		const isWrapped = (key: string | number, i: number): boolean =>
			key === 'value' && (type === 'resourceLocator' || (type === 'resourceMapper' && i === 1));
		const message = 'contains an expression, but is set to Fixed. Switch it to Expression';
		return [{ path: path.filter((key, i) => !isWrapped(key, i)), message }];
	});
}

/** The name of a column in place of its value, as people who know other programs type it. */
function typedColumns(
	path: string,
	{ entered, rows }: { readonly entered: unknown; readonly rows: readonly INodeExecutionData[] },
): Problem[] {
	const typed: unknown = get(entered, 'value', entered);
	if (typeof typed !== 'string' || isBlank(typed) || holdsExpression(typed)) return [];
	const plain = (name: string): string => name.trim().toLowerCase();
	const column = columnsIn(rows).find((name) => plain(name) === plain(typed));
	if (column === undefined) return [];
	const message = `is the name of a column. Switch it to Expression and enter {{ $json['${column}'] }}`;
	return [{ path: path.split('.'), message }];
}

const MAX_ROWS = 100;

/** The columns of rows: a source may leave out empty cells. */
export const columnsIn = (rows: readonly INodeExecutionData[]): string[] =>
	uniq(rows.slice(0, MAX_ROWS).flatMap(({ json }) => Object.keys(json)));

/** Where a row says that its person must not be called. */
const MARK = 'safeguards.doNotCall.people.mark';

/** What tells rows apart, so that one text for all of them is a mistake. */
const OF_ROW = ['toPhoneNumber', 'conversationId', 'safeguards.personId', MARK];

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

/** How the fields of a resource mapper are filled; undefined for any other parameter. */
const mappingModeOf = (entered: unknown): unknown => get(entered, 'mappingMode');

/** The fields are the columns of the input row, or those mapped by hand. */
const mappedRow = (mapper: unknown, inputRow: object): unknown =>
	mappingModeOf(mapper) === 'autoMapInputData' ? inputRow : (get(mapper, 'value') ?? {});
