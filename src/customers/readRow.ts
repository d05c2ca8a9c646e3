import isEmpty from 'lodash/isEmpty';
import isNull from 'lodash/isNull';
import omitBy from 'lodash/omitBy';
import pick from 'lodash/pick';
import type { Problem } from '../core/failures';
import { isRecord, unpacked } from '../core/json';
import type { CountryCode } from '../core/libphonenumber';
import type { Mark } from '../core/readMark';
import { isBlank } from '../core/plainText';
import type { BatchSettings } from './batchSettings';
import type { Columns, Customer } from './customer';
import { customerFields, MARK, readCustomer, rejectUnknownFields } from './customer';
import type { Mapping } from './mapColumns';
import { mapRow } from './mapColumns';

/** A customer as it was entered, with its place in the parameters and the answer to the question of marks. */
export interface EnteredCustomer {
	readonly columns: Columns;
	readonly path: Problem['path'];
	readonly mark: Mark;
	readonly country: CountryCode | undefined;
}

/** One customer of a row, as much of it as can be sent, or its problems. */
export interface CustomerRead {
	readonly value?: Customer;
	readonly problems: readonly Problem[];
	/** The customer of the row, even if nothing is sent. */
	readonly person?: Customer;
	/** Invalid fields without which the customer is sent. */
	readonly leftOut?: readonly string[];
	/** Why only the mark is sent: "Phone Number has no country code". */
	readonly reducedBy?: string;
}

/** The fields that a customer can be sent without if they are invalid. */
const LEAVABLE = ['phoneNumber', 'email'];

const BARE: Problem = {
	path: [],
	reason: 'has nothing but an Identifier. Fill in another column, or remove the row',
};

/** Reads one customer. A mark is sent even if other cells of the row are invalid. */
export function readEntered(
	{ columns, path, mark, country }: EnteredCustomer,
	settings: BatchSettings,
	mapping?: Mapping,
): CustomerRead {
	const isJson = settings.inputMode === 'json';
	// The editor sets empty fields to null.
	const filled = () => (isJson ? columns : omitBy(columns, isNull));
	const fields = mapping ? mapFields(columns, mapping, settings) : filled();
	const { customer, problems: invalid } = readCustomer(fields, mark, country);
	const isBare = mapping && mark !== 'marked' && Object.keys(fields).join() === 'identifier';
	const extra = isBare ? [BARE] : isJson ? rejectUnknownFields(columns) : [];
	const problems = [...invalid, ...extra].map((problem) => ({
		...problem,
		path: [...path, ...problem.path],
	}));
	const { identifier } = customer;
	if (identifier === undefined) return { problems };
	const person = { ...customer, identifier };
	if (problems.length === 0) return { problems, person, value: person };
	if (person[MARK])
		return {
			problems: [],
			person,
			value: toMark(person),
			reducedBy: describeFirst([...invalid, ...extra]),
		};
	const leftOut = invalid.map((problem) => String(problem.path[0]));
	const isLeavable = extra.length === 0 && leftOut.every((field) => LEAVABLE.includes(field));
	const isMore = Object.keys(person).length > 1;
	return settings.leaveOutBadCells && isLeavable && isMore
		? { problems: [], person, value: person, leftOut }
		: { problems, person };
}

/** "Phone Number has no country code". */
function describeFirst([{ path: [field], reason } = BARE]: readonly Problem[]): string {
	const labels: Readonly<Record<string, { readonly label: string }>> = customerFields;
	return `${labels[String(field)]?.label ?? 'The row'} ${reason}`;
}

/** Only the mark of a customer. */
export const toMark = (customer: Customer): Customer => pick(customer, ['identifier', MARK]);

/** The mapped fields of a row. The other columns become metadata if the user chose that. */
function mapFields(row: Columns, mapping: Mapping, settings: BatchSettings): Columns {
	const fields = mapRow(row, mapping);
	if (!settings.unmappedToMetadata) return fields;
	const isRemaining = ([column, cell]: [string, unknown]): boolean =>
		mapping.unmapped.has(column) && !isBlank(cell);
	const remaining = Object.fromEntries(Object.entries(row).filter(isRemaining));
	const metadata = unpacked(fields['metadata']);
	const chosen = isRecord(metadata) ? metadata : metadata === undefined ? {} : { metadata };
	return isEmpty(remaining) ? fields : { ...fields, metadata: { ...remaining, ...chosen } };
}
