import { attempt, cloneDeep, get, isEmpty, isEqual, isError, isNil, isObject, set } from 'lodash';
import type { IExecuteFunctions } from 'n8n-workflow';
import { mapYielding, type Pausing } from '../../src/core/concurrency';
import type { Problem } from '../../src/core/failures';
import { readBody } from '../../src/core/json';
import type {
	AddedSettings,
	DeclaredParameters,
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
	namesRow,
	readDraggedColumn,
	TRACE,
	type Path,
} from './enteredParameters';

/** Reads the settings of a run once, and finds the problems of all parameters as they were entered. */
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
		} else if (isExpression(leaf) && !namesRow(leaf)) {
			// A value for all rows is a setting, so its fault is no fault of a row.
			const value: unknown = attempt(createReader(context, path, declared), 0);
			set(settings, path, isError(value) ? null : (value ?? null));
		}
	}
	return problems.length > 0 ? { problems, readable: settings } : { parameters: settings };
}

/** Reads an expression of a setting. It must give one value for all rows, and never a blank one. */
async function readSetting(
	context: IExecuteFunctions,
	{ path, leaf }: { readonly path: Path; readonly leaf: string },
	{ declared, host }: { readonly declared: DeclaredParameters; readonly host: Pausing },
): Promise<Result<unknown, Problem>> {
	const read = createReader(context, path, declared);
	const value: unknown = attempt(read, 0);
	if (isError(value)) return fail(toReadProblem(path, value));
	if (isBlank(value) || (isObject(value) && isEmpty(value)))
		return fail({ path, reason: NO_VALUE });
	if (!namesRow(leaf)) return ok(value);
	const rows = context.getInputData();
	const values = await mapYielding(rows, (_, item): unknown => attempt(read, item), host);
	const row = values.findIndex((each) => !isEqual(each, value));
	if (row === -1) return ok(value);
	const other = values[row];
	if (isError(other)) return fail(toReadProblem(path, other));
	const quote = (each: unknown): string => shorten(JSON.stringify(each) ?? 'empty', 40);
	const reason = `is ${quote(value)} for row 1 and ${quote(other)} for row ${row + 1}. It is read once per run, so use one value for all rows`;
	return fail({ path, reason });
}

/** Reads rows one by one. n8n's null for an empty expression becomes undefined, a hidden parameter has no key. */
export function* readRowParameters(
	context: IExecuteFunctions,
	declared: DeclaredParameters,
): Generator<Row, void, undefined> {
	const { parameters: entered } = context.getNode();
	const readers = Object.entries(declared)
		.filter(([name, { perRow }]) => perRow && !isNil(get(entered, name)))
		.map(([name, { mayBeBlank }]) => {
			const path = name.split('.');
			// An expression without a value is rejected later. A dragged column may be blank in some rows.
			const isColumn = readDraggedColumn(String(get(entered, path))) !== undefined;
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

/** Converts the error of a read to a problem. Endless or deep nesting overflows the call stack. */
export const toReadProblem = (path: Path, { message }: Error): Problem => ({
	path,
	reason: `could not be read: ${message.includes('call stack') ? ENDLESS : message}`,
});

/** Makes a function that reads a parameter: the columns of the row, the mapper's fields, or its value. */
function createReader(
	context: IExecuteFunctions,
	path: Path,
	declared: DeclaredParameters,
): (item: number) => unknown {
	const rows = context.getInputData();
	const name = path.join('.');
	const entered: unknown = get(context.getNode().parameters, path);
	const mapping: unknown = get(entered, 'mappingMode');
	if (mapping === 'autoMapInputData') return (item) => rows[item]?.json;
	if (mapping !== undefined) return createReader(context, [...path, 'value'], declared);
	const isAddress = get(entered, 'mode') === 'url';
	const evaluate = (item: number): unknown =>
		// The operation validates. n8n finds the ID in a web address.
		context.getNodeParameter(name, item, null, { extractValue: isAddress, skipValidation: true });
	if (isAddress) return evaluate;
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
		for (const { at, text, gap } of texts) {
			if (gap === 'isHeard') rejectHeardGaps(text, get(read, at), evaluatePart);
			if (gap === undefined || gap === 'isHeard') continue;
			const emptyPart = findParts(text).find((part) => isEmptyPart(evaluatePart(part)));
			if (emptyPart === undefined) continue;
			if (gap === 'isFault') throw new Error(`${emptyPart} gave no value`);
			set(read, at, '');
		}
		return get(read, path) as unknown;
	};
}

/** Whether a part of a text gives nothing, e.g. '', [] or [null]. */
const isEmptyPart = (value: unknown): boolean => isBlank([value].flat(Infinity).join(''));

/** Throws if a person would hear that a value is empty, e.g. "Hello !" or "Ana undefined". */
function rejectHeardGaps(text: string, made: unknown, evaluate: (part: string) => unknown): void {
	const parts = findParts(text);
	if (parts.length === 0) rejectTrace(text, made);
	for (const part of parts) {
		const value = evaluate(part);
		rejectTrace(`=${part}`, isObject(value) ? String(value) : value);
		// In JSON, a part that is a whole text may be empty.
		if (isEmptyPart(value) && !text.includes(`"${part}"`))
			throw new Error(`${part} is empty, so the text would have a gap`);
	}
}

/** Throws if what an expression gives has the trace of an empty value. In JSON, null is a value. */
function rejectTrace(expression: string, made: unknown): void {
	// A column may have any text, but no object in a sentence.
	const isColumn = /^=\{\{\s*\$json\s*\}\}$/.test(expression) || readDraggedColumn(expression);
	if (isColumn && made !== '[object Object]') return;
	const body = typeof made === 'string' ? readBody(made) : undefined;
	const value = body?.kind === 'json' && isObject(body.value) ? body.value : made;
	const trace = listLeaves(value).find(({ leaf }) =>
		typeof leaf === 'string' ? TRACE.test(leaf) : Number.isNaN(leaf),
	);
	if (!trace) return;
	throw new Error(
		`its expression gives "${shorten(String(trace.leaf), 60)}", because a value is empty`,
	);
}
