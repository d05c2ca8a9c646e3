import { isPlainObject } from 'lodash';
import { z } from 'zod/v4';

/** The body of a response: a JSON value, nothing, or other text. */
type Body =
	{ readonly kind: 'json'; readonly value: unknown } | { readonly kind: 'empty' | 'text' };

/** Max levels of a value. n8n cannot save thousands of levels, and recursion would run out of stack. */
export const MAX_DEPTH = 200;
const TOO_DEEP = '(nested too deeply to read)';

/** Reads the text of a response, as JSON if possible. A value with too many levels becomes a short text. */
export function readBody(text: string): Body {
	if (text.trim() === '') return { kind: 'empty' };
	try {
		const value: unknown = JSON.parse(text);
		return { kind: 'json', value: isTooDeep(value) ? TOO_DEEP : value };
	} catch {
		return { kind: 'text' };
	}
}

/** Whether a value has more than `levels` levels below its own. n8n cannot save such a value. */
function isTooDeep(value: unknown, levels = MAX_DEPTH): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (levels < 0) return true;
	return Object.values(value).some((child) => isTooDeep(child, levels - 1));
}

/** Whether a value is a plain object. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' &&
	value !== null &&
	// The first check is a fast path. isPlainObject also accepts objects of another context, e.g. of a Code node.
	(Object.getPrototypeOf(value) === Object.prototype || isPlainObject(value));

/** The value of a JSON parameter, parsed if it is text. Later schemas check its shape. */
export const jsonParameter = z.unknown().transform((entered, context) => {
	const read = typeof entered === 'string' ? readJson(entered) : { value: entered };
	const problem = read.problem ?? findJsonProblem(read.value);
	if (problem === undefined) return read.value;
	// Later steps of a pipe would otherwise check a missing value.
	context.addIssue({ code: 'custom', message: problem, continue: false });
	return z.NEVER;
});

/** Returns why JSON cannot hold a value: an object such as a date, or too deep nesting; else undefined. */
function findJsonProblem(value: unknown): string | undefined {
	if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isRecord(value))
		return 'is an object that JSON cannot hold, such as a date or a map. Correct its expression';
	return isTooDeep(value) ? `is nested deeper than ${MAX_DEPTH} levels. Flatten it` : undefined;
}

/** Parses a text that is JSON; returns any other text or value unchanged. */
export function parseIfJson(value: unknown): unknown {
	const body = typeof value === 'string' ? readBody(value) : undefined;
	return body?.kind === 'json' ? body.value : value;
}

/** Parses entered JSON, and returns its problem for the user, if any: empty, invalid, or changed by parsing. */
function readJson(text: string): { value?: unknown; problem?: string | undefined } {
	if (text.trim() === '') return { problem: 'is empty. Enter JSON' };
	try {
		const value = JSON.parse(text) as unknown;
		// JSON.stringify in findLoss may throw for a value nested too deeply, which findJsonProblem reports.
		return { value, problem: isTooDeep(value) ? undefined : findLoss(text, value) };
	} catch (error) {
		const reason = error instanceof Error ? error.message : '';
		return { problem: `is not valid JSON (${reason}). Check quotes, commas and brackets` };
	}
}

/** Removes the strings of a JSON text. Escaped characters go first, because an escaped quote does not end a string. */
const removeStrings = (json: string): string => json.replace(/\\./gs, '').replace(/"[^"]*"/g, '');

/** Returns what JSON.parse would lose: digits of large whole numbers, or repeated keys. Undefined if nothing is lost. */
function findLoss(text: string, value: unknown): string | undefined {
	const written = removeStrings(text);
	const numbers = written.match(/-?\d[\d.eE+-]*/g) ?? [];
	const rounded = numbers.find((each) => /^-?\d+$/.test(each) && !Number.isSafeInteger(+each));
	if (rounded !== undefined)
		return `contains the number ${rounded.slice(0, 40)}, which would be rounded. Put it in quotes`;
	const kept = removeStrings(JSON.stringify(value));
	// Each key has one colon, and JSON.parse keeps one of two equal keys.
	const hasEqualKeys = written.split(':').length > kept.split(':').length;
	return hasEqualKeys ? 'contains a key twice in one object. Remove one' : undefined;
}

/** Whether JSON keeps a value. NaN and Infinity would become null; a circular or very deep value makes JSON.stringify throw. */
export function fitsJson(value: unknown): boolean {
	try {
		const text = JSON.stringify(value, (_key, each: unknown) => {
			if (typeof each === 'number' && !Number.isFinite(each)) throw new RangeError();
			return each;
		});
		return text !== undefined;
	} catch {
		return false;
	}
}

/** A JSON parameter with one object. A list is rejected, because one input row is one entry. */
export const oneJsonObject = (noun: string, example: string) =>
	jsonParameter.pipe(
		z.custom<Readonly<Record<string, unknown>>>(isRecord, {
			error: ({ input }) =>
				Array.isArray(input)
					? `is a list. For one ${noun} per row, add a Split Out node before this one`
					: `must be an object, e.g. ${example}`,
		}),
	);
