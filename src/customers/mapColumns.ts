import { groupBy, has, isDate, uniq } from 'lodash';
import { z } from 'zod/v4';
import { isBlank, toColumnName } from '../core/plainText';
import { fail, ok, type Result } from '../core/result';
import { rowsOf } from '../core/schemas';
import { listSome } from '../core/words';
import { aliases, comparableName, NAME_PARTS, type AutomaticField } from './aliases';
import { customerFields, type Columns } from './customer';

const FIELDS = ['identifier', 'name', 'phoneNumber', 'email', 'priority', 'metadata'] as const;
type MappedField = (typeof FIELDS)[number];

/** The option Columns to Use: the user's answers to the questions of automatic mapping. */
export const columnsToUse = z
	.strictObject({
		columns: rowsOf(
			z.strictObject({
				field: z.enum(FIELDS, { error: 'is empty. Choose a field' }),
				column: z
					.string({ error: 'must be the name of a column' })
					.default('')
					.transform(toColumnName),
			}),
		),
	})
	.prefault({ columns: [] });
type Choices = z.infer<typeof columnsToUse>['columns'];

/** The columns of each field, for the whole run: one, or the two parts of a name. */
export interface Mapping {
	readonly fields: ReadonlyMap<MappedField, readonly string[]>;
	/** The filled columns that are not read. */
	readonly unmapped: ReadonlySet<string>;
	readonly all: ReadonlySet<string>;
}

/** Finds one column per field, chosen or by its exact name; every open question stops the run. `markColumn` has the do-not-disturb marks. */
export function mapColumns(
	rows: readonly Columns[],
	choices: Choices,
	markColumn: string,
): Result<Mapping, string> {
	const survey = surveyColumns(rows);
	survey.nested.delete(markColumn); // Its lists are read as marks.
	const named = groupBy([...survey.filled], comparableName);
	const fields = new Map<MappedField, readonly string[]>();
	const questions: string[] = [];
	for (const field of FIELDS) {
		const { label } = customerFields[field];
		const chosen = uniq(choices.flatMap((each) => (each.field === field ? each.column : [])));
		// A candidate is one column, or the two parts of a name.
		const candidates =
			chosen.length > 0 ? chosen.map((each) => [each]) : findNamedColumns(field, named);
		const columns = candidates.flat();
		// A chosen column may be a path, e.g. address.city.
		const isUnusable = columns.some((column) =>
			chosen.length > 0 ? !rows.some((row) => has(row, column)) : survey.nested.has(column),
		);
		// A joined name has more than two columns if rows have a part twice, e.g. Last Name and last_name.
		if (candidates.length > 1 || columns.length > NAME_PARTS.length) {
			const quoted = columns.map((column) => listNames([column]));
			const names = columns.length === 2 ? `Both ${quoted.join(' and ')}` : listNames(columns);
			questions.push(`${names} could be ${label}. Choose one ${WAYS_OUT}`);
		} else if (isUnusable) {
			const problem =
				chosen.length > 0 ? 'is a column that no row has' : 'contains objects or lists';
			const question = `${listNames(columns)} ${problem}. Columns found: ${listNames(survey.all)}`;
			questions.push(`${question}. Choose another for ${label} ${WAYS_OUT}`);
		} else if (columns.length > 0) fields.set(field, columns);
	}
	const isIdentified = fields.has('identifier');
	const missing = AUTOMATIC.filter((field) =>
		isIdentified ? !fields.has(field) : field === 'identifier',
	);
	// An identifier alone updates nothing, so the names of the other columns were probably not recognized.
	const isBare = fields.size === 1;
	// A user who chose a column has seen the columns with objects or lists.
	const hasUnread = survey.nested.size > 0 && choices.length === 0 && missing.length > 0;
	const isIncomplete = !isIdentified || isBare || hasUnread;
	if (questions.length === 0 && isIncomplete) questions.push(askAboutMissing(missing, survey));
	if (questions.length > 0)
		return fail(`it is unclear which columns to use. ${questions.join('. ')}`);
	const read = new Set([...[...fields.values()].flat(), markColumn]);
	const unmapped = new Set([...survey.filled].filter((column) => !read.has(column)));
	return ok({ fields, unmapped, all: survey.all });
}

const AUTOMATIC = Object.keys(aliases) as AutomaticField[];

type Survey = ReturnType<typeof surveyColumns>;

/** All columns of the rows, those that are filled, and those that contain objects or lists. */
function surveyColumns(rows: readonly Columns[]) {
	const [filled, nested, all] = [new Set<string>(), new Set<string>(), new Set<string>()];
	for (const row of rows)
		for (const [column, cell] of Object.entries(row)) {
			all.add(column);
			if (isBlank(cell) || (Array.isArray(cell) && cell.length === 0)) continue;
			filled.add(column);
			if (typeof cell === 'object' && !isDate(cell)) nested.add(column);
		}
	return { filled, nested, all };
}

/** Returns the candidates for a field: columns with its exact name, else those with an alias, or joined name parts. */
function findNamedColumns(
	field: MappedField,
	named: Readonly<Record<string, readonly string[]>>,
): string[][] {
	// In a CRM these names often mean something else, so the user must choose their columns.
	if (field === 'priority' || field === 'metadata') return [];
	const [exact = [], ...byAlias] = [field, ...aliases[field]].map(
		(name) => named[comparableName(name)] ?? [],
	);
	if (exact.length > 0) return exact.map((column) => [column]);
	const parts = field === 'name' ? NAME_PARTS.map((part) => named[comparableName(part)] ?? []) : [];
	const hasAllParts = parts.length > 0 && parts.every(({ length }) => length > 0);
	return [...byAlias.flat().map((column) => [column]), ...(hasAllParts ? [parts.flat()] : [])];
}

const WAYS_OUT = "under Options > 'Columns to Use', or 'Map Each Column Manually'";

/** Asks which columns the fields without a column should be read from. */
function askAboutMissing(missing: readonly AutomaticField[], { nested, filled }: Survey): string {
	const labels = missing.map((field) => customerFields[field].label).join(' or ');
	const unread = nested.size > 0 ? `. Objects and lists are not read: ${listNames(nested)}` : '';
	return `No filled column was found for ${labels}. Columns found: ${listNames(filled)}${unread}. Choose columns ${WAYS_OUT}`;
}

const listNames = (columns: Iterable<string>): string => listSome([...columns], "'") || 'none';

/** "Mapped: Customer ID to Identifier, Phone to Phone Number. Not mapped: tags." */
export function describeMapping({ fields, unmapped }: Mapping, markColumn: string): string {
	const mapped = [...fields].map(
		([field, columns]) =>
			// `listSome` shortens a long name.
			`${columns.map((column) => listSome([column])).join(' + ')} to ${customerFields[field].label}`,
	);
	if (markColumn !== '') mapped.push(`${markColumn} to Do Not Disturb`);
	const more = unmapped.size > 0 ? `. Not mapped: ${listSome([...unmapped])}` : '';
	return `Mapped: ${mapped.join(', ')}${more}`;
}
