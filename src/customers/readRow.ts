import isEmpty from 'lodash/isEmpty';
import uniq from 'lodash/uniq';
import type { Problem } from '../core/failures';
import { isRecord, jsonList, jsonParameter, listIn } from '../core/json';
import type { Row } from '../core/operation';
import { problemsOf } from '../core/operation';
import type { BatchSettings } from './batchSettings';
import type { Customer } from './customer';
import { customerSchema, filledFields, MARK, NO_OBJECT, readFields } from './customer';
import type { MappedRow, Mapping } from './mapping/mapping';
import { mapCustomer, remainingIn } from './mapping/mapping';
import type { Columns } from './mapping/table';
import { formatColumns, nameOf } from './mapping/table';

/** The customers of a row, or its problems, and what was left out of it. */
export interface ReadRow {
	readonly values: readonly Customer[];
	readonly problems?: readonly Problem[] | undefined;
	/** The fields of an invalid row as they were entered, for a dry run. */
	readonly entered?: Columns | undefined;
	/** Fields that were invalid and are not sent. */
	readonly leftOut?: readonly string[];
	/** Whether only the mark is sent, because other fields are invalid. */
	readonly isReduced?: boolean;
}

/** The parameters that describe one row. */
export const parametersOf = (row: Row): Columns =>
	row.problems === undefined && isRecord(row.parameters) ? row.parameters : {};

/** Reads one row: the columns that a mapping says, the fields that a user mapped, or the customers in a JSON parameter. */
export function readRow(row: Row, settings: BatchSettings, mapping?: Mapping): ReadRow {
	if (row.problems !== undefined) return { values: [], problems: row.problems };
	const { customer, customersJson } = parametersOf(row);
	if (settings.inputMode === 'json') return readJson(customersJson);
	if (!isRecord(customer)) return { values: [], problems: [NO_CUSTOMER] };
	if (!mapping) return readCells(filledFields(customer), settings);
	const mapped = mapCustomer(customer, mapping, settings.defaultCountry);
	const { fields } = mapped;
	if (mapped.inside !== undefined)
		return { values: [], problems: [inEnvelope(mapped.inside)], entered: { identifier: '' } };
	const takesRest = settings.remainingColumns === 'metadata' && fields['metadata'] === undefined;
	const rest = takesRest ? remainingIn(customer, mapping) : {};
	const filled = isEmpty(rest) ? fields : { ...fields, metadata: rest };
	return readCells(filled, settings, { mapped, mapping });
}

const NO_CUSTOMER: Problem = { path: ['customer'], message: NO_OBJECT };

const inEnvelope = (column: string): Problem => ({
	path: ['customer'],
	message: `has its fields in '${column}', unlike other rows. Bring all rows into one form`,
});

/** Where the fields of a row come from, with automatic mapping. */
interface Origin {
	readonly mapped: MappedRow;
	readonly mapping: Mapping;
}

const LEFT_OUT = ['phoneNumber', 'email'];

/** Reads the fields of a row. Someone marked is sent as such whatever else is wrong with the row. */
function readCells(
	filled: Columns,
	{ defaultCountry, leaveOutBadCells }: BatchSettings,
	origin?: Origin,
): ReadRow {
	const beside = origin?.mapped.country;
	const country = typeof beside === 'object' ? undefined : (beside ?? defaultCountry);
	const { customer, problems: found } = readFields(filled, country);
	const { identifier } = customer;
	const bad = uniq(found.map(({ path }) => String(path[0])));
	const marked = onlyMark(customer);
	if (identifier !== undefined && bad.length === 0)
		return { values: [{ ...customer, identifier }] };
	if (marked) return { values: [marked], isReduced: true };
	const canLeaveOut = leaveOutBadCells && bad.every((field) => LEFT_OUT.includes(field));
	if (identifier !== undefined && canLeaveOut)
		return { values: [{ ...customer, identifier }], leftOut: bad };
	const problems = found.map(({ path, message }) => ({
		path: ['customer', ...path],
		message: `${message}${origin ? hintFor({ path, message }, origin) : ''}`,
	}));
	return { values: [], problems, entered: { identifier: filled['identifier'] ?? '' } };
}

/** A customer who is marked, with nothing else. */
const onlyMark = ({ identifier, [MARK]: isMarked }: Partial<Customer>): Customer | undefined =>
	identifier !== undefined && isMarked ? { identifier, [MARK]: true } : undefined;

/** What the columns have to do with a problem. */
function hintFor({ path: [field], message }: Problem, { mapped, mapping }: Origin): string {
	const { country, unreadMark } = mapped;
	if (field === 'phoneNumber' && typeof country === 'object') return ` (${country.unclear})`;
	if (field === MARK && unreadMark !== undefined) return `. It is read from '${unreadMark}'`;
	if (field !== 'identifier' || !message.startsWith('is missing')) return '';
	const { identifier, root } = mapping;
	if (identifier)
		return `. It is read from '${nameOf(identifier)}'${identifier.filled > 0 ? ' in all rows' : ', which is empty in all rows'}. Set Identifier Column to use another`;
	return root.columns.size > 0
		? `. Columns found: ${formatColumns([...root.columns.values()])}`
		: '';
}

const customersJson = jsonList(customerSchema, 'customer');

/** Reads the customers of a JSON parameter; those that are marked count though other fields are invalid. */
function readJson(entered: unknown): ReadRow {
	const many = customersJson.safeParse(entered);
	if (many.success) return { values: many.data };
	// Not of text that JSON itself would lose something of, such as the first of two marks.
	const list = listIn(jsonParameter.safeParse(entered).data, 'customer');
	const values = list.flatMap((each) => {
		const read = customerSchema.safeParse(each);
		return read.success
			? read.data
			: isRecord(each)
				? (onlyMark(readFields(filledFields(each)).customer) ?? [])
				: [];
	});
	return values.length === list.length && list.length > 0
		? { values, isReduced: true }
		: { values: [], problems: problemsOf(many.error, ['customersJson']) };
}
