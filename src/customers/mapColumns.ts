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
	/** The columns with objects or lists, except the one that says who may be called. */
	const nested = new Set<string>();
	const mapRow = (row: Columns): Layout => {
		for (const [column, cell] of Object.entries(row))
			if (column !== markColumn && isNested(cell)) nested.add(column);
		return mapColumnsOnce(row);
	};
	const layouts = uniq(await mapYielding(rows, mapRow, host));
	const all = uniq(layouts.flatMap(({ columns }) => columns));
	const questions = findMissingChoices(rows, choices, all);
	questions.push(...layouts.flatMap((layout) => layout.questions));
	if (questions.length === 0) questions.push(...askAboutMissing(layouts, choices, { all, nested }));
	if (questions.length > 0)
		return fail(`it is unclear which columns to use. ${uniq(questions).join('. ')}`);
	return ok({
		fieldsOf: (row) => mapColumnsOnce(row).fields,
		description: describeMapping(layouts, markColumn),
	});
}

/** Whether a cell is an object other than a date, or a filled list. Automatic mapping reads no field from those. */
const isNested = (cell: unknown): boolean =>
	isObject(cell) && !isDate(cell) && !(Array.isArray(cell) && cell.length === 0);

/** The columns that some rows have, the fields read from them, and open questions to the user. */
interface Layout {
	readonly columns: readonly string[];
	readonly fields: FieldColumns;
	readonly questions: readonly string[];
}

const WAYS_OUT = "under Options > 'Columns to Use', or 'Map Each Column Manually'";

/** Maps columns to fields, by the user's choices or else by name. Two columns for one field are a question. */
function mapLayout(columns: readonly string[], choices: Choices): Layout {
	const named = groupBy(columns, comparableName);
	const fields = new Map<MappedField, readonly string[]>();
	const questions: string[] = [];
	for (const field of FIELDS) {
		const chosen = uniq(choices.flatMap((each) => (each.field === field ? each.column : [])));
		// A candidate is one column, or the parts of a name.
		const candidates =
			chosen.length > 0 ? chosen.map((each) => [each]) : findNamedColumns(field, named);
		const [first] = candidates;
		if (first === undefined) continue;
		// A part of a name may occur twice, e.g. as Last Name and last_name.
		const hasTwins = uniqBy(first, comparableName).length < first.length;
		if (candidates.length === 1 && !hasTwins) fields.set(field, first);
		else questions.push(askWhich(candidates.flat(), field));
	}
	return { columns, fields, questions };
}

/** Lists the candidates for a field: each column with its name or an alias, or First with Last Name. */
function findNamedColumns(
	field: MappedField,
	named: Readonly<Record<string, readonly string[]>>,
): string[][] {
	// In a CRM these names often mean something else, so the user must choose their columns.
	if (field === 'priority' || field === 'metadata') return [];
	const find = (...names: readonly string[]): string[] =>
		names.flatMap((name) => named[comparableName(name)] ?? []);
	const exact = find(field);
	// A column with the exact name Identifier makes its aliases, e.g. ID, ordinary columns.
	const isExactIdentifier = field === 'identifier' && exact.length > 0;
	const whole = isExactIdentifier ? exact : [...exact, ...find(...aliases[field])];
	const parts = field === 'name' ? find(...NAME_PARTS) : [];
	const candidates = whole.map((column) => [column]);
	return parts.length > 0 ? [...candidates, parts] : candidates;
}

/** Asks which of several columns a field is: "Both 'Phone' and 'Mobile' could be Phone Number". */
function askWhich(columns: readonly string[], field: MappedField): string {
	const quoted = columns.map((column) => listNames([column]));
	const names = quoted.length === 2 ? `Both ${quoted.join(' and ')}` : quoted.join(', ');
	return `${names} could be ${customerFields[field].label}. Choose one ${WAYS_OUT}`;
}

/** Returns a question for each chosen column that no row has. It may be a path, e.g. address.city. */
const findMissingChoices = (
	rows: readonly Columns[],
	choices: Choices,
	all: readonly string[],
): string[] =>
	choices
		.filter(({ column }) => !rows.some((row) => has(row, column)))
		.map(
			({ field, column }) =>
				`${listNames([column])} is a column that no row has. Columns found: ${listNames(all)}. Choose another for ${customerFields[field].label} ${WAYS_OUT}`,
		);

/** Returns at most one question. It names a missing identifier, or all missing fields if only the identifier is mapped or objects may contain them. */
function askAboutMissing(
	layouts: readonly Layout[],
	choices: Choices,
	{ all, nested }: { readonly all: readonly string[]; readonly nested: ReadonlySet<string> },
): string[] {
	// A field that is read from objects or lists counts as missing.
	const missing = AUTOMATIC.filter(
		(field) =>
			!layouts.some(({ fields }) => fields.get(field)?.every((column) => !nested.has(column))),
	);
	// An identifier alone updates nothing, so the names of the other columns were probably not recognized.
	const isBare = layouts.every(({ fields }) => fields.size < 2);
	// A missing field may be inside an object or list, unless the user has chosen columns.
	const mayBeNested = nested.size > 0 && choices.length === 0 && missing.length > 0;
	const hasIdentifier = layouts.some(({ fields }) => fields.has('identifier'));
	if (hasIdentifier && !isBare && !mayBeNested) return [];
	const fields = hasIdentifier ? missing : (['identifier'] as const);
	const labels = fields.map((field) => customerFields[field].label).join(' or ');
	const unread =
		nested.size > 0 ? `. Objects and lists are not read: ${listNames([...nested])}` : '';
	return [
		`No column was found for ${labels}. Columns found: ${listNames(all)}${unread}. Choose columns ${WAYS_OUT}`,
	];
}

const AUTOMATIC = Object.keys(aliases) as AutomaticField[];

/** Lists some columns in quotation marks, or "none". */
const listNames = (columns: readonly string[]): string => listSome(columns, "'") || 'none';

/** Describes a mapping, e.g. "No Email. Not mapped: Mail. Mapped: ID to Identifier". Missing fields with aliases are first, if a column is left over, because it may contain them. */
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
	const unmapped = uniq(
		layouts.flatMap(({ columns, fields }) =>
			difference(columns, [...fields.values()].flat(), compact([markColumn])),
		),
	);
	return joinSentences(
		unmapped.length > 0 && missing.length > 0 && `No ${missing.join(' or ')}`,
		unmapped.length > 0 && `Not mapped: ${listSome(unmapped)}`,
		`Mapped: ${mapped.join(', ')}`,
	);
}
