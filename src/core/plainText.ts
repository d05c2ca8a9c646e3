import { toPath } from 'lodash';

/** Any value as text. String() throws for objects without toString. */
export function toText(value: unknown): string {
	if (Array.isArray(value)) return '(a list)';
	return typeof value === 'object' && value !== null ? '(an object)' : String(value);
}

/** A text without invisible characters (by Unicode), and without white space around it. */
export const cleanText = (text: string): string => text.replace(/\p{DI}/gu, '').trim();

/** A text without signs that change how a screen or terminal shows it: controls, and overrides of direction. */
export const toPrintable = (text: string): string =>
	text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (sign) =>
		sign === '\n' || sign === '\t' ? sign : '',
	);

/** Whether a cell or field is not set, or has no visible content. */
export const isBlank = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	(typeof value === 'string' && /^[\s\p{DI}]*$/u.test(value));

/** A text, number or boolean for comparison: without case, invisible characters and repeated blanks. */
export const comparableText = (value: unknown): string =>
	cleanText(String(value ?? '').normalize())
		.replace(/\s+/g, ' ')
		.toLowerCase();

/** The name of a column that was entered or dragged: n8n drags Phone (work) as ['Phone (work)']. Other paths stay unchanged. */
export function toColumnName(entered: string): string {
	const [only = '', ...more] = toPath(entered);
	return more.length > 0 ? entered : only;
}
