import type { Column } from '../columns';
import { columnNames } from '../columns';
import type { Operands } from '../filters/combine';
import type { Filters } from '../filters/schema';
import type { Ticket } from '../ticket';

const takes = { like: '', iLike: 'i' } as const;
const leavesOut = { notLike: 'like', notILike: 'iLike' } as const;

/** Whether a pattern has a backslash, which takes the meaning of `%` or `_` away; whether it does is up to the service. */
export const hasEscape = (pattern: unknown): boolean => String(pattern ?? '').includes('\\');

/** The columns with such a pattern. */
export const escapedColumns = (filters: Filters): Column[] =>
	columnNames.filter((name) =>
		[...Object.keys(takes), ...Object.keys(leavesOut)].some((operator) =>
			hasEscape(Reflect.get(filters[name] ?? {}, operator)),
		),
	);

/** Filters of tickets by which it shows whether the service knows escapes: any character may stand for an escaped one. */
export const withoutEscapes = (filters: Filters): Filters => ({
	...filters,
	...Object.fromEntries(
		escapedColumns(filters).map((name) => [name, loosened(filters[name] ?? {})]),
	),
});

function loosened(operands: Operands): Operands {
	const added: Operands = {};
	for (const [operator, pattern] of Object.entries(operands)) {
		if (!hasEscape(pattern)) continue;
		const loose = String(pattern).replace(/\\[^]/gu, '_');
		if (operator === 'like' || operator === 'iLike') added[operator] = loose;
		if (operator === 'notLike' || operator === 'notILike') added[leavesOut[operator]] ??= loose;
	}
	return { ...operands, ...added };
}

/** Whether a ticket has, letter by letter, what the patterns with an escape look for. */
export const matchesEscapes = (filters: Filters, row: Ticket): boolean =>
	escapedColumns(filters).every((name) =>
		Object.entries(takes).every(([operator, flags]) => {
			const pattern: unknown = Reflect.get(filters[name] ?? {}, operator);
			if (typeof pattern !== 'string') return true;
			return typeof row[name] === 'string' && matchesPattern(row[name], pattern, flags);
		}),
	);

/** One character of a pattern: a wildcard, or itself. */
interface Mark {
	readonly any?: 'one' | 'many';
	readonly character: string;
}

/** Whether a text fits a pattern in which a backslash is an escape; the work is that of the text times that of the pattern at most. */
export function matchesPattern(text: string, pattern: string, flags: '' | 'i'): boolean {
	const marks = marksOf(folded(pattern, flags));
	const characters = Array.from(folded(text, flags));
	let mark = 0;
	let at = 0;
	// The last %, and where what follows it was looked for: an earlier one need never take more.
	let back: { mark: number; at: number } | undefined;
	while (at < characters.length) {
		const { any, character } = marks[mark] ?? {};
		if (any === 'many') {
			back = { mark, at };
			mark += 1;
		} else if (any === 'one' || (character !== undefined && character === characters[at])) {
			mark += 1;
			at += 1;
		} else if (back) {
			back = { mark: back.mark, at: back.at + 1 };
			mark = back.mark + 1;
			at = back.at;
		} else return false;
	}
	return marks.slice(mark).every(({ any }) => any === 'many');
}

const folded = (text: string, flags: '' | 'i'): string =>
	flags === 'i' ? text.toLowerCase() : text;

function marksOf(pattern: string): Mark[] {
	const marks: Mark[] = [];
	let isEscaped = false;
	for (const character of pattern) {
		if (!isEscaped && character === '\\') {
			isEscaped = true;
			continue;
		}
		const any = character === '%' ? 'many' : character === '_' ? 'one' : undefined;
		marks.push({ character, ...(!isEscaped && any && { any }) });
		isEscaped = false;
	}
	// A backslash at the end escapes nothing.
	return isEscaped ? [...marks, { character: '\\' }] : marks;
}
