import type { Column } from '../columns';
import type { Filters } from '../filters/schema';

const patternOperators = ['like', 'iLike', 'notLike', 'notILike'] as const;

/** Whether a pattern has a backslash, which takes the meaning of `%` or `_` away; whether it does is up to the service. */
const hasEscape = (pattern: unknown): boolean => String(pattern ?? '').includes('\\');

/** The columns with such a pattern. */
export const escapedColumns = (filters: Filters): Column[] =>
	(Object.keys(filters) as Column[]).filter((name) =>
		patternOperators.some((operator) => hasEscape(filters[name]?.[operator])),
	);

/** Whether a value is, letter by letter, what a pattern looks for; the work is that of the text times that of the pattern at most. */
export function matchesPattern(value: unknown, pattern: unknown, flags: '' | 'i' = ''): boolean {
	if (typeof value !== 'string' || typeof pattern !== 'string') return false;
	const folded = (text: string): string => (flags === 'i' ? text.toLowerCase() : text);
	const marks = folded(pattern).match(/\\[^]|[^]/gu) ?? [];
	const letters = Array.from(folded(value));
	const fits = (mark: string, letter = ''): boolean =>
		mark === '_' || mark === letter || mark === `\\${letter}`;
	let [mark, at] = [0, 0];
	// Behind the last %, and where what follows it was looked for: an earlier one need never take more.
	let back: { readonly mark: number; readonly at: number } | undefined;
	while (at < letters.length) {
		const wanted = marks[mark];
		if (wanted === '%') {
			mark += 1;
			back = { mark, at };
		} else if (wanted !== undefined && fits(wanted, letters[at])) {
			mark += 1;
			at += 1;
		} else if (back) {
			back = { mark: back.mark, at: back.at + 1 };
			({ mark, at } = back);
		} else return false;
	}
	return marks.slice(mark).every((rest) => rest === '%');
}

const isPlain = (text: unknown): text is string => typeof text === 'string' && !/[^ -~]/.test(text);

/** What a pattern looks for, without what may stand for other characters. */
const partsOf = (pattern: unknown): string[] =>
	String(pattern)
		.toLowerCase()
		.split(/[\\%_]+/);

function isInOrder(text: string, parts: readonly string[]): boolean {
	let at = 0;
	return parts.every((part) => {
		const found = text.indexOf(part, at);
		at = found + part.length;
		return found >= 0;
	});
}

/** Tells whether a value certainly is what a pattern looks for: letter by letter, or but for the case of plain letters. */
export function certainlyMatches(pattern: unknown, flags: '' | 'i'): (value: unknown) => boolean {
	const parts = partsOf(pattern);
	return (value) =>
		typeof value === 'string' &&
		isInOrder(value.toLowerCase(), parts) &&
		matchesPattern(value, pattern, isPlain(value) && isPlain(pattern) ? flags : '');
}

/** Tells whether a value is not set, or certainly not what a pattern looks for: letters and digits are missing, however the rest is compared. */
export function certainlyDiffers(pattern: unknown): (value: unknown) => boolean {
	const parts = partsOf(pattern);
	const letters = parts.map((part) => part.replace(/[^a-z0-9]/g, ''));
	return (value) =>
		value === null ||
		(isPlain(value) &&
			isPlain(pattern) &&
			!isInOrder(value.toLowerCase(), parts) &&
			!isInOrder(value.toLowerCase().replace(/[^a-z0-9]/g, ''), letters));
}
