import { get, has, pick, reject } from 'lodash';
import { z } from 'zod/v4';
import type { RowRead } from '../bulk/plan';
import { countryParameter } from '../core/country';
import { nameField, problemLines } from '../core/describeFailure';
import type { Problem } from '../core/failures';
import { isRecord, oneJsonObject, unpackJson } from '../core/json';
import type { CountryCode } from '../core/libphonenumber';
import type { Row } from '../core/operation';
import { isBlank } from '../core/plainText';
import { problemsOf } from '../core/problems';
import { holdsBack, readMark, readMarkCell } from '../core/readMark';
import type { BatchSettings } from './batchSettings';
import {
	MARK,
	readCustomer,
	listUnknownFields,
	toUnknownFieldsReason,
	type Columns,
	type Customer,
} from './customer';
import type { Mapping } from './mapColumns';

/** The parameters of a row as they were entered, and their problems. */
export interface EnteredRow {
	/** The columns of the row, the fields of the mapper, or the members of an object in JSON. */
	readonly columns?: Columns | undefined;
	readonly country?: CountryCode | undefined;
	readonly problems: readonly Problem[];
}

const customerObject = z.custom<Columns>(isRecord, {
	error: 'must be an object with the fields of a customer, e.g. {"identifier": "C-1"}',
});
const customerJson = oneJsonObject('customer', '{"identifier": "C-1"}');

/** The parameter that contains the customer of a row. */
const customerParameter = ({ inputMode }: BatchSettings): string =>
	inputMode === 'json' ? 'customerJson' : 'customer';

/** Reads the parameters of a row. Without columns, it has a problem. */
export function readEnteredRow(row: Row, settings: BatchSettings): EnteredRow {
	const parameters: unknown = row.problems ? row.readable : row.parameters;
	const name = customerParameter(settings);
	const schema: z.ZodType<Columns> = settings.inputMode === 'json' ? customerJson : customerObject;
	const columns = schema.safeParse(get(parameters, name));
	const country = countryParameter.safeParse(get(parameters, 'options.defaultCountry'));
	// A parameter that n8n could not evaluate has a problem of its own.
	const problems = row.problems ?? [
		...(columns.success ? [] : problemsOf(columns.error, [name])),
		...(country.success ? [] : problemsOf(country.error, ['options', 'defaultCountry'])),
	];
	return { columns: columns.data, country: country.data, problems };
}

/** Reads the cell that says whether a customer must not be called. By hand, it is an optional field. */
export function readMarkOf(columns: Columns, { isAutomatic, marks }: BatchSettings): unknown {
	return readMarkCell(columns, isAutomatic && marks ? marks : { column: MARK });
}

/** Whether a customer must not be called; undefined if the row does not say it. A mark in the service stays then. */
function readDoNotDisturb(columns: Columns, settings: BatchSettings): boolean | undefined {
	const { marks } = settings;
	if (!marks) return undefined;
	const mark = readMark(readMarkOf(columns, settings), marks);
	return mark === 'blank' && !marks.isConsent ? undefined : holdsBack(mark, marks);
}

const BARE: Problem = {
	path: [],
	reason: 'has nothing but an Identifier. Fill in another column, or remove the row',
};

/** Reads the customer of a row. With invalid cells it is sent without them, as its mark alone, or not. */
export function readCustomerRow(
	{ columns, country, problems: rowProblems }: EnteredRow,
	settings: BatchSettings,
	mapping?: Mapping,
): RowRead<Customer> {
	if (!columns) return { problems: rowProblems, entered: { identifier: '' } };
	const isJson = settings.inputMode === 'json';
	const mark = readDoNotDisturb(columns, settings);
	const fields = mapping ? mapFields(columns, mapping, settings) : columns;
	const { customer, problems: invalid } = readCustomer(fields, country);
	const cellProblems = [...invalid];
	const unknownFields = isJson ? listUnknownFields(columns) : [];
	if (unknownFields.length > 0)
		cellProblems.push({ path: [], reason: toUnknownFieldsReason(unknownFields) });
	// An identifier alone updates nothing, so a column was probably not recognized.
	const isBare = Object.keys(customer).length < 2;
	if (mapping && isBare && cellProblems.length === 0 && mark !== true) cellProblems.push(BARE);
	const name = customerParameter(settings);
	const problems = [
		...rowProblems,
		...cellProblems.map((problem) => ({ ...problem, path: [name, ...problem.path] })),
	];
	if (customer.identifier === undefined) return { problems, entered: { identifier: '' } };
	const content: Customer = {
		...(!settings.leaveOutSource && { source: { method: 'api' } }),
		...customer,
		identifier: `${settings.identifierPrefix}${customer.identifier}`,
		...(mark !== undefined && { [MARK]: mark }),
		// null in JSON clears the metadata. In the mapper it is an empty field, because the editor sets it.
		...(isJson && columns['metadata'] === null && { metadata: null }),
	};
	if (problems.length === 0) return { content };
	const faults = problemLines(problems, nameField).join('. ');
	const areOptional = problems.every(({ path }) => OPTIONAL.test(String(path.at(-1))));
	if (settings.leaveOutBadCells && areOptional && !isBare)
		return { content, reason: `Without invalid cells: ${faults}` };
	if (mark !== true) return { problems, entered: pick(content, 'identifier') };
	const marked = pick(content, ['source', 'identifier', MARK]);
	return { content: marked, reason: `Only the mark is sent: ${faults}` };
}

/** The fields without which a customer may be sent. */
const OPTIONAL = /^(phoneNumber|email)$/;

/** Returns the mapped fields of a row. Adds its other filled columns to metadata if the user chose that. */
function mapFields(
	row: Columns,
	mapping: Mapping,
	{ unmappedToMetadata, marks }: BatchSettings,
): Columns {
	const fields: Record<string, unknown> = {};
	const read = new Set([marks?.column]);
	for (const [field, columns] of mapping.fieldsOf(row)) {
		for (const column of columns) read.add(column);
		const cells = columns.map((column) => readColumn(row, column));
		fields[field] = cells.length > 1 ? reject(cells, isBlank).join(' ') : cells[0];
	}
	const unmapped = Object.entries(row).filter(
		([column, cell]) => !read.has(column) && !isBlank(cell),
	);
	if (!unmappedToMetadata || unmapped.length === 0) return fields;
	const entered = unpackJson(fields['metadata']);
	// Metadata that is text becomes a member of the object that the other columns need.
	const chosen = isRecord(entered) ? entered : isBlank(entered) ? {} : { metadata: entered };
	return { ...fields, metadata: { ...Object.fromEntries(unmapped), ...chosen } };
}

/** Reads a column by its name, e.g. "address.city", or else by that path in nested objects. */
const readColumn = (row: Columns, column: string): unknown =>
	has(row, column) ? get(row, column) : undefined;
