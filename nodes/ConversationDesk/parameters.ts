import { attempt, cloneDeep, get, isDate, isEmpty, isEqual, isError, isObject, set } from 'lodash';
import type { IExecuteFunctions } from 'n8n-workflow';
import { mapYielding, type Pausing } from '../../src/core/concurrency';
import type { Problem } from '../../src/core/failures';
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
import { treatEmptyParts, type TextWithParts } from './emptyParts';
import { isTool } from './errors';
import {
	compileExpressions,
	findEnteredProblem,
	findFacts,
	isExpression,
	listLeaves,
	mayDependOnRow,
	readSoleColumn,
	type Path,
} from './enteredParameters';

/** Evaluates the parameters with one value for all rows. Also finds faults in how any parameter was entered. */
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
			// A row's parameter that reads no row, e.g. ={{ $now }}, gets its value here, so a wrong value is reported once for all rows.
			// If its evaluation throws, each row reports that, so here it is null.
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

/** Yields the parameters of each input row, or its problems. */
export function* readRowParameters(
	context: IExecuteFunctions,
	declared: DeclaredParameters,
): Generator<Row, void, undefined> {
	const { parameters: entered } = context.getNode();
	// n8n keeps no value of a parameter that the panel hides.
	const readers = Object.entries(declared)
		.filter(([name, { perRow }]) => perRow && get(entered, name, null) !== null)
		.map(([name, { mayBeBlank }]) => {
			const path = name.split('.');
			const isColumn = readSoleColumn(String(get(entered, name))) !== undefined;
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

/** The error of one text of a parameter. */
class TextError extends Error {
	readonly path: Path;

	constructor(message: string, path: Path) {
		super(message);
		this.path = path;
	}
}

/** Converts an error of reading a parameter to a problem. Endless or deep nesting overflows the call stack. */
export const toReadProblem = (path: Path, error: Error): Problem => ({
	path: error instanceof TextError ? error.path : path,
	reason: `could not be read: ${error.message.includes('call stack') ? ENDLESS : error.message}`,
});

/** Makes a reader of a parameter for a row, which throws if evaluation fails or a required part is empty. */
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
	/** Makes a reader that rejects or clears `texts` with empty parts. */
	const readWithParts =
		(texts: readonly TextWithParts[]) =>
		(item: number): unknown => {
			const read = set({}, path, evaluate(item)); // `treatEmptyParts` changes a text in it, at the whole path.
			const evaluatePart = (part: string): unknown => context.evaluateExpression(part, item);
			for (const text of texts) {
				const treated = attempt(treatEmptyParts, read, text, evaluatePart);
				if (isError(treated)) throw new TextError(treated.message, text.at);
			}
			return get(read, path);
		};
	// Without one of its parts, an address may contain another ID.
	if (isAddress)
		return readWithParts([{ at: path, text: String(get(entered, 'value')), gap: 'clearsText' }]);
	const expressions = listLeaves(entered, path).filter(({ leaf }) => isExpression(leaf));
	// Fixed values. The mapper has null until a field is mapped.
	if (expressions.length === 0) return () => entered ?? {};
	// A field that is set to Expression, and left empty.
	if (/^=\s*$/.test(String(entered))) return () => undefined;
	// Avoids n8n's 0.3 ms per evaluation. Only n8n can evaluate for a tool, which may read another row than `rows`.
	const fill = isTool(context.getNode()) ? undefined : compileExpressions(entered);
	if (fill) return (item) => fill(rows[item]?.json ?? {}) ?? evaluate(item); // n8n fills in e.g. dates.
	const texts = expressions.map(({ path: at, leaf }) => {
		return { at, text: String(leaf), gap: findFacts(declared, at).gap };
	});
	return readWithParts(texts);
}
