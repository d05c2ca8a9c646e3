import {
	attempt,
	cloneDeep,
	get,
	isDate,
	isEmpty,
	isEqual,
	isError,
	isNil,
	isObject,
	set,
} from 'lodash';
import type { IExecuteFunctions } from 'n8n-workflow';
import { mapYielding, type Pausing } from '../../src/core/concurrency';
import type { Problem } from '../../src/core/failures';
import { readBody } from '../../src/core/json';
import type {
	AddedSettings,
	DeclaredParameters,
	ParameterFacts,
	Row,
	RowParameters,
} from '../../src/core/operation';
import { isBlank } from '../../src/core/plainText';
import { fail, ok, type Result } from '../../src/core/result';
import { NO_VALUE } from '../../src/core/schemas';
import { shorten } from '../../src/core/words';
import { isTool } from './errors';
import {
	compileExpressions,
	findEnteredProblem,
	findFacts,
	findParts,
	isExpression,
	listLeaves,
	mayDependOnRow,
	MISSING_VALUE,
	readSoleColumn,
	type Path,
} from './enteredParameters';

/** Reads the settings, which are one value for all rows. Also finds faults in how any parameter was entered. */
export async function readSettings(
	context: IExecuteFunctions,
	declared: DeclaredParameters,
	host: Pausing,
): Promise<Row> {
	const entered = context.getNode().parameters;
	const rows = context.getInputData();
	const asTool = isTool(context.getNode());
	const added: AddedSettings = { asTool };
	const settings = { ...cloneDeep(entered), ...added };
	const problems: Problem[] = [];
	for (const { path, leaf } of listLeaves(entered)) {
		const facts = findFacts(declared, path);
		const problem = findEnteredProblem({ path, leaf }, facts, { asTool, rows });
		if (problem) problems.push(problem);
		else if (isExpression(leaf) && !facts.perRow) {
			const read = await readSetting(context, { path, leaf }, { declared, host });
			if (read.ok) set(settings, path, read.value);
			else problems.push(read.failure);
		} else if (isExpression(leaf) && !mayDependOnRow(leaf)) {
			// A parameter of the row that reads no column, e.g. ={{ $now }}. With its value here, a fault is reported once for all rows. An error becomes null, because each row reports it.
			const value: unknown = attempt(createReader(context, path, declared), 0);
			set(settings, path, isError(value) ? null : (value ?? null));
		}
	}
	return problems.length > 0 ? { problems, readable: settings } : { parameters: settings };
}

/** Evaluates the expression of a setting. Fails if its value is unreadable, blank, or different in two rows. */
async function readSetting(
	context: IExecuteFunctions,
	{ path, leaf }: { readonly path: Path; readonly leaf: string },
	{ declared, host }: { readonly declared: DeclaredParameters; readonly host: Pausing },
): Promise<Result<unknown, Problem>> {
	const read = createReader(context, path, declared);
	const value: unknown = attempt(read, 0);
	if (isError(value)) return fail(toReadProblem(path, value));
	// A date is not empty.
	if (isBlank(value) || (isObject(value) && !isDate(value) && isEmpty(value)))
		return fail({ path, reason: NO_VALUE });
	if (!mayDependOnRow(leaf)) return ok(value);
	const rows = context.getInputData();
	const values = await mapYielding(rows, (_, item): unknown => attempt(read, item), host);
	const differingRow = values.findIndex((each) => !isEqual(each, value));
	if (differingRow === -1) return ok(value);
	const other = values[differingRow];
	if (isError(other)) return fail(toReadProblem(path, other));
	const quote = (each: unknown): string => shorten(JSON.stringify(each) ?? 'empty', 40);
	const reason = `is ${quote(value)} for row 1 and ${quote(other)} for row ${differingRow + 1}. It is read once per run, so use one value for all rows`;
	return fail({ path, reason });
}

/** Yields the parameters of each input row, or its problems. Parameters that the panel hides are left out. */
export function* readRowParameters(
	context: IExecuteFunctions,
	declared: DeclaredParameters,
): Generator<Row, void, undefined> {
	const { parameters: entered } = context.getNode();
	const readers = Object.entries(declared)
		.filter(([name, { perRow }]) => perRow && !isNil(get(entered, name)))
		.map(([name, { mayBeBlank }]) => {
			const path = name.split('.');
			const isColumn = readSoleColumn(String(get(entered, path))) !== undefined;
			// The operation accepts '', a blank cell. It rejects undefined, an expression without a value.
			const valueIfEmpty = mayBeBlank && isColumn ? '' : undefined;
			return { path, read: createReader(context, path, declared), valueIfEmpty };
		});
	for (const [item, { json }] of context.getInputData().entries()) {
		const parameters: RowParameters = { inputRow: json };
		const problems: Problem[] = [];
		for (const { path, read, valueIfEmpty } of readers) {
			const value: unknown = attempt(read, item);
			if (isError(value)) problems.push(toReadProblem(path, value));
			else set(parameters, path, value ?? valueIfEmpty);
		}
		yield problems.length > 0 ? { problems, readable: parameters } : { parameters };
	}
}

const ENDLESS = 'it is nested too deeply, or contains itself';

/** Converts an error of reading a parameter to a problem. Endless or deep nesting overflows the call stack. */
export const toReadProblem = (path: Path, { message }: Error): Problem => ({
	path,
	reason: `could not be read: ${message.includes('call stack') ? ENDLESS : message}`,
});

/** Makes a function that reads a parameter for an input row. It throws if n8n cannot evaluate it, or if a required part is empty. */
function createReader(
	context: IExecuteFunctions,
	path: Path,
	declared: DeclaredParameters,
): (item: number) => unknown {
	const rows = context.getInputData();
	const entered: unknown = get(context.getNode().parameters, path);
	const mapping: unknown = get(entered, 'mappingMode');
	// A resource mapper gives the whole row, or the fields that were mapped by hand.
	if (mapping === 'autoMapInputData') return (item) => rows[item]?.json;
	if (mapping !== undefined) return createReader(context, [...path, 'value'], declared);
	const isAddress = get(entered, 'mode') === 'url';
	// The operation validates. n8n extracts the ID from a web address.
	const options = { extractValue: isAddress, skipValidation: true };
	const evaluate = (item: number): unknown =>
		context.getNodeParameter(path.join('.'), item, null, options);
	if (isAddress) {
		// Without one of its parts, an address may contain another ID.
		const parts = findParts(String(get(entered, 'value')));
		return (item) =>
			parts.some((part) => isEmptyPart(part, context.evaluateExpression(part, item)))
				? ''
				: evaluate(item);
	}
	const expressions = listLeaves(entered, path).filter(({ leaf }) => isExpression(leaf));
	// The mapper has null until a field is mapped.
	if (expressions.length === 0) return () => entered ?? {};
	// A field that is set to Expression, and left empty.
	if (/^=\s*$/.test(String(entered))) return () => undefined;
	// Avoids n8n's 0.3 ms per evaluation. Only n8n can evaluate for a tool, which may read another row than `rows`.
	const fill = isTool(context.getNode()) ? undefined : compileExpressions(entered);
	if (fill) return (item) => fill(rows[item]?.json ?? {}) ?? evaluate(item);
	const texts = expressions.map(({ path: at, leaf }) => {
		return { at, text: String(leaf), gap: findFacts(declared, at).gap };
	});
	return (item) => {
		const read = set({}, path, evaluate(item));
		const evaluatePart = (part: string): unknown => context.evaluateExpression(part, item);
		for (const text of texts) treatEmptyParts(read, text, evaluatePart);
		return get(read, path) as unknown;
	};
}

/** Treats the empty parts of a text as its parameter declares: throws, or replaces the text by ''. */
function treatEmptyParts(
	parameters: object,
	{
		at,
		text,
		gap,
	}: { readonly at: Path; readonly text: string; readonly gap: ParameterFacts['gap'] },
	evaluatePart: (part: string) => unknown,
): void {
	if (gap === undefined) return;
	if (gap === 'isHeard') {
		rejectEmptyParts(text, get(parameters, at), evaluatePart);
		return;
	}
	const parts = findParts(text);
	// E.g. ={{ 'ORD-' + $json.order }} without an order.
	if (parts.length === 0) rejectMissingValue(text, get(parameters, at));
	const emptyPart = parts.find((part) => isEmptyPart(part, evaluatePart(part)));
	if (emptyPart === undefined) return;
	if (gap === 'isFault') throw new Error(`${emptyPart} gave no value`);
	// "ORD-{{ $json.order }}" without its order identifies nothing.
	set(parameters, at, '');
}

/** Whether an expression in a text adds nothing to it, e.g. '' or [], or gives NaN or the text "undefined". */
function isEmptyPart(part: string, value: unknown): boolean {
	const text = [value].flat(Infinity).join('');
	// The text of a cell is no fault, e.g. the name Null.
	const isCell = typeof value === 'string' && readSoleColumn(`=${part}`) !== undefined;
	return isBlank(text) || (!isCell && MISSING_VALUE.exec(text)?.[0] === text.trim());
}

/** Throws if an expression in a text that the agent speaks is empty ("Hello !") or gives a missing value ("Ana undefined"). */
function rejectEmptyParts(text: string, whole: unknown, evaluate: (part: string) => unknown): void {
	const parts = findParts(text);
	if (parts.length === 0) rejectMissingValue(text, whole);
	for (const part of parts) {
		const value = evaluate(part);
		// In a sentence, an object becomes a text such as "[object Object]".
		rejectMissingValue(`=${part}`, isObject(value) ? String(value) : value);
		// In JSON, "{{ $json.note }}" may be empty, because it is a whole text in its quotes.
		if (isEmptyPart(part, value) && !text.includes(`"${part}"`))
			throw new Error(`${part} is empty, so the text would have a gap`);
	}
}

/** Throws if an expression gives a text that JavaScript makes of a missing value, e.g. "undefined" or NaN. */
export function rejectMissingValue(expression: string, result: unknown): void {
	const isColumn = /^=\{\{\s*\$json\s*\}\}$/.test(expression) || readSoleColumn(expression);
	// The text of a cell is no fault, e.g. the name Null. But a sentence writes an object as "[object Object]".
	if (isColumn && result !== '[object Object]') return;
	// In JSON each value is checked by itself, and null is no fault.
	const body = typeof result === 'string' ? readBody(result) : undefined;
	const value = body?.kind === 'json' && isObject(body.value) ? body.value : result;
	const missing = listLeaves(value).find(({ leaf }) =>
		typeof leaf === 'string'
			? MISSING_VALUE.test(leaf)
			: Number.isNaN(isDate(leaf) ? leaf.getTime() : leaf),
	);
	if (!missing) return;
	throw new Error(
		`its expression gives "${shorten(String(missing.leaf), 60)}", because a value is empty or an object`,
	);
}
