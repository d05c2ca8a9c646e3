import { get, has, isEmpty } from 'lodash';
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

/** A customer as it was entered. */
export interface EnteredCustomer {
	readonly columns: Columns;
	readonly country: CountryCode | undefined;
	/** The answer to the question of marks. */
	readonly markCell: unknown;
}

/** The customer of a row as it was entered, and the problems of the row. */
export interface EnteredRow {
	readonly entered?: EnteredCustomer;
	readonly problems: readonly Problem[];
}

/** A row with its customer, or with its problems. */
export interface CustomerRead extends RowRead<Customer> {
	/** Whether the customer is sent without invalid fields. */
	readonly isCut?: boolean;
}

const customerObject = z.custom<Columns>(isRecord, {
	error: 'must be an object with the fields of a customer, e.g. {"identifier": "C-1"}',
});
const customerJson = oneJsonObject('customer', '{"identifier": "C-1"}');

/** Reads what was entered for a row: its columns, the fields of the mapper, or an object in JSON. */
export function readEnteredRow(
	row: Row,
	{ inputMode, isAutomatic, marks }: BatchSettings,
): EnteredRow {
	const { problems: unread = [] } = row;
	const parameters = Object('parameters' in row ? row.parameters : row.readable) as Columns;
	const isJson = inputMode === 'json';
	const parsed = isJson
		? customerJson.safeParse(parameters['customerJson'])
		: customerObject.safeParse(parameters['customer']);
	const country = countryParameter.safeParse(get(parameters, 'options.defaultCountry'));
	const problems = [
		...unread,
		...(parsed.success ? [] : problemsOf(parsed.error, [isJson ? 'customerJson' : 'customer'])),
		...(country.success ? [] : problemsOf(country.error, ['options', 'defaultCountry'])),
	];
	// A parameter that n8n could not evaluate has a problem.
	if (!parsed.success) return { problems: unread.length > 0 ? unread : problems };
	const columns = parsed.data;
	// By hand, a mark is an optional field.
	const autoCell = isAutomatic && marks ? readMarkCell(columns, marks) : '';
	const markCell = isAutomatic ? autoCell : (columns[MARK] ?? '');
	return { entered: { columns, country: country.data, markCell }, problems };
}

const BARE: Problem = {
	path: [],
	reason: 'has nothing but an Identifier. Fill in another column, or remove the row',
};
const SOURCE = { method: 'api' };

/** Reads the customer of a row. With invalid cells it is sent without them, as its mark alone, or not. */
export function readCustomerRow(
	{ entered: { columns, country, markCell }, problems: rowProblems }: Required<EnteredRow>,
	settings: BatchSettings,
	mapping?: Mapping,
): CustomerRead {
	const { leaveOutBadCells, leaveOutSource, identifierPrefix } = settings;
	const mark = toDoNotDisturb(markCell, settings);
	const isJson = settings.inputMode === 'json';
	const fields = mapping ? mapFields(columns, mapping, settings) : columns;
	const { customer, problems: invalid } = readCustomer(fields, country);
	const { identifier, source = leaveOutSource ? undefined : SOURCE } = customer;
	// One field is the identifier alone. It updates nothing, so a column was probably not recognized.
	const hasOneField = Object.keys(customer).length < 2;
	const cellProblems = [...invalid];
	if (mapping && hasOneField && invalid.length === 0 && mark !== true) cellProblems.push(BARE);
	const unknownFields = isJson ? listUnknownFields(columns) : [];
	if (unknownFields.length > 0)
		cellProblems.push({ path: [], reason: toUnknownFieldsReason(unknownFields) });
	const problems = [...rowProblems];
	for (const problem of cellProblems)
		problems.push({ ...problem, path: [isJson ? 'customerJson' : 'customer', ...problem.path] });
	if (identifier === undefined) return { problems, entered: { identifier: '' } };
	const person: Customer = {
		...(source && { source }),
		...customer,
		identifier: `${identifierPrefix}${identifier}`,
		...(mark !== undefined && { [MARK]: mark }),
		// null in JSON clears the metadata. In the mapper it is an empty field, because the editor sets it.
		...(isJson && columns['metadata'] === null && { metadata: null }),
	};
	if (problems.length === 0) return { content: person };
	// `leaveOutBadCells` sends a customer without its invalid fields, if it has others.
	const areOptional = problems.every(({ path }) => OPTIONAL.test(String(path.at(-1))));
	if (leaveOutBadCells && areOptional && !hasOneField) return { content: person, isCut: true };
	if (mark !== true) return { problems, entered: { identifier: person.identifier } };
	return {
		content: { ...(source && { source }), identifier: person.identifier, [MARK]: true },
		reason: `Only the mark is sent: ${problemLines(problems, nameField).join('. ')}`,
	};
}

/** Whether a customer must not be called; undefined if the cell says nothing. A mark in the service stays then. */
function toDoNotDisturb(cell: unknown, { marks }: BatchSettings): boolean | undefined {
	if (!marks) return undefined;
	const mark = readMark(cell, marks);
	const saysNothing = mark === 'blank' && !marks.isConsent;
	return saysNothing ? undefined : holdsBack(mark, marks);
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
		const parts = cells.filter((cell) => !isBlank(cell));
		fields[field] = cells.length > 1 ? parts.join(' ') : cells[0];
	}
	if (!unmappedToMetadata) return fields;
	const remaining = Object.fromEntries(
		Object.entries(row).filter(([column, cell]) => !read.has(column) && !isBlank(cell)),
	);
	const metadata = unpackJson(fields['metadata']);
	// Metadata that is text becomes a member of the object that the other columns need.
	const chosen = isRecord(metadata) ? metadata : isBlank(metadata) ? {} : { metadata };
	return isEmpty(remaining) ? fields : { ...fields, metadata: { ...remaining, ...chosen } };
}

/** Reads a column by its name, e.g. "address.city", or else by that path in nested objects. */
const readColumn = (row: Columns, column: string): unknown => {
	if (Object.hasOwn(row, column)) return row[column];
	return has(row, column) ? get(row, column) : undefined;
};
