import isEmpty from 'lodash/isEmpty';
import omit from 'lodash/omit';
import uniq from 'lodash/uniq';
import type { Problem } from '../core/failures';
import { isRecord, jsonList, listIn, parsedOrSame } from '../core/json';
import type { Row } from '../core/operation';
import { problemsOf } from '../core/operation';
import { readYesNo } from '../core/yesNo';
import type { BatchSettings } from './batchSettings';
import type { Customer } from './customer';
import { customerSchema, MARK, readFields } from './customer';
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
	if (!mapping || !isRecord(customer)) return readCells(customer, settings);
	const { fields, ...found } = mapCustomer(customer, mapping);
	const rest =
		settings.remainingColumns === 'metadata' && fields['metadata'] === undefined
			? remainingIn(customer, mapping)
			: {};
	return readCells(isEmpty(rest) ? fields : { ...fields, metadata: rest }, settings, {
		...found,
		mapping,
	});
}

/** Where the fields of a row come from, with automatic mapping. */
interface Origin extends Omit<MappedRow, 'fields'> {
	readonly mapping: Mapping;
}

const LEFT_OUT = ['phoneNumber', 'email'];

/** Reads the fields of a row. Someone marked is sent as such whatever else is wrong with the row. */
function readCells(
	fields: unknown,
	{ defaultCountry, leaveOutBadCells }: BatchSettings,
	origin?: Origin,
): ReadRow {
	const beside = origin?.country;
	const country = typeof beside === 'object' ? undefined : (beside ?? defaultCountry);
	const read = readFields(fields, country);
	if (read.ok) return { values: [read.value] };
	const entered = isRecord(fields) ? fields : {};
	const marked = onlyMark(entered);
	if (marked) return { values: [marked], isReduced: true };
	const bad = uniq(read.failure.map(({ path }) => String(path[0])));
	if (leaveOutBadCells && bad.every((field) => LEFT_OUT.includes(field))) {
		const again = readFields(omit(entered, bad), country);
		if (again.ok) return { values: [again.value], leftOut: bad };
	}
	const problems = read.failure.map(({ path, message }) => ({
		path: ['customer', ...path],
		message: `${message}${origin ? hintFor({ path, message }, origin) : ''}`,
	}));
	return { values: [], problems, entered: { identifier: entered['identifier'] } };
}

/** A customer who is marked, with nothing else. */
function onlyMark(entered: Columns): Customer | undefined {
	if (readYesNo(entered[MARK]) !== true) return undefined;
	const read = readFields({ identifier: entered['identifier'], [MARK]: true });
	return read.ok ? read.value : undefined;
}

/** What the columns have to do with a problem. */
function hintFor({ path: [field], message }: Problem, origin: Origin): string {
	const { country, mapping, unreadMark } = origin;
	if (field === 'phoneNumber' && typeof country === 'object')
		return ` ('${country.unknown}' is not a known country)`;
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
	const list = listIn(parsedOrSame(entered), 'customer');
	const values = list.flatMap((each) => {
		const read = customerSchema.safeParse(each);
		return read.success ? read.data : isRecord(each) ? (onlyMark(each) ?? []) : [];
	});
	return values.length === list.length && list.length > 0
		? { values, isReduced: true }
		: { values: [], problems: problemsOf(many.error, ['customersJson']) };
}
