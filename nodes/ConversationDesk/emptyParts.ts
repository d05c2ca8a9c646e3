import { get, isDate, isObject, set } from 'lodash';
import { readBody } from '../../src/core/json';
import type { ParameterFacts } from '../../src/core/operation';
import { isBlank } from '../../src/core/plainText';
import { shorten } from '../../src/core/words';
import { findParts, listLeaves, readSoleColumn, type Path } from './enteredParameters';

/** A text with expressions, where it is in the parameters, and the effect of an empty one. */
export interface TextWithParts {
	readonly at: Path;
	/** As it was entered: "=ORD-{{ $json.order }}". */
	readonly text: string;
	readonly gap: ParameterFacts['gap'];
}

/** Throws if an expression in a text is empty, or replaces the whole text by '', as `gap` declares. */
export function treatEmptyParts(
	parameters: object,
	{ at, text, gap }: TextWithParts,
	evaluate: (part: string) => unknown,
): void {
	if (gap === undefined) return;
	const parts = findParts(text);
	// E.g. ={{ 'ORD-' + $json.order }} without an order.
	if (parts.length === 0) rejectMissingValue(text, get(parameters, at));
	for (const part of parts) {
		const value = evaluate(part);
		// In a text, an object becomes "[object Object]".
		rejectMissingValue(`=${part}`, isObject(value) ? String(value) : value);
		// A list may have only blank entries.
		if (!isBlank([value].flat(Infinity).join(''))) continue;
		// A gap in a spoken sentence is a fault. In JSON, "{{ $json.note }}" may be empty, because it is a whole text.
		if (gap === 'isHeard' && text.includes(`"${part}"`)) continue;
		if (gap === 'isHeard') throw new Error(`${part} is empty, so the text would have a gap`);
		if (gap === 'isFault') throw new Error(`${part} gave no value`);
		// "ORD-{{ $json.order }}" without its order identifies nothing.
		set(parameters, at, '');
	}
}

/** A word that JavaScript or Luxon writes for a missing value, e.g. in "Ana undefined". */
const MISSING_VALUE = /undefined|\b(null|NaN|Invalid Date(Time)?)\b|\[object \w+\]/;

/** Throws if an expression gives a text that JavaScript makes of a missing value, e.g. "undefined" or NaN. */
export function rejectMissingValue(expression: string, result: unknown): void {
	const isColumn = /^=\{\{\s*\$json\s*\}\}$/.test(expression) || readSoleColumn(expression);
	// A cell may itself have such a text, e.g. the name Null. But "[object Object]" is always an object written as text.
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
