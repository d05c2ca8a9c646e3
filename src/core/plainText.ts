import { toPath } from 'lodash';

/** Converts any value to text. A list or object becomes a placeholder, because String() may throw for it. */
export function toText(value: unknown): string {
	if (Array.isArray(value)) return '(a list)';
	return typeof value === 'object' && value !== null ? '(an object)' : String(value);
}

/** A text without invisible characters (by Unicode), and without white space around it. */
export const cleanText = (text: string): string => text.replace(/\p{DI}/gu, '').trim();

/** Removes characters that change how a screen shows a text: controls (not line breaks and tabs), and overrides of direction. */
export const toPrintable = (text: string): string =>
	text.replace(/(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '');

/** "#N/A" or "#REF!", the error of a formula in a spreadsheet. */
const FORMULA_ERROR = /^#(N\/A|DIV\/0!|NAME\?|NULL!|NUM!|REF!|VALUE!)$/;

/** Whether a cell or field is not set, has no visible content, or is the error of a formula. */
export const isBlank = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	(typeof value === 'string' && (/^[\s\p{DI}]*$/u.test(value) || FORMULA_ERROR.test(value.trim())));

/** Converts a cell for comparison: lower case, single spaces, no invisible characters; '' if it is missing. */
export const comparableText = (value: unknown): string =>
	cleanText(String(value ?? '').normalize())
		.replace(/\s+/g, ' ')
		.toLowerCase();

/** Returns the name of an entered column. n8n enters a dragged one as `['Phone (work)']`. A path like address.city stays. */
export function toColumnName(entered: string): string {
	const [only = '', ...more] = toPath(entered);
	return more.length > 0 ? entered : only;
}
