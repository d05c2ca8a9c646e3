import countBy from 'lodash/countBy';
import { z } from 'zod/v4';
import { splitList } from './schemas';
import { formatCount, plural, shorten, textOf, visible } from './text';

/** What a cell of a do-not-call column says about its person. */
export type Mark = 'marked' | 'notMarked' | 'unclear';

const MARKED = new Set(['true', 'yes', 'y', '1', 'x', '\u2713', 'on']);
const NOT_MARKED = new Set(['', 'false', 'no', 'n', '0', 'off']);

/** Values that mean marked, as the option Marked Values lists them: "DNC, Opted out". */
export const markedValues = z
	.preprocess(
		(value) => splitList(value),
		z.array(z.union([z.string(), z.number(), z.boolean()]), {
			error: 'must be a list of values, e.g. DNC, Opted out',
		}),
	)
	.transform((values): ReadonlySet<string> => new Set(values.map(comparable)));

const comparable = (entry: unknown): string => visible(textOf(entry ?? '')).toLowerCase();

/**
 * Reads a cell; a list is marked if any entry is. With `markedValues` every other value means not marked.
 * Undefined is unclear: an expression gave no answer.
 */
export function readMark(cell: unknown, markedValues: ReadonlySet<string>): Mark {
	if (cell === undefined) return 'unclear';
	const entries = (Array.isArray(cell) ? cell : [cell]).map(comparable);
	if (entries.some((entry) => MARKED.has(entry) || markedValues.has(entry))) return 'marked';
	const isClear = markedValues.size > 0 || entries.every((entry) => NOT_MARKED.has(entry));
	return isClear ? 'notMarked' : 'unclear';
}

/** The marks of all rows, why they stop the run, and what a dry run lists. */
export interface MarksRead {
	readonly marks: readonly Mark[];
	/** Why nothing is sent: values that are neither yes nor no. */
	readonly stop?: string;
	/** The values that mean not marked only because they are not in Marked Values. */
	readonly note?: string;
}

/** Reads the answers of all rows to the question of marks, which the panel calls `question`. */
export function readMarks(
	cells: readonly unknown[],
	question: string,
	markedValues: ReadonlySet<string>,
): MarksRead {
	const marks = cells.map((cell) => readMark(cell, markedValues));
	const unanswered = cells.filter((cell) => cell === undefined).length;
	if (unanswered > 0) {
		const stop = `Not sent, because the expression of '${question}' gives nothing in ${plural(unanswered, 'row')}. Use one that gives true or false, e.g. {{ Boolean($json.optedOut) }}`;
		return { marks, stop };
	}
	const unclear = cells.filter((_, row) => marks[row] === 'unclear');
	if (unclear.length > 0) {
		const stop = `Not sent, because '${question}' has values that are neither yes nor no: ${countValues(unclear)}. Enter those that mean do not call in 'Marked Values'`;
		return { marks, stop };
	}
	const others = cells.filter(
		(cell, row) => marks[row] === 'notMarked' && readMark(cell, new Set()) === 'unclear',
	);
	if (others.length === 0) return { marks };
	return { marks, note: `'${question}': not marked are ${countValues(others)}` };
}

const MAX_VALUES = 8;

/** Values with their counts, most frequent first: "'Opted out' (34 rows), 'maybe' (2 rows)". */
function countValues(cells: readonly unknown[]): string {
	const counts = Object.entries(countBy(cells, describeCell)).sort(([, a], [, b]) => b - a);
	const shown = counts
		.slice(0, MAX_VALUES)
		.map(([value, count]) => `${value} (${plural(count, 'row')})`);
	const more = counts.length - shown.length;
	return [...shown, ...(more > 0 ? [`${formatCount(more)} more`] : [])].join(', ');
}

const describeCell = (cell: unknown): string =>
	`'${shorten(Array.isArray(cell) ? cell.map(textOf).join(', ') : textOf(cell), 40)}'`;
