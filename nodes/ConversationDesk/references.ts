import { escapeRegExp, uniq } from 'lodash';

const NAME = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
const TEXT = String.raw`'[^']*'|"[^"]*"|\x60[^\x60]*\x60`;
const ROOT = String.raw`\$(?:json\b|items\((?:${TEXT})?\)|\w+(?=\s*[.?[])|\((?:${TEXT})\)(?=\s*[.?[]))`;
const ITEM = String.raw`\s*\.\s*(?:first|last|all)\(\)|\s*\.\s*itemMatching\([^()]*\)`;
const MEMBER = String.raw`\s*\??\.\s*${NAME}(?![\p{L}\p{N}_$]|\s*\()|\s*(?:\?\.)?\[\s*(?:\d+|\$itemIndex|${TEXT})\s*\]`;

/** $json.from, $json?.address['city'], $vars.order or $('Rows').item.json.from, up to the first method. */
const REFERENCE = new RegExp(`${ROOT}(?:${ITEM}|${MEMBER})*`, 'gu');

/** Lists the data that an expression reads directly, each as an expression: "{{ $json.from }}". */
export const listReferences = (expression: string): string[] =>
	uniq(Array.from(expression.matchAll(REFERENCE), ([reference]) => `{{ ${reference} }}`));

/** ".trim()", "?.split(' ')[0]" or ".length". */
const METHODS = String.raw`(?:\s*\??\.\s*\w+(?:\([^()]*\))?|\[\d+\])*`;

/** Whether an expression contains a reference, maybe with methods, between two patterns. */
function isBetween(
	expression: string,
	reference: string,
	[before, after]: [string, string],
): boolean {
	const pattern = `${before}\\s*${toPattern(reference)}${METHODS}\\s*${after}`;
	return new RegExp(pattern, 'u').test(expression);
}

/** Replaces a reference by another value in two ways: plainly, and with ?. before its first method. */
export function listReplacements(expression: string, reference: string, value: string): string[] {
	const pattern = toPattern(reference);
	// Of all methods, null has only those of n8n.
	const optional = expression.replace(new RegExp(`${pattern}\\s*\\??\\.`, 'gu'), `${value}?.`);
	return [expression, optional].map((each) => each.replace(new RegExp(pattern, 'gu'), value));
}

/** Builds the pattern of a reference, which no longer name continues. */
const toPattern = (reference: string): string =>
	`${escapeRegExp(reference.slice(3, -3))}(?![\\p{L}\\p{N}_$])`;

/** Whether an expression depends on whether a reference is empty: $json.vip ? 'VIP' : ''. */
export const hasCondition = (expression: string, reference: string): boolean =>
	isBetween(expression, reference, [
		'',
		String.raw`(?:\?(?![.?])|&&|[=!]==?|[<>](?![<>])|\??\.is(?:Not)?Empty\(|\??\.(?:filter|compact)\()`,
	]) ||
	isBetween(expression, reference, [
		String.raw`(?:!|[=!]==?|\bif\s*\(|\$if\()`,
		String.raw`(?![.[(])`,
	]);

/** Whether an expression has another value for an empty reference: $json.name ?? 'there'. */
export const hasDefault = (expression: string, reference: string): boolean =>
	isBetween(expression, reference, ['', String.raw`(?:\?\?|\|\|)`]) ||
	isBetween(expression, reference, [String.raw`\$ifEmpty\(`, '']);
