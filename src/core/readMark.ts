import { castArray, get, groupBy, has, isObject, sortBy, uniq } from 'lodash';
import { z } from 'zod/v4';
import { comparableText, isBlank, toColumnName, toText } from './plainText';
import { splitList } from './schemas';
import { listSome, plural, shorten } from './words';

/** The meaning of a cell. It is unclear if only the user can explain it. */
export type Mark = 'yes' | 'no' | 'blank' | 'unclear';

/** The column that marks who may be called, and the meaning of its cells. */
export interface MarkColumn {
	readonly column: string;
	/** Whether yes means that the person agreed. Otherwise yes means that the person must not be called. */
	readonly isConsent: boolean;
	/** The user's own values, which come before the usual ones. */
	readonly yesValues: ReadonlySet<string>;
	readonly noValues: ReadonlySet<string>;
}

const YES = new Set(['true', 'yes', 'y', '1', 'x', '\u2713', 'on']);
const NO = new Set(['false', 'no', 'n', '0', 'off']);

/** The cell values to which the user gives a meaning, e.g. "ja, DNC", as `comparableText` writes them. */
const ownValues = z
	.preprocess(
		(value) => splitList(value),
		z
			.array(z.union([z.string(), z.number(), z.boolean()]), {
				error: 'must be a list of values, e.g. ja, DNC',
			})
			.refine((values) => values.length > 0 && !values.map(comparableText).includes(''), {
				error: 'is empty, or contains an empty value. Enter a value, or remove it',
			}),
	)
	.transform((values): ReadonlySet<string> => new Set(values.map(comparableText)));

/** The schemas of the values that the user explains. */
export const explainedValues = { yesValues: ownValues.optional(), noValues: ownValues.optional() };

/** The problem of explained values without a column. */
export const NO_COLUMN = 'is used only if a column says who may be called. Remove it';

/** The name of the column of marks, as it was typed or dragged. */
export const markColumnName = z
	.string({ error: 'must be the name of a column' })
	.transform(toColumnName)
	.refine((name) => !isBlank(name), { error: 'is empty. Drag a column here, or enter its name' });

/** Reads the cell of a row; blank if the row lacks the column, because sources leave empty cells out. */
export const readMarkCell = (row: unknown, { column }: Pick<MarkColumn, 'column'>): unknown =>
	get(row, column) ?? '';

/** Reads the mark of a cell. In a list, one do-not-call is enough, but consent needs yes in all. */
export function readMark(
	cell: unknown,
	{ isConsent, yesValues, noValues }: Omit<MarkColumn, 'column'>,
): Mark {
	const readEntry = (entry: unknown): Mark => {
		if (isObject(entry)) return 'unclear';
		const text = comparableText(entry);
		if (text === '') return 'blank';
		// The values of the user come before the usual ones.
		if (yesValues.has(text)) return 'yes';
		if (noValues.has(text)) return 'no';
		if (YES.has(text)) return 'yes';
		return NO.has(text) ? 'no' : 'unclear';
	};
	// The whole cell is read first, because a value in yesValues or noValues may contain a comma.
	const whole = readEntry(cell);
	if (whole !== 'unclear') return whole;
	const marks = castArray(splitList(cell)).map(readEntry);
	// The mark of the cell is the first of these marks that any entry has.
	const strongestFirst = isConsent
		? (['no', 'unclear', 'blank', 'yes'] as const)
		: (['yes', 'unclear', 'no', 'blank'] as const);
	return strongestFirst.find((mark) => marks.includes(mark)) ?? 'blank';
}

/** Whether a mark holds a person back: yes in a do-not-call column, anything but yes in a consent column. */
export const holdsBack = (mark: Mark, { isConsent }: Pick<MarkColumn, 'isConsent'>): boolean =>
	isConsent ? mark !== 'yes' : mark === 'yes';

/** Returns the question about contradictory values or unclear cells, if any. The user answers it under `where`. */
export function askAboutMarks(
	cells: readonly unknown[],
	marks: MarkColumn,
	where: 'Options' | 'Safeguards',
): string | undefined {
	const { column, isConsent, yesValues, noValues } = marks;
	const contradictory = [...yesValues].filter((value) => noValues.has(value));
	if (contradictory.length > 0)
		return `${listSome(contradictory, "'")} is both in 'Values That Mean Yes' and in 'Values That Mean No'. Remove it from one`;
	const unclear = cells.flatMap((cell, position) => {
		const entries = readMark(cell, marks) === 'unclear' ? castArray(splitList(cell)) : [];
		// A list inside a list is unclear, although `readMark` reads it alone.
		return entries
			.filter((value) => isObject(value) || readMark(value, marks) === 'unclear')
			.map((value) => ({ value, position }));
	});
	if (unclear.length === 0) return undefined;
	const question = `'${column}' has values that are neither yes nor no: ${describeValues(unclear)}`;
	// The user cannot enter an object as a value.
	if (unclear.some(({ value }) => isObject(value)))
		return `${question}. Make a column of yes and no with Edit Fields`;
	const meaning = isConsent ? 'may be called' : 'do not call';
	return `${question}. Enter each under ${where} > 'Values That Mean Yes' (${meaning}) or 'Values That Mean No'`;
}

/** Describes whom a column excludes, or admits by consent: "Not called: yes in 'Do Not Call'". */
export const describeMarks = (marks: Pick<MarkColumn, 'column' | 'isConsent'>): string =>
	`${marks.isConsent ? 'Only' : 'Not'} called: yes in '${marks.column}'`;

/** Describes a column or path that no row has, or that some rows have under a similar name; otherwise undefined. */
export function describeMissingColumn(
	rows: readonly unknown[],
	{ column }: Pick<MarkColumn, 'column'>,
): string | undefined {
	const lacking = rows.filter((row) => !has(row, column));
	const columns = uniq(lacking.flatMap((row) => Object.keys(Object(row) as object)));
	const similar = columns.find((name) => comparableText(name) === comparableText(column));
	if (lacking.length < rows.length && similar !== undefined)
		return `some rows have the column '${column}', and others '${similar}'. Give all rows the same column, for example with Edit Fields`;
	if (lacking.length < rows.length || rows.length === 0) return undefined;
	return `no row has the column '${column}'. If your sheet has it, all its cells are empty, and n8n leaves such a column out: add the option 'Include Empty Cells' to the node that reads the sheet. Columns found: ${listSome(columns, "'") || 'none'}`;
}

/** Lists values with their counts, most frequent first, or with their only row: "'Opted out' (34 rows), 'maybe' (row 7)". */
function describeValues(
	cells: ReadonlyArray<{ readonly value: unknown; readonly position: number }>,
): string {
	const groups = Object.entries(groupBy(cells, ({ value }) => shorten(toText(value), 40)));
	const texts = sortBy(groups, ([, same]) => -same.length).map(([value, same]) => {
		const [only] = same.length === 1 ? same : [];
		return `'${value}' (${only ? `row ${only.position + 1}` : plural(same.length, 'row')})`;
	});
	return listSome(texts);
}
