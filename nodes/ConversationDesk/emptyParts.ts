import { attempt, get, isDate, isEqual, isError, isNil, isObject, set } from 'lodash';
import { parseIfJson, readBody } from '../../src/core/json';
import type { ParameterFacts } from '../../src/core/operation';
import { isBlank } from '../../src/core/plainText';
import { shorten } from '../../src/core/words';
import { findParts, listLeaves, type Leaf, type Path } from './enteredParameters';
import { hasCondition, hasDefault, listReferences, listReplacements } from './references';

/** A text with expressions, where it is in the parameters, and the effect of an empty one. */
export interface TextWithParts {
	readonly at: Path;
	/** As it was entered: "=ORD-{{ $json.order }}". */
	readonly text: string;
	readonly gap?: ParameterFacts['gap'] | 'isFault';
}

type Evaluate = (expression: string) => unknown;

/** Treats empty data in the expressions of a text as `gap` declares: allows it, throws, or clears the text. */
export function treatEmptyParts(
	parameters: object,
	{ at, text, gap = 'isFault' }: TextWithParts,
	evaluate: Evaluate,
): void {
	if (gap === 'isAllowed') return;
	const parts = findParts(text);
	const isWhole = parts.length === 0;
	for (const { part, isQuoted } of isWhole ? [{ part: text.slice(1), isQuoted: false }] : parts) {
		const value = isWhole ? get(parameters, at) : evaluate(part);
		// In a text, an object becomes "[object Object]".
		rejectMissingValue(!isWhole && isObject(value) ? String(value) : value, part, evaluate);
		// A blank whole value is checked by its schema. In JSON, "{{ $json.note }}" is a whole value.
		if (isBlank(value) && (isWhole || (isQuoted && gap === 'isHeard'))) continue;
		const empty = findEmptyData(part, value, { isWhole, gap, evaluate });
		if (empty === undefined) continue;
		if (gap === 'isHeard') throw new Error(`${empty} is empty, so the text would have a gap`);
		// "ORD-{{ $json.order }}" without its order is no value, but a number without its area code is a fault.
		const isEmpty = listReferences(text).every((reference) => lacksData(reference, evaluate));
		if (gap === 'isFault' || !isEmpty)
			throw new Error(`${empty} gave no value. Correct the data, or provide for that with ? :`);
		set(parameters, at, '');
	}
}

/** Whether a value is blank, or a list without entries or with a blank one. */
const hasBlank = (value: unknown): boolean =>
	isEqual(value, []) || [value].flat(Infinity).some(isBlank);

/** Whether a reference is empty. If its evaluation fails, the expression did not read it either. */
function lacksData(reference: string, evaluate: Evaluate): boolean {
	const value: unknown = attempt(evaluate, reference);
	return !isError(value) && hasBlank(value);
}

/** Returns the expression that lacks data: the part, or a reference in it, e.g. "{{ $json.from }}" in "{{ new Date($json.from) }}". */
function findEmptyData(
	part: string,
	value: unknown,
	{
		isWhole,
		gap,
		evaluate,
	}: Pick<TextWithParts, 'gap'> & { readonly isWhole: boolean; readonly evaluate: Evaluate },
): string | undefined {
	const references = listReferences(part);
	// A part that is only a reference was already evaluated.
	const empty = references.filter((reference) =>
		reference === part ? hasBlank(value) : lacksData(reference, evaluate),
	);
	if (!isWhole && hasBlank(value)) {
		// The result of "{{ $json.vip ? 'VIP' : '' }}" is meant to be blank.
		const isMeant =
			isBlank(value) &&
			references.length > 0 &&
			empty.every((reference) => hasCondition(part, reference));
		return isMeant ? undefined : part;
	}
	// A comparison has a correct result. The schema of filters names each blank value in an object.
	const isChecked = gap !== 'isHeard' && listLeaves(value).some(({ leaf }) => isBlank(leaf));
	if (typeof value === 'boolean' || isChecked) return undefined;
	return empty.find((reference) => !isProvidedFor(part, reference, { gap, evaluate }));
}

/** Whether an expression provides for an empty reference: it has one result for null, undefined and ''. */
function isProvidedFor(
	part: string,
	reference: string,
	{ gap, evaluate }: Pick<TextWithParts, 'gap'> & { readonly evaluate: Evaluate },
): boolean {
	const actual: unknown = attempt(evaluate, reference);
	// A list has no other kind of empty.
	if (Array.isArray(actual)) return true;
	// $now would differ between two evaluations.
	const stable = part.replace(/\$now\b/g, '$today');
	const resultOf = (expression: string): unknown => {
		const result: unknown = attempt(evaluate, expression);
		// Variables may be empty.
		return gap === 'isHeard' ? listLeaves(parseIfJson(result)).filter(isFilled) : toParsed(result);
	};
	const actualResult = resultOf(stable);
	const isSameWith = (value: string): boolean =>
		listReplacements(stable, reference, value).some((each) =>
			isEqual(actualResult, resultOf(each)),
		);
	if (!isSameWith(actual === null ? '(undefined)' : '(null)')) return false;
	if (!isNil(actual)) return isSameWith('(undefined)');
	// ?? handles null and undefined only. But Luxon ignores both: $now.minus({ days: $json.days }).
	return hasCondition(part, reference) || hasDefault(part, reference) || isSameWith("('')");
}

const isFilled = ({ leaf }: Leaf): boolean => !isBlank(leaf) && !isEqual(leaf, {});

/** A word that JavaScript or Luxon writes for a missing value, e.g. in "Ana undefined". */
const MISSING_WORD = /undefined|\b(null|NaN|Invalid Date(Time)?)\b/;
const OBJECT_AS_TEXT = /\[object \w+\]/;

/** Parses a text that is a JSON object or list. Other values stay. */
function toParsed(value: unknown): unknown {
	const body = typeof value === 'string' ? readBody(value) : undefined;
	return body?.kind === 'json' && isObject(body.value) ? body.value : value;
}

/** Throws if an expression gives a value that JavaScript makes of a missing one or an object: "undefined", NaN. */
export function rejectMissingValue(result: unknown, expression: string, evaluate?: Evaluate): void {
	// In JSON each value is checked by itself, and null is no fault.
	const missing = listLeaves(toParsed(result)).find(({ leaf }) =>
		typeof leaf === 'string'
			? MISSING_WORD.test(leaf) || OBJECT_AS_TEXT.test(leaf)
			: Number.isNaN(isDate(leaf) ? leaf.getTime() : leaf),
	);
	if (!missing) return;
	// A cell may itself contain such a word, e.g. the name null. Only an object as text is always a fault.
	const cells = listLeaves(
		evaluate && listReferences(expression).map((each) => attempt(evaluate, each)),
	);
	const isMeant =
		MISSING_WORD.test(expression) ||
		cells.some(({ leaf }) => typeof leaf === 'string' && MISSING_WORD.test(leaf));
	if (isMeant && !OBJECT_AS_TEXT.test(String(missing.leaf))) return;
	throw new Error(
		`its expression gives "${shorten(String(missing.leaf), 60)}", because a value is empty, or an object within a text`,
	);
}
