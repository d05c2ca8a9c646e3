import { countBy, isObject, sortBy } from 'lodash';
import { z } from 'zod/v4';
import { splitList } from './schemas';
import { listSome, plural, shorten } from './words';
import { isBlank, comparableText, toText } from './plainText';

/** The meaning of a cell in a do-not-call column. */
export type Mark = 'marked' | 'notMarked' | 'blank' | 'unclear';

const MARKED = new Set(['true', 'yes', 'y', '1', 'x', '\u2713', 'on']);
const NOT_MARKED = new Set(['false', 'no', 'n', '0', 'off']);

/** Values that mean marked, as the option Marked Values lists them: "DNC, Opted out". */
export const markedValues = z
	.preprocess(
		(value) => splitList(value),
		z
			.array(z.union([z.string(), z.number(), z.boolean()]), {
				error: 'must be a list of values, e.g. DNC, Opted out',
			})
			.refine((values) => values.length > 0 && !values.some(isBlank), {
				error: 'is empty, or contains an empty value. Enter the values that mean do not call',
			}),
	)
	.transform((values): ReadonlySet<string> => new Set(values.map(comparableText)));

/**
 * Reads a do-not-call cell. A list, or a text with commas, is marked if any entry is. `markedValues` add to the usual marks, and make unclear texts unmarked.
 * Undefined is unclear: an expression gave no answer.
 */
export function readMark(cell: unknown, markedValues: ReadonlySet<string>): Mark {
	// The whole text is also an entry, because a marked value from a list may contain a comma.
	const entries = [cell, splitList(cell)].flat();
	if (cell === undefined || entries.some(isObject)) return 'unclear';
	const texts = entries.map(comparableText).filter((text) => text !== '');
	if (texts.length === 0) return 'blank';
	if (texts.some((text) => MARKED.has(text) || markedValues.has(text))) return 'marked';
	const isClear = markedValues.size > 0 || texts.every((text) => NOT_MARKED.has(text));
	return isClear ? 'notMarked' : 'unclear';
}

/** The marks of all rows, a reason to stop the run, and a note for the hint. */
export interface MarksRead {
	readonly marks: readonly Mark[];
	/** The reason why nothing is sent: values that are neither yes nor no. */
	readonly stop?: string;
	/** The values that mean not marked only because they are not in Marked Values. */
	readonly note?: string;
}

/** Reads the do-not-call cells of all rows. Unclear cells stop the run. `question` is the label of the parameter. */
export function readMarks(
	cells: readonly unknown[],
	question: string,
	markedValues: ReadonlySet<string>,
): MarksRead {
	const marks = cells.map((cell) => readMark(cell, markedValues));
	const unanswered = cells.filter((cell) => cell === undefined).length;
	if (unanswered > 0) {
		const stop = `the expression of '${question}' gives nothing in ${plural(unanswered, 'row')}. Use one that gives true or false, e.g. {{ Boolean($json.optedOut) }}`;
		return { marks, stop };
	}
	const unclear = cells.filter((_, row) => marks[row] === 'unclear');
	if (unclear.length > 0) {
		const advice = unclear.flat().some(isObject)
			? 'Use an expression that gives true or false'
			: "Enter those that mean do not call in 'Marked Values', or choose another column";
		const stop = `'${question}' has values that are neither yes nor no: ${countValues(unclear)}. ${advice}`;
		return { marks, stop };
	}
	// Without Marked Values, these texts would be unclear.
	const unlisted = cells.filter(
		(cell, row) => marks[row] === 'notMarked' && readMark(cell, new Set()) === 'unclear',
	);
	if (unlisted.length === 0) return { marks };
	return {
		marks,
		note: `'${question}': these values count as not marked: ${countValues(unlisted)}`,
	};
}

/** Values with their counts, most frequent first: "'Opted out' (34 rows), 'maybe' (2 rows)". */
function countValues(cells: readonly unknown[]): string {
	const counts = Object.entries(
		countBy(cells, (cell) => shorten([cell].flat().map(toText).join(', '), 40)),
	);
	return listSome(
		sortBy(counts, ([, count]) => -count).map(
			([value, count]) => `'${value}' (${plural(count, 'row')})`,
		),
	);
}
