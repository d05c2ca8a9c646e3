import get from 'lodash/get';
import has from 'lodash/has';
import isDate from 'lodash/isDate';
import isEqual from 'lodash/isEqual';
import { z } from 'zod/v4';
import type { RowsRead } from '../bulk/plan';
import type { Problem } from '../core/failures';
import type { Result } from '../core/result';
import { fail, ok } from '../core/result';
import { choice, rowsOf } from '../core/schemas';
import { isBlank } from '../core/plainText';
import { listSome } from '../core/words';
import type { AutomaticField } from './aliases';
import { aliases, comparableName, NAME_PARTS } from './aliases';
import type { Columns } from './customer';
import { customerFields } from './customer';

const CHOICES = ['email', 'identifier', 'metadata', 'name', 'phoneNumber', 'priority'] as const;
type MappedField = (typeof CHOICES)[number];

/** The option Columns to Use: the user's answers to the questions of automatic mapping. */
export const columnsToUse = z
	.strictObject({
		columns: rowsOf(
			z.strictObject({
				field: choice(CHOICES),
				column: z.string({ error: 'must be the name of a column' }).default(''),
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

const WAYS_OUT = "under 'Columns to Use', or 'Map Each Column Manually'";

/** Finds one column per field by its exact name; every open question stops the run. */
export function mapColumns(
	rows: readonly Columns[],
	choices: Choices,
	markColumn: string,
): Result<Mapping, Pick<RowsRead<never>, 'problems' | 'stop'>> {
	const survey = surveyColumns(rows);
	const wrong = rejectChoices(rows, choices, survey);
	if (wrong.length > 0) return fail({ problems: wrong });
	const fields = new Map<MappedField, readonly string[]>(
		choices.map(({ field, column }) => [field, [column]]),
	);
	const questions: string[] = [];
	for (const field of automaticFields) {
		if (fields.has(field)) continue;
		const candidates = findCandidates(field, survey.filled);
		const [columns] = candidates;
		const question = askAbout(field, candidates, survey);
		if (question !== undefined) questions.push(question);
		else if (columns) fields.set(field, columns);
	}
	if (questions.length === 0) questions.push(...askAboutMissing(fields, survey, choices));
	if (questions.length > 0)
		return fail({ stop: `it is unclear which columns to use. ${questions.join('. ')}` });
	const read = new Set([...[...fields.values()].flat(), markColumn]);
	const unmapped = new Set([...survey.filled].filter((column) => !read.has(column)));
	return ok({ fields, unmapped, all: survey.all });
}

const automaticFields = Object.keys(aliases) as AutomaticField[];

type Survey = ReturnType<typeof surveyColumns>;

/** All columns of the rows, those that are filled, and those that contain objects or lists. */
function surveyColumns(rows: readonly Columns[]) {
	const [filled, nested, all] = [new Set<string>(), new Set<string>(), new Set<string>()];
	for (const row of rows)
		for (const [column, cell] of Object.entries(row)) {
			all.add(column);
			if (isBlank(cell) || isEqual(cell, [])) continue;
			filled.add(column);
			if (typeof cell === 'object' && !isDate(cell)) nested.add(column);
		}
	return { filled, nested, all };
}

/** The filled columns that may be a field: by its exact name, or else by an alias. */
function findCandidates(field: AutomaticField, filled: ReadonlySet<string>): string[][] {
	const named = (names: readonly string[]): string[] => {
		const comparable = new Set(names.map(comparableName));
		return [...filled].filter((column) => comparable.has(comparableName(column)));
	};
	const exact = named([field]);
	if (exact.length > 0) return exact.map((column) => [column]);
	const parts = field === 'name' ? NAME_PARTS.map((part) => named([part])) : [];
	const isWhole = parts.length > 0 && parts.every(({ length }) => length > 0);
	return [...named(aliases[field]).map((column) => [column]), ...(isWhole ? [parts.flat()] : [])];
}

/** The open question about the candidates of a field, if any. */
function askAbout(
	field: AutomaticField,
	candidates: readonly string[][],
	{ nested, all }: Survey,
): string | undefined {
	const { label } = customerFields[field];
	const columns = candidates.flat();
	if (candidates.length > 1 || columns.length > NAME_PARTS.length)
		return `${columns.length === 2 ? 'Both ' : ''}${listNames(columns)} could be ${label}. Choose one ${WAYS_OUT}`;
	if (columns.some((column) => nested.has(column)))
		return `${listNames(columns)} contains objects or lists. Choose another column for ${label} ${WAYS_OUT}`;
	return field === 'identifier' && columns.length === 0
		? `No column was found for Identifier. Columns found: ${listNames([...all])}. Choose one ${WAYS_OUT}`
		: undefined;
}

/** Asks if nothing but the identifier was found, or if nested columns may contain what is missing. */
function askAboutMissing(
	fields: Mapping['fields'],
	{ nested, all }: Survey,
	choices: Choices,
): string[] {
	const missing = automaticFields.filter((field) => !fields.has(field));
	// A user who chose a column has seen the other columns.
	const mayBeNested = nested.size > 0 && choices.length === 0;
	if (missing.length === 0 || (!mayBeNested && fields.size > 1)) return [];
	const labels = missing.map((field) => customerFields[field].label).join(' or ');
	const columns = mayBeNested
		? `Objects and lists, which are not read: ${listNames([...nested])}`
		: `Columns found: ${listNames([...all])}`;
	return [`No column was found for ${labels}. ${columns}. Choose columns ${WAYS_OUT}`];
}

function rejectChoices(rows: readonly Columns[], choices: Choices, { all }: Survey): Problem[] {
	const chosen = new Set<string>();
	return choices.flatMap(({ field, column }, index) => {
		const isTwice = chosen.has(field);
		chosen.add(field);
		if (!isTwice && !isBlank(column) && rows.some((row) => has(row, column))) return [];
		const reason = isTwice
			? `chooses ${customerFields[field].label} a second time. Remove one`
			: `is ${listNames([column])}, a column that no row has. Columns found: ${listNames([...all])}`;
		const path = ['options', 'columnsToUse', 'columns', index, isTwice ? 'field' : 'column'];
		return [{ path, reason }];
	});
}

const listNames = (columns: readonly string[]): string =>
	columns.length === 2
		? columns.map((column) => listSome([column], "'")).join(' and ')
		: listSome(columns, "'") || 'none';

/** Reads the mapped fields of a row; blank cells are left out. */
export function mapRow(row: Columns, { fields }: Mapping): Columns {
	const read: Record<string, unknown> = {};
	for (const [field, columns] of fields) {
		const cells = columns.map((column): unknown => (has(row, column) ? get(row, column) : ''));
		const filled = cells.filter((cell) => !isBlank(cell));
		if (filled.length > 0) read[field] = filled.length === 1 ? filled[0] : filled.join(' ');
	}
	return read;
}

/** "Mapped: Customer ID to Identifier, Phone to Phone Number. Not mapped: tags." */
export function describeMapping({ fields, unmapped }: Mapping, markColumn: string): string {
	const mapped = [...fields].map(
		([field, columns]) =>
			`${columns.map((column) => listSome([column])).join(' + ')} to ${customerFields[field].label}`,
	);
	return [
		`Mapped: ${[...mapped, ...(markColumn === '' ? [] : [`${markColumn} to Do Not Disturb`])].join(', ')}`,
		...(unmapped.size > 0 ? [`Not mapped: ${listSome([...unmapped])}`] : []),
	].join('. ');
}
