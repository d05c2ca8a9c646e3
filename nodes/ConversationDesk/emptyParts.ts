import { get, isDate, isEqual, isObject, set } from 'lodash';
import { readBody } from '../../src/core/json';
import type { ParameterFacts } from '../../src/core/operation';
import { isBlank } from '../../src/core/plainText';
import { shorten } from '../../src/core/words';
import { findParts, listLeaves, listReferences, type Path } from './enteredParameters';

/** A text with expressions, where it is in the parameters, and the effect of an empty one. */
export interface TextWithParts {
	readonly at: Path;
	/** As it was entered: "=ORD-{{ $json.order }}". */
	readonly text: string;
	readonly gap: ParameterFacts['gap'] | 'isFault';
}

type Evaluate = (expression: string) => unknown;

/** Throws if an expression in a text is empty, or replaces the whole text by '', as `gap` declares. */
export function treatEmptyParts(
	parameters: object,
	{ at, text, gap = 'isFault' }: TextWithParts,
	evaluate: Evaluate,
): void {
	if (gap === 'isAllowed') return;
	const parts = findParts(text);
	for (const part of parts) {
		const value = evaluate(part);
		// In a text, an object becomes "[object Object]".
		rejectMissingValue(isObject(value) ? String(value) : value, part, evaluate);
		if (hasBlank(value)) treatEmpty(part);
		else checkReferences(part, value);
	}
	if (parts.length > 0) return;
	// E.g. ={{ 'ORD-' + $json.order }}. If it is blank, its schema reports it.
	const whole: unknown = get(parameters, at);
	rejectMissingValue(whole, text, evaluate);
	checkReferences(text, whole);

	function checkReferences(expression: string, value: unknown): void {
		// JSON.stringify leaves out a missing variable, which may be empty.
		if (gap === 'isHeard' && toParsed(value) !== value) return;
		const empty = findEmptyReference(expression, value, evaluate);
		if (empty !== undefined) treatEmpty(empty);
	}

	function treatEmpty(expression: string): void {
		// A gap in a spoken sentence is a fault. In JSON, "{{ $json.note }}" may be empty, because it is a whole text.
		if (gap === 'isHeard' && text.includes(`"${expression}"`)) return;
		if (gap === 'isHeard') throw new Error(`${expression} is empty, so the text would have a gap`);
		if (gap === 'isFault') throw new Error(`${expression} gave no value`);
		// "ORD-{{ $json.order }}" without its order identifies nothing.
		set(parameters, at, '');
	}
}

/** Whether a value is blank, or a list without entries or with a blank one. */
const hasBlank = (value: unknown): boolean =>
	isEqual(value, []) || [value].flat(Infinity).some(isBlank);

/** The operators and functions of a calculation that provides for an empty value. */
const PROVIDES = /\?(?!\.)|\|\||&&|\$if|empty/i;

/** Finds empty data in a calculation that has a result nevertheless: new Date($json.from) is 1970 without it. */
function findEmptyReference(
	expression: string,
	result: unknown,
	evaluate: Evaluate,
): string | undefined {
	// A comparison with an empty value has a correct result. Blank values in a list or object are checked by themselves.
	const isChecked =
		typeof result === 'boolean' || listLeaves(result).some(({ leaf }) => isBlank(leaf));
	if (isChecked || PROVIDES.test(expression)) return undefined;
	return listReferences(expression).find(
		(reference) => reference !== expression && [evaluate(reference)].flat(Infinity).every(isBlank),
	);
}

/** A word that JavaScript or Luxon writes for a missing value, e.g. in "Ana undefined". */
const MISSING_WORD = /undefined|\b(null|NaN|Invalid Date(Time)?)\b/;
const OBJECT_AS_TEXT = /\[object \w+\]/;

/** Parses a text that is JSON. Other values stay. */
function toParsed(value: unknown): unknown {
	const body = typeof value === 'string' ? readBody(value) : undefined;
	return body?.kind === 'json' && isObject(body.value) ? body.value : value;
}

/** Throws if an expression gives a text that JavaScript makes of a missing value, e.g. "undefined" or NaN. */
export function rejectMissingValue(result: unknown, expression: string, evaluate?: Evaluate): void {
	// In JSON each value is checked by itself, and null is no fault.
	const missing = listLeaves(toParsed(result)).find(({ leaf }) =>
		typeof leaf === 'string'
			? MISSING_WORD.test(leaf) || OBJECT_AS_TEXT.test(leaf)
			: Number.isNaN(isDate(leaf) ? leaf.getTime() : leaf),
	);
	if (!missing) return;
	// A cell may itself have such a word, e.g. the name null.
	const cells = listLeaves(evaluate && listReferences(expression).map(evaluate));
	const isCell = cells.some(({ leaf }) => typeof leaf === 'string' && MISSING_WORD.test(leaf));
	if (isCell && !OBJECT_AS_TEXT.test(String(missing.leaf))) return;
	throw new Error(
		`its expression gives "${shorten(String(missing.leaf), 60)}", because a value is empty or an object`,
	);
}
