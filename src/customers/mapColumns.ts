import { groupBy, has, isDate, uniq } from 'lodash';
import { z } from 'zod/v4';
import { mapYielding, type Pausing } from '../core/concurrency';
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

/** The columns of each field: one, or the parts of a name. */
type FieldColumns = ReadonlyMap<MappedField, readonly string[]>;

/** How the rows of a run are read. Each row is mapped by its own columns only. */
export interface Mapping {
	readonly fieldsOf: (row: Columns) => FieldColumns;
	/** "Mapped: Customer ID to Identifier, Phone to Phone Number. Not mapped: tags". */
	readonly description: string;
}

/** Maps the columns of rows to fields, by the user's choices or by name. Fails with the open questions. */
export async function mapColumns(
	rows: readonly Columns[],
	{ choices, markColumn }: { readonly choices: Choices; readonly markColumn: string | undefined },
	host: Pausing,
): Promise<Result<Mapping, string>> {
	const survey = await surveyColumns(rows, markColumn, host);
	const layouts = new Map<string, FieldColumns>();
	const questions = new Set(findMissingChoices(rows, choices, survey));
	const addLayout = (row: Columns): void => {
		const layout = toLayout(row);
		if (layouts.has(layout)) return;
		const mapped = mapLayout(Object.keys(row), choices);
		layouts.set(layout, mapped.fields);
		for (const question of mapped.questions) questions.add(question);
	};
	await mapYielding(rows, addLayout, host);
	const fields = [...layouts.values()];
	for (const question of askAboutNested(fields, choices, survey)) questions.add(question);
	const isMapped = (field: MappedField) => fields.some((each) => each.has(field));
	const missing = AUTOMATIC.filter((field) => !isMapped(field));
	// An identifier alone updates nothing, so the names of the other columns were probably not recognized.
	const isBare = fields.every(({ size }) => size < 2);
	// A missing field may be inside an object or list, which is asked unless the user chose columns.
	const mayBeNested = survey.nested.size > 0 && choices.length === 0 && missing.length > 0;
	const isIncomplete = !isMapped('identifier') || isBare || mayBeNested;
	if (questions.size === 0 && isIncomplete) questions.add(askAboutMissing(missing, survey));
	if (questions.size > 0)
		return fail(`it is unclear which columns to use. ${[...questions].join('. ')}`);
	return ok({
		fieldsOf: (row) => layouts.get(toLayout(row)) ?? new Map(),
		description: describeMapping(fields, missing, survey),
	});
}

const AUTOMATIC = Object.keys(aliases) as AutomaticField[];

/** The names of a row's columns as one text. */
const toLayout = (row: Columns): string => JSON.stringify(Object.keys(row));

/** Maps the columns of one layout. Two columns for one field are a question. */
function mapLayout(columns: readonly string[], choices: Choices) {
	const named = groupBy(columns, comparableName);
	const fields = new Map<MappedField, readonly string[]>();
	const questions: string[] = [];
	for (const field of FIELDS) {
		const chosen = uniq(choices.flatMap((each) => (each.field === field ? each.column : [])));
		// A candidate is one column, or the parts of a name.
		const candidates =
			chosen.length > 0 ? chosen.map((each) => [each]) : findNamedColumns(field, named);
		const candidateColumns = candidates.flat();
		const [only] = candidates;
		// A name has more than two parts if a row has one twice, e.g. Last Name and last_name.
		if (only && candidates.length === 1 && isUnique(only)) fields.set(field, only);
		else if (only) {
			const quoted = candidateColumns.map((column) => listNames([column]));
			const names = quoted.length === 2 ? `Both ${quoted.join(' and ')}` : quoted.join(', ');
			questions.push(`${names} could be ${customerFields[field].label}. Choose one ${WAYS_OUT}`);
		}
	}
	return { fields, questions };
}

/** Whether no two columns have the same name for comparison. */
const isUnique = (columns: readonly string[]): boolean =>
	uniq(columns.map(comparableName)).length === columns.length;

/** Returns the candidates for a field: columns with its name or an alias, and the parts of a name. */
function findNamedColumns(
	field: MappedField,
	named: Readonly<Record<string, readonly string[]>>,
): string[][] {
	// In a CRM these names often mean something else, so the user must choose their columns.
	if (field === 'priority' || field === 'metadata') return [];
	const exact = named[comparableName(field)] ?? [];
	if (field === 'identifier' && exact.length > 0) return exact.map((column) => [column]);
	const byAlias = aliases[field].flatMap((alias) => named[comparableName(alias)] ?? []);
	const parts =
		field === 'name' ? NAME_PARTS.flatMap((part) => named[comparableName(part)] ?? []) : [];
	return [
		...[...exact, ...byAlias].map((column) => [column]),
		...(parts.length > 0 ? [parts] : []),
	];
}

type Survey = Awaited<ReturnType<typeof surveyColumns>>;

/** All columns of the rows, those that are filled, those that contain objects or lists, and the column of marks. */
async function surveyColumns(
	rows: readonly Columns[],
	markColumn: string | undefined,
	host: Pausing,
) {
	const all = new Set<string>();
	const filled = new Set<string>();
	const nested = new Set<string>();
	const addCells = (row: Columns): void => {
		for (const [column, cell] of Object.entries(row)) {
			all.add(column);
			// Of a filled column only objects and lists are still unknown.
			if (filled.has(column) && typeof cell !== 'object') continue;
			if (isBlank(cell) || (Array.isArray(cell) && cell.length === 0)) continue;
			filled.add(column);
			if (typeof cell === 'object' && !isDate(cell)) nested.add(column);
		}
	};
	await mapYielding(rows, addCells, host);
	if (markColumn !== undefined) nested.delete(markColumn); // Its lists are read as marks.
	return { all, filled, nested, markColumn };
}

const WAYS_OUT = "under Options > 'Columns to Use', or 'Map Each Column Manually'";

/** Asks about chosen columns that no row has. A chosen column may be a path, e.g. address.city. */
const findMissingChoices = (
	rows: readonly Columns[],
	choices: Choices,
	{ all }: Survey,
): string[] =>
	choices
		.filter(({ column }) => !rows.some((row) => has(row, column)))
		.map(({ field, column }) =>
			askForOther(`${listNames([column])} is a column that no row has`, field, all),
		);

/** Asks about columns that were found by their names and contain objects or lists. */
const askAboutNested = (
	layouts: readonly FieldColumns[],
	choices: Choices,
	{ all, nested }: Survey,
): string[] =>
	layouts
		.flatMap((fields) => [...fields])
		.filter(([field]) => !choices.some((choice) => choice.field === field))
		.filter(([, columns]) => columns.some((column) => nested.has(column)))
		.map(([field, columns]) =>
			askForOther(`${listNames(columns)} contains objects or lists`, field, all),
		);

const askForOther = (problem: string, field: MappedField, all: ReadonlySet<string>): string =>
	`${problem}. Columns found: ${listNames(all)}. Choose another for ${customerFields[field].label} ${WAYS_OUT}`;

/** Asks which columns the fields without a column should be read from. */
function askAboutMissing(missing: readonly AutomaticField[], { all, nested }: Survey): string {
	const fields = missing.includes('identifier') ? (['identifier'] as const) : missing;
	const labels = fields.map((field) => customerFields[field].label).join(' or ');
	const unread = nested.size > 0 ? `. Objects and lists are not read: ${listNames(nested)}` : '';
	return `No column was found for ${labels}. Columns found: ${listNames(all)}${unread}. Choose columns ${WAYS_OUT}`;
}

const listNames = (columns: Iterable<string>): string => listSome([...columns], "'") || 'none';

/** "No Email. Not mapped: Mail. Mapped: ID to Identifier", beginning with fields that lack a column. */
function describeMapping(
	layouts: readonly FieldColumns[],
	missing: readonly AutomaticField[],
	{ filled, markColumn }: Survey,
): string {
	const mapped = FIELDS.flatMap((field) => {
		// `listSome` shortens a long name.
		const sources = layouts.flatMap((fields) => {
			const columns = fields.get(field);
			return columns ? columns.map((column) => listSome([column])).join(' + ') : [];
		});
		const label = customerFields[field].label;
		return sources.length > 0 ? `${uniq(sources).join(' or ')} to ${label}` : [];
	});
	if (markColumn !== undefined) mapped.push(`${markColumn} to Do Not Disturb`);
	const read = new Set<string | undefined>(
		layouts.flatMap((fields) => [...fields.values()].flat()),
	);
	read.add(markColumn);
	const unmapped = [...filled].filter((column) => !read.has(column));
	const mappedText = `Mapped: ${mapped.join(', ')}`;
	if (unmapped.length === 0) return mappedText;
	const unmappedText = `Not mapped: ${listSome(unmapped)}`;
	if (missing.length === 0) return `${mappedText}. ${unmappedText}`;
	const labels = missing.map((field) => customerFields[field].label).join(' or ');
	return `No ${labels}. ${unmappedText}. ${mappedText}`;
}
