import { chunk, compact, uniq } from 'lodash';

/** A count as people write it: "2,500". */
export const formatCount = (count: number): string => count.toLocaleString('en-US');

/** A number with its noun: "1 row", "2,500 rows". */
export const plural = (count: number, noun: string): string =>
	`${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Joins texts to sentences: "A. B". A text that ends in "." or "..." gets no further period. */
export const joinSentences = (...texts: ReadonlyArray<string | false | undefined>): string =>
	compact(texts)
		.join('. ')
		// Removes the added period after a text that ends in exactly one or three.
		.replace(/(?<!\.)(\.|\.{3})\. /g, '$1 ');

const SHORT_LENGTH = 300;

/** Cuts a text longer than `max` to `max` characters, followed by …. */
export const shorten = (text: string, max = SHORT_LENGTH): string =>
	text.length > max ? `${text.slice(0, max)}…` : text;

/** Max names in a message, and max characters of a name. */
const LIST_LIMITS = { names: 12, nameLength: 60 };

/** Joins the first names of a list, each shortened and in the given quotes: "a, b and 3 more". */
export function listSome(names: readonly string[], quote = ''): string {
	const shown = names.slice(0, LIST_LIMITS.names);
	const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
	const quoted = shown.map((name) => quote + shorten(name, LIST_LIMITS.nameLength) + quote);
	return `${quoted.join(', ')}${more}`;
}

/** Formats sorted positions from 0 as rows from 1, at most `max` rows or ranges: "All 9 rows", "Rows 1, 2, 5 to 9 and 3 more". */
export function formatRows(
	positions: readonly number[],
	{ total, max }: { readonly total?: number; readonly max: number },
): string {
	if (positions.length === total && total > 1)
		return total === 2 ? 'Both rows' : `All ${total} rows`;
	const ranges: number[][] = [];
	for (const row of positions.map((position) => position + 1)) {
		const previous = ranges.at(-1);
		if (previous?.at(-1) === row - 1) previous.push(row);
		else ranges.push([row]);
	}
	// A range of two rows is shown as two single rows.
	const parts = ranges.flatMap((rows) => (rows.length < 3 ? chunk(rows, 1) : [rows]));
	const shown = parts.slice(0, max);
	const more = positions.length - shown.flat().length;
	const names = shown.map((rows) => uniq([rows[0], rows.at(-1)]).join(' to '));
	if (more > 0) names.push(`${more} more`);
	const list = names.join(', ').replace(/, ([^,]*)$/, ' and $1');
	return `${positions.length === 1 ? 'Row' : 'Rows'} ${list}`;
}
