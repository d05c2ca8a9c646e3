/** Any value as text. String() throws for objects without toString. */
export const toText = (value: unknown): string =>
	typeof value === 'object' && value !== null ? '(an object)' : String(value);

/** Invisible characters by Unicode: zero-width spaces, fillers, marks of direction. */
const EACH_INVISIBLE = /\p{DI}/gu;
const BLANK = /^[\s\p{DI}]*$/u;

/** A text without white space and invisible characters around it, in linear time. */
export function trimInvisible(text: string): string {
	let [from, to] = [0, text.length];
	while (from < to && BLANK.test(text.charAt(from))) from += 1;
	while (to > from && BLANK.test(text.charAt(to - 1))) to -= 1;
	return text.slice(from, to);
}

/** A text without invisible characters, and without white space around it. */
export const cleanText = (text: string): string => text.replace(EACH_INVISIBLE, '').trim();

/** Whether a cell or field is not set, or has no visible content. */
export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && BLANK.test(value));

/** A key for comparison: without case, invisible characters and repeated blanks. */
export const comparableText = (text: string): string =>
	cleanText(text).replace(/\s+/g, ' ').toLowerCase();

/** The message of a thrown value. */
export const errorMessage = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);
