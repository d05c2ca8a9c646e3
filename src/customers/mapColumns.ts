import { compact, difference, groupBy, has, isDate, isObject, memoize, uniq, uniqBy } from 'lodash';
import { z } from 'zod/v4';
import { mapYielding, type Pausing } from '../core/concurrency';
import { toColumnName } from '../core/plainText';
import { fail, ok, type Result } from '../core/result';
import { rowsOf } from '../core/schemas';
import { joinSentences, listSome, shorten } from '../core/words';
import { aliases, comparableName, NAME_PARTS, type AutomaticField } from './aliases';
import { customerFields, type Columns } from './customer';

/** The fields that can be read from a column. */
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
	/** "No Email. Not mapped: tags. Mapped: Customer ID to Identifier, Phone to Phone Number". */
	readonly description: string;
}

/** Maps the columns of rows to fields, by the user's choices or by name. Fails with the open questions. */
export async function mapColumns(
	rows: readonly Columns[],
	{ choices, markColumn }: { readonly choices: Choices; readonly markColumn: string | undefined },
	host: Pausing,
): Promise<Result<Mapping, string>> {
	// Most rows have the same columns, and the same columns are mapped once.
	const mapColumnsOnce = memoize(
		(row: Columns) => mapLayout(Object.keys(row), choices),
		(row) => JSON.stringify(Object.keys(row)),
	);
	const listNested = (row: Columns): string[] =>
		Object.keys(row).filter((column) => column !== markColumn && isNested(row[column]));
	const layouts = uniq(await mapYielding(rows, mapColumnsOnce, host));
	// Automatic mapping reads nothing from nested columns, so they may contain missing fields.
	const nested = new Set((await mapYielding(rows, listNested, host)).flat());
	const all = uniq(layouts.flatMap(({ columns }) => columns));
	const questions = askAboutChosenColumns(rows, choices, all);
	questions.push(...layouts.flatMap((layout) => layout.questions));
	// A field may be missing only because one of these questions is open.
	if (questions.length === 0)
		questions.push(...askAboutMissingFields(layouts, choices, { all, nested }));
	if (questions.length > 0)
		return fail(`it is unclear which columns to use. ${uniq(questions).join('. ')}`);
	return ok({
		fieldsOf: (row) => mapColumnsOnce(row).fields,
		description: describeMapping(layouts, markColumn),
	});
}

/** Whether a cell is a filled list, or an object other than a date. Automatic mapping reads neither. */
const isNested = (cell: unknown): boolean =>
	isObject(cell) && !isDate(cell) && !(Array.isArray(cell) && cell.length === 0);

/** The columns that some rows have, the fields read from them, and open questions to the user. */
interface Layout {
	readonly columns: readonly string[];
	readonly fields: FieldColumns;
	readonly questions: readonly string[];
}

const HOW_TO_CHOOSE = "under Options > 'Columns to Use', or 'Map Each Column Manually'";

/** Maps columns to fields, by the user's choices or else by name. Two columns for one field are a question. */
function mapLayout(columns: readonly string[], choices: Choices): Layout {
	const columnsByName = groupBy(columns, comparableName);
	const fields = new Map<MappedField, readonly string[]>();
	const questions: string[] = [];
	for (const field of FIELDS) {
		const chosen = uniq(choices.flatMap((each) => (each.field === field ? each.column : [])));
		// A candidate is one column, or the parts of a name.
		const candidates =
			chosen.length > 0 ? chosen.map((each) => [each]) : findNamedColumns(field, columnsByName);
		const [first] = candidates;
		if (first === undefined) continue;
		// A part of a name may occur twice, e.g. as Last Name and last_name.
		const hasTwins = uniqBy(first, comparableName).length < first.length;
		if (candidates.length === 1 && !hasTwins) fields.set(field, first);
		else questions.push(askWhich(candidates.flat(), field));
	}
	return { columns, fields, questions };
}

/** Lists the candidates for a field: single columns with its name or an alias, or First and Last Name together. */
function findNamedColumns(
	field: MappedField,
	columnsByName: Readonly<Record<string, readonly string[]>>,
): string[][] {
	// In a CRM these names often mean something else, so the user must choose their columns.
	if (field === 'priority' || field === 'metadata') return [];
	const findColumns = (...names: readonly string[]): string[] =>
		names.flatMap((name) => columnsByName[comparableName(name)] ?? []);
	const exact = findColumns(field);
	// A column with the exact name Identifier makes its aliases, e.g. ID, ordinary columns.
	const isExactIdentifier = field === 'identifier' && exact.length > 0;
	const whole = isExactIdentifier ? exact : [...exact, ...findColumns(...aliases[field])];
	const parts = field === 'name' ? findColumns(...NAME_PARTS) : [];
	const candidates = whole.map((column) => [column]);
	return parts.length > 0 ? [...candidates, parts] : candidates;
}

/** Asks which of several columns a field is: "Both 'Phone' and 'Mobile' could be Phone Number". */
function askWhich(columns: readonly string[], field: MappedField): string {
	const quoted = columns.map((column) => listNames([column]));
	const names = quoted.length === 2 ? `Both ${quoted.join(' and ')}` : quoted.join(', ');
	return `${names} could be ${customerFields[field].label}. Choose one ${HOW_TO_CHOOSE}`;
}

/** Asks about each chosen column, or path such as address.city, that no row has. */
const askAboutChosenColumns = (
	rows: readonly Columns[],
	choices: Choices,
	all: readonly string[],
): string[] =>
	choices.flatMap(({ field, column }) => {
		if (rows.some((row) => has(row, column))) return [];
		return `${listNames([column])} is a column that no row has. Columns found: ${listNames(all)}. Choose another for ${customerFields[field].label} ${HOW_TO_CHOOSE}`;
	});

/** Asks about a missing identifier, else about fields that unrecognized or nested columns may contain. Returns at most one question. */
function askAboutMissingFields(
	layouts: readonly Layout[],
	choices: Choices,
	{ all, nested }: { readonly all: readonly string[]; readonly nested: ReadonlySet<string> },
): string[] {
	// A field that is read from objects or lists counts as missing.
	const isRead = (field: AutomaticField) =>
		layouts.some(({ fields }) => fields.get(field)?.every((column) => !nested.has(column)));
	const missing = AUTOMATIC.filter((field) => !isRead(field));
	// An identifier alone updates nothing, so the names of the other columns were probably not recognized.
	const hasOneFieldAtMost = layouts.every(({ fields }) => fields.size < 2);
	// A missing field may be inside an object or list. A user who has chosen columns has answered this question.
	const mayBeNested = nested.size > 0 && choices.length === 0 && missing.length > 0;
	const hasIdentifier = layouts.some(({ fields }) => fields.has('identifier'));
	if (hasIdentifier && !hasOneFieldAtMost && !mayBeNested) return [];
	const fields = hasIdentifier ? missing : (['identifier'] as const);
	const labels = fields.map((field) => customerFields[field].label).join(' or ');
	const unread =
		nested.size > 0 ? `. Objects and lists are not read: ${listNames([...nested])}` : '';
	return [
		`No column was found for ${labels}. Columns found: ${listNames(all)}${unread}. Choose columns ${HOW_TO_CHOOSE}`,
	];
}

const AUTOMATIC = Object.keys(aliases) as AutomaticField[];

/** Lists some columns in quotation marks, or "none". */
const listNames = (columns: readonly string[]): string => listSome(columns, "'") || 'none';

/** Describes the mapping of all rows: "No Email. Not mapped: Mail. Mapped: ID to Identifier". Names missing fields only if a column is unmapped. */
function describeMapping(layouts: readonly Layout[], markColumn: string | undefined): string {
	const mapped: string[] = [];
	const missing: string[] = [];
	for (const field of FIELDS) {
		const { label } = customerFields[field];
		const sources = uniq(layouts.flatMap(({ fields }) => fields.get(field)?.join(' + ') ?? []));
		if (sources.length > 0)
			mapped.push(`${sources.map((source) => shorten(source, 60)).join(' or ')} to ${label}`);
		// Priority and Metadata have no aliases, because users choose their columns.
		else if (field in aliases) missing.push(label);
	}
	const listUnmapped = ({ columns, fields }: Layout): string[] =>
		difference(columns, [...fields.values()].flat(), compact([markColumn]));
	const unmapped = uniq(layouts.flatMap(listUnmapped));
	// An unmapped column may contain a missing field.
	return joinSentences(
		unmapped.length > 0 && missing.length > 0 && `No ${missing.join(' or ')}`,
		unmapped.length > 0 && `Not mapped: ${listSome(unmapped)}`,
		`Mapped: ${mapped.join(', ')}`,
	);
}
