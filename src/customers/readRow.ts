import { get, has, isEmpty } from 'lodash';
import { z } from 'zod/v4';
import { countryParameter } from '../core/country';
import type { Problem } from '../core/failures';
import { isRecord, jsonList, unpackJson } from '../core/json';
import type { CountryCode } from '../core/libphonenumber';
import type { Row } from '../core/operation';
import { isBlank } from '../core/plainText';
import { problemsOf } from '../core/problems';
import type { Mark } from '../core/readMark';
import type { BatchSettings } from './batchSettings';
import { MARK, readCustomer, rejectUnknownFields, type Columns, type Customer } from './customer';
import type { Mapping } from './mapColumns';

/** A customer as it was entered, with its place in the parameters. */
export interface EnteredCustomer {
	readonly columns: Columns;
	readonly path: Problem['path'];
	readonly country: CountryCode | undefined;
	/** The answer to the question of marks. */
	readonly markCell: unknown;
}

/** One customer of a row, as much of it as is valid, and its problems. */
export interface CustomerRead {
	/** Undefined without a valid identifier. */
	readonly customer?: Customer;
	readonly problems: readonly Problem[];
	/** Whether the customer is sent without invalid fields. */
	readonly isCut?: boolean;
}

const customerObject = z.custom<Columns>(isRecord, {
	error: 'must be an object with the fields of a customer, e.g. {"identifier": "C-1"}',
});
const customersJson = jsonList(customerObject, 'customer');

/** Collects the customers of a row: its columns, the fields of the mapper, or the objects in JSON. */
export function collectCustomers(
	row: Row,
	{ inputMode, isAutomatic }: BatchSettings,
): { readonly entered: readonly EnteredCustomer[]; readonly problems: readonly Problem[] } {
	if (row.problems !== undefined) return { entered: [], problems: row.problems };
	const parameters = Object(row.parameters) as Columns;
	const path = inputMode === 'json' ? 'customersJson' : 'customer';
	const schema = inputMode === 'json' ? customersJson : customerObject;
	const parsed = schema.safeParse(parameters[path]);
	const country = countryParameter.safeParse(get(parameters, 'options.defaultCountry'));
	const list: readonly Columns[] = parsed.success ? [parsed.data].flat() : [];
	// Undefined means a failed expression, which stops the run.
	const doNotDisturbCell = parameters['doNotDisturbColumn'];
	return {
		entered: list.map((columns, index) => ({
			columns,
			path: list.length > 1 ? [path, index] : [path],
			country: country.data,
			// By hand, a mark is an optional field.
			markCell: isAutomatic ? doNotDisturbCell : (columns[MARK] ?? ''),
		})),
		problems: [
			...(parsed.success ? [] : problemsOf(parsed.error, [path])),
			...(country.success ? [] : problemsOf(country.error, ['options', 'defaultCountry'])),
		],
	};
}

const BARE: Problem = {
	path: [],
	reason: 'has nothing but an Identifier. Fill in another column, or remove the row',
};
const SOURCE = { method: 'api' };

/** Reads one customer from mapped columns, fields of the mapper, or JSON. An invalid one is returned with its problems, because its do-not-disturb mark is sent anyway. */
export function readEntered(
	{ columns, path, country }: EnteredCustomer,
	mark: Mark,
	settings: BatchSettings,
	mapping?: Mapping,
): CustomerRead {
	const { leaveOutBadCells, leaveOutSource, identifierPrefix } = settings;
	const isJson = settings.inputMode === 'json';
	const entered = mapping ? mapFields(columns, mapping, settings) : columns;
	const { customer, problems: invalid } = readCustomer(entered, country);
	const { identifier, source = leaveOutSource ? undefined : SOURCE } = customer;
	// An identifier alone updates nothing, so a column was probably not recognized.
	const hasOneField = Object.keys(customer).length < 2;
	const isBare = mapping && hasOneField && invalid.length === 0 && mark !== 'marked';
	const extra = isBare ? [BARE] : isJson ? rejectUnknownFields(columns) : [];
	const problems = [...invalid, ...extra].map((problem) => ({
		...problem,
		path: [...path, ...problem.path],
	}));
	if (identifier === undefined) return { problems };
	const person: Customer = {
		...(source && { source }),
		...customer,
		identifier: `${identifierPrefix}${identifier}`,
		...((mark === 'marked' || mark === 'notMarked') && { [MARK]: mark === 'marked' }),
		// null in JSON clears the metadata. In the mapper it is an empty field, because the editor sets it.
		...(isJson && columns['metadata'] === null && { metadata: null }),
	};
	if (problems.length === 0) return { customer: person, problems };
	// If the user chose so, only the invalid fields are left out of a customer that has others.
	const isOptional = problems.every(({ path: at }) => OPTIONAL.test(String(at.at(-1))));
	const isCut = leaveOutBadCells && isOptional && !hasOneField;
	return { customer: person, problems: isCut ? [] : problems, isCut };
}

/** The fields without which a customer may be sent. */
const OPTIONAL = /^(phoneNumber|email)$/;

/** Returns the mapped fields of a row. Adds the other filled columns to metadata if the user chose that. */
function mapFields(row: Columns, mapping: Mapping, { unmappedToMetadata }: BatchSettings): Columns {
	const fields: Record<string, unknown> = {};
	for (const [field, columns] of mapping.fields) {
		const [column = ''] = columns;
		if (columns.length > 1)
			fields[field] = columns
				.map((part) => row[part])
				.filter((part) => !isBlank(part))
				.join(' ');
		// A column whose name has a dot comes before a path.
		else if (Object.hasOwn(row, column)) fields[field] = row[column];
		else if (has(row, column)) fields[field] = get(row, column);
	}
	if (!unmappedToMetadata) return fields;
	const remaining = Object.fromEntries(
		Object.entries(row).filter(([column, cell]) => mapping.unmapped.has(column) && !isBlank(cell)),
	);
	const metadata = unpackJson(fields['metadata']);
	// Metadata that is text becomes a member of the object that the other columns need.
	const chosen = isRecord(metadata) ? metadata : isBlank(metadata) ? {} : { metadata };
	return isEmpty(remaining) ? fields : { ...fields, metadata: { ...remaining, ...chosen } };
}
