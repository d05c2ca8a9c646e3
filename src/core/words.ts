/** A count as people write it: "2,500". */
export const formatCount = (count: number): string => count.toLocaleString('en-US');

/** A number with its noun: "1 row", "2,500 rows". */
export const plural = (count: number, noun: string): string =>
	`${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

const SHORT_LENGTH = 300;

/** The beginning of a text. */
export const shorten = (text: string, max = SHORT_LENGTH): string =>
	text.length > max ? `${text.slice(0, max)}…` : text;

/** Max names in a message, and max characters of a name. */
const NAMES = { max: 12, length: 60 };

/** The first names of a list of any length: "a, b and 3 more". */
export function listSome(names: readonly string[], quote = ''): string {
	const shown = names.slice(0, NAMES.max);
	const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
	return `${shown.map((name) => quote + shorten(name, NAMES.length) + quote).join(', ')}${more}`;
}

/** The number of rows, and the max number of ranges in a list of them. */
interface RowListLimits {
	readonly total: number;
	readonly max: number;
}

/** Names rows by their positions, which are in order: "Row 3", "Rows 1, 2 and 5 to 9", "All 4 rows". */
export function formatRows(positions: readonly number[], { total, max }: RowListLimits): string {
	if (positions.length === total && total > 1)
		return total === 2 ? 'Both rows' : `All ${total} rows`;
	const parts = stretches(positions);
	const shown = parts.slice(0, max);
	const more = positions.length - shown.reduce((sum, { from, to }) => sum + to - from + 1, 0);
	const names = [
		...shown.map(({ from, to }) => (from === to ? `${from + 1}` : `${from + 1} to ${to + 1}`)),
		...(more > 0 ? [`${more} more`] : []),
	];
	return `${positions.length === 1 ? 'Row' : 'Rows'} ${enumerate(names)}`;
}

interface PositionRange {
	readonly from: number;
	readonly to: number;
}

/** Groups consecutive positions, three or more as one range. */
function stretches(positions: readonly number[]): PositionRange[] {
	const starts = positions.filter((position, i) => positions[i - 1] !== position - 1);
	const ends = positions.filter((position, i) => positions[i + 1] !== position + 1);
	return starts.flatMap((from, i) => {
		const to = ends[i] ?? from;
		return to === from + 1 ? [single(from), single(to)] : [{ from, to }];
	});
}

const single = (position: number): PositionRange => ({ from: position, to: position });

const enumerate = (names: readonly string[]): string =>
	names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
