/** A value as text, whatever it is: an object may have no text of its own, so String() would throw. */
export const textOf = (value: unknown): string =>
	typeof value === 'object' && value !== null ? '(an object)' : String(value);

/** A count as people write it: "2,500". */
export const formatCount = (count: number): string => count.toLocaleString('en-US');

/** A number with its noun: "1 row", "2,500 rows". */
export const plural = (count: number, noun: string): string =>
	`${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Characters that no one sees, and that are copied along, as Unicode lists them: zero-width spaces, fillers, marks of direction. */
const EACH_INVISIBLE = /\p{DI}/gu;
const BLANK = /^[\s\p{DI}]*$/u;

/** A text without white space and invisible characters around it; a pattern for the end would try each place in a long gap. */
export function trimInvisible(text: string): string {
	let [from, to] = [0, text.length];
	while (from < to && BLANK.test(text.charAt(from))) from += 1;
	while (to > from && BLANK.test(text.charAt(to - 1))) to -= 1;
	return text.slice(from, to);
}

/** A text as people see it: without invisible characters, and without white space around it. */
export const visible = (text: string): string => text.replace(EACH_INVISIBLE, '').trim();

/** Whether a cell or field is not set, or holds nothing that can be seen. */
export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && BLANK.test(value));

/** The number in a text, as expressions give it; anything else stays as it is. */
export const toNumber = (value: unknown): unknown =>
	typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;

/** The whole number in a text; "1.000" is a thousand for some and one for others, so it stays a text. */
export const toWholeNumber = (value: unknown): unknown =>
	typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value;

/** The message of whatever was thrown. */
export const messageOf = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);

const MAX_LENGTH = 300;

/** The beginning of a text. */
export const shorten = (text: string, max = MAX_LENGTH): string =>
	text.length > max ? `${text.slice(0, max)}…` : text;

/** How many names stand in a message, and how long one is. */
const NAMES = { max: 12, length: 60 };

/** The first names of a list that someone entered, which may have any length: "a, b and 3 more". */
export function someOf(names: readonly string[], quote = ''): string {
	const shown = names.slice(0, NAMES.max);
	const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
	return `${shown.map((name) => quote + shorten(name, NAMES.length) + quote).join(', ')}${more}`;
}

/** How many rows there are, and how many numbers or stretches of numbers a list of them may hold. */
interface Size {
	readonly total: number;
	readonly max: number;
}

/** Names all rows where there are several: "Both rows", "All 4 rows". */
export const allRows = (total: number): string => (total === 2 ? 'Both rows' : `All ${total} rows`);

/** Names rows by their positions, which are in order: "Row 3", "Rows 1, 2 and 5 to 9", "All 4 rows". */
export function formatRows(positions: readonly number[], { total, max }: Size): string {
	if (positions.length === total && total > 1) return allRows(total);
	const parts = stretches(positions);
	const shown = parts.slice(0, max);
	const more = positions.length - shown.reduce((sum, { from, to }) => sum + to - from + 1, 0);
	const names = [
		...shown.map(({ from, to }) => (from === to ? `${from + 1}` : `${from + 1} to ${to + 1}`)),
		...(more > 0 ? [`${more} more`] : []),
	];
	return `${positions.length === 1 ? 'Row' : 'Rows'} ${enumerate(names)}`;
}

interface Stretch {
	readonly from: number;
	readonly to: number;
}

/** Positions that follow each other, three or more of them as one stretch. */
function stretches(positions: readonly number[]): Stretch[] {
	const starts = positions.filter((position, i) => positions[i - 1] !== position - 1);
	const ends = positions.filter((position, i) => positions[i + 1] !== position + 1);
	return starts.flatMap((from, i) => {
		const to = ends[i] ?? from;
		return to === from + 1 ? [single(from), single(to)] : [{ from, to }];
	});
}

const single = (position: number): Stretch => ({ from: position, to: position });

const enumerate = (names: readonly string[]): string =>
	names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** A key as it is compared: without case, invisible characters and repeated blanks. */
export const sameText = (text: string): string => visible(text).replace(/\s+/g, ' ').toLowerCase();

/** The body of a reply as it was meant: a JSON value, nothing at all, or text that is no JSON. */
type Body =
	| { readonly kind: 'json'; readonly value: unknown }
	| { readonly kind: 'empty' }
	| { readonly kind: 'text'; readonly text: string };

/** Levels of a value: n8n fails to save an execution that holds some thousands, and what walks through it must not run out of stack. */
export const MAX_DEPTH = 200;
const TOO_DEEP = '(nested too deeply to read)';

/** Reads the text of a reply as JSON, where it is some. */
export function readBody(text: string): Body {
	if (text.trim() === '') return { kind: 'empty' };
	try {
		const value: unknown = JSON.parse(text);
		return { kind: 'json', value: isTooDeep(value) ? TOO_DEEP : value };
	} catch {
		return { kind: 'text', text };
	}
}

/** Whether a value has more levels than that; JSON may have, and n8n cannot save what has. */
export function isTooDeep(value: unknown, left = MAX_DEPTH): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (left < 0) return true;
	for (const child of Object.values(value) as unknown[])
		if (typeof child === 'object' && isTooDeep(child, left - 1)) return true;
	return false;
}

/** A UUID as the interface defines it: version 1-8 and variant 8, 9, a or b, or all zeros, or all f. */
export const UUID =
	/^([0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}-0{4}-0{4}-0{4}-0{12}|f{8}-f{4}-f{4}-f{4}-f{12})$/i;

/** What a UUID looks like. */
export const EXAMPLE_ID = '0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40';
