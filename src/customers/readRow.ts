import { get, has, pick, reject } from 'lodash';
import { z } from 'zod/v4';
import type { RowRead } from '../bulk/plan';
import { countryParameter } from '../core/country';
import { nameField, problemLines } from '../core/describeFailure';
import type { Problem } from '../core/failures';
import { isRecord, oneJsonObject } from '../core/json';
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

/** The parameters of a row as they were entered. An invalid parameter is undefined, and has a problem. */
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

/** The name of the parameter that contains the customer of a row. */
const customerParameter = ({ inputMode }: BatchSettings): string =>
	inputMode === 'json' ? 'customerJson' : 'customer';

/** Reads the columns and the default country of a row. An invalid one is undefined, and has a problem. */
export function readEnteredRow(row: Row, settings: BatchSettings): EnteredRow {
	const parameters: unknown = row.problems ? row.readable : row.parameters;
	const name = customerParameter(settings);
	const schema: z.ZodType<Columns> = settings.inputMode === 'json' ? customerJson : customerObject;
	const columns = schema.safeParse(get(parameters, name));
	const country = countryParameter.safeParse(get(parameters, 'options.defaultCountry'));
	// If n8n reports problems, it left parameters out, so only its problems are listed.
	const problems = row.problems ?? [
		...(columns.success ? [] : problemsOf(columns.error, [name])),
		...(country.success ? [] : problemsOf(country.error, ['options', 'defaultCountry'])),
	];
	return { columns: columns.data, country: country.data, problems };
}

/** Reads the cell of the mark: with automatic mapping the chosen column, if any, else the field Do Not Disturb. */
export const readMarkOf = (columns: Columns, { isAutomatic, marks }: BatchSettings): unknown =>
	readMarkCell(columns, isAutomatic && marks ? marks : { column: MARK });

/** Whether a customer must not be called; undefined leaves the service's mark unchanged. An empty consent is no consent. */
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

/** Reads the cells of a row, with their problems. `isBare` means that only the identifier is valid. */
function readCells(row: EnteredRow, settings: BatchSettings, mapping?: Mapping) {
	const { columns = {}, country } = row;
	const mark = readDoNotDisturb(columns, settings);
	const fields = mapping ? mapFields(columns, mapping) : columns;
	const { customer, problems: invalid } = readCustomer(fields, country);
	const problems = [...invalid];
	const unknownFields = settings.inputMode === 'json' ? listUnknownFields(columns) : [];
	if (unknownFields.length > 0)
		problems.push({ path: [], reason: toUnknownFieldsReason(unknownFields) });
	// An identifier alone updates nothing, so a column was probably not recognized. A mark updates the customer.
	const isBare = Object.keys(customer).length < 2;
	if (mapping && isBare && problems.length === 0 && mark === undefined) problems.push(BARE);
	const name = customerParameter(settings);
	const placed = problems.map((problem) => ({ ...problem, path: [name, ...problem.path] }));
	return { customer, mark, isBare, cellProblems: placed };
}

/** The item of an invalid row always has this field, so one without an identifier gets an empty text. */
const UNIDENTIFIED = { identifier: '' };

/** Reads the customer of a row. An invalid row has no content, or only the part that may be sent. */
export function readCustomerRow(
	row: EnteredRow,
	settings: BatchSettings,
	mapping?: Mapping,
): RowRead<Customer> {
	const { columns } = row;
	if (!columns) return { problems: row.problems, entered: UNIDENTIFIED };
	const { customer, mark, isBare, cellProblems } = readCells(row, settings, mapping);
	const problems = [...row.problems, ...cellProblems];
	if (customer.identifier === undefined) return { problems, entered: UNIDENTIFIED };
	const content: Customer = {
		...(!settings.leaveOutSource && { source: { method: 'api' } }),
		...customer,
		identifier: `${settings.identifierPrefix}${customer.identifier}`,
		...(mark !== undefined && { [MARK]: mark }),
		// null clears the metadata, but only in JSON, because the mapper also gives null for an empty field.
		...(settings.inputMode === 'json' && columns['metadata'] === null && { metadata: null }),
	};
	if (problems.length === 0) return { content };
	return keepSendablePart(content, problems, {
		// A bare customer without its invalid cells is only a mark, so `mayReduceToMark` decides about it.
		mayLeaveOutCells: settings.leaveOutBadCells && !isBare,
		mayReduceToMark: settings.invalidRows === 'sendValid',
	});
}

/** The fields without which a customer may be sent. */
const OPTIONAL = /^(phoneNumber|email)$/;

/** Keeps the part of an invalid customer that may be sent: its valid cells, only the mark, or nothing. */
function keepSendablePart(
	validCells: Customer,
	problems: readonly Problem[],
	allowed: { readonly mayLeaveOutCells: boolean; readonly mayReduceToMark: boolean },
): RowRead<Customer> {
	const faults = problemLines(problems, nameField).join('. ');
	const areOptional = problems.every(({ path }) => OPTIONAL.test(String(path.at(-1))));
	if (allowed.mayLeaveOutCells && areOptional)
		return { content: validCells, reason: `Without invalid cells: ${faults}` };
	if (validCells[MARK] !== true || !allowed.mayReduceToMark)
		return { problems, entered: pick(validCells, 'identifier') };
	const marked = pick(validCells, ['source', 'identifier', MARK]);
	return { content: marked, reason: `Only the mark is sent: ${faults}` };
}

/** Returns the mapped fields of a row. The parts of a name are joined. */
function mapFields(row: Columns, mapping: Mapping): Columns {
	const fields: Record<string, unknown> = {};
	for (const [field, columns] of mapping.fieldsOf(row)) {
		const cells = columns.map((column) => readColumn(row, column));
		fields[field] = cells.length > 1 ? reject(cells, isBlank).join(' ') : cells[0];
	}
	return fields;
}

/** Reads a column by its name, e.g. "address.city", or else by that path; undefined if missing or only inherited. */
const readColumn = (row: Columns, column: string): unknown =>
	has(row, column) ? get(row, column) : undefined;
