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
	const pattern = escapeRegExp(reference.slice(3, -3));
	return new RegExp(`${before}\\s*${pattern}(?![\\p{L}\\p{N}_$])${METHODS}\\s*${after}`, 'u').test(
		expression,
	);
}

/** Replaces a reference in an expression by another value. */
export const replaceReference = (expression: string, reference: string, value: string): string =>
	expression.replace(
		new RegExp(`${escapeRegExp(reference.slice(3, -3))}(?![\\p{L}\\p{N}_$])`, 'gu'),
		value,
	);

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
