import range from 'lodash/range';
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
	const letters = Array.from(folded(value));
	const parts: string[][] = [[]];
	for (const mark of folded(pattern).match(/\\[^]|[^]/gu) ?? [])
		if (mark === '%') parts.push([]);
		else parts.at(-1)?.push(mark);
	const fits = (mark: string, letter?: string): boolean =>
		letter !== undefined && (mark === '_' || mark === letter || mark === `\\${letter}`);
	// Each part is looked for behind the one before: an earlier place leaves most for those that follow.
	let at = 0;
	return parts.every((part, i) => {
		const last = letters.length - part.length;
		const from = i === parts.length - 1 ? Math.max(at, last) : at;
		const places = range(from, (i === 0 ? 0 : last) + 1, 1);
		const place = places.find((one) => part.every((mark, j) => fits(mark, letters[one + j])));
		at = (place ?? 0) + part.length;
		return place !== undefined;
	});
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
		// Of a longer text no one is certain: n8n would do nothing else meanwhile.
		value.length * String(pattern).length <= 200_000 &&
		isInOrder(value.toLowerCase(), parts) &&
		matchesPattern(value, pattern, isPlain(value) && isPlain(pattern) ? flags : '');
}

/** Tells whether a value is not set, or certainly not what a pattern looks for: letters and digits are missing, however the rest is compared. */
export function certainlyDiffers(pattern: unknown): (value: unknown) => boolean {
	const letters = partsOf(pattern).map((part) => part.replace(/[^a-z0-9]/g, ''));
	return (value) =>
		value === null ||
		(isPlain(value) &&
			isPlain(pattern) &&
			!isInOrder(value.toLowerCase().replace(/[^a-z0-9]/g, ''), letters));
}
