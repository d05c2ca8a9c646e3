import type { Problem } from '../core/failures';
import { isRecord, jsonList, parsedOrSame } from '../core/json';
import { problemsOf } from '../core/operation';
import { readYesNo } from '../core/yesNo';
import type { BatchSettings } from './batchSettings';
import type { Customer } from './customer';
import { customerSchema, readFields } from './customer';
import type { MappedRow, Mapping } from './mapping/mapping';
import { formatColumns, nameOf } from './mapping/table';

/** The customers of a row, or its problems. */
export interface CustomerRow {
	readonly values: readonly Customer[];
	readonly problems?: readonly Problem[] | undefined;
	/** The fields of an invalid row as they were entered, for a dry run. */
	readonly entered?: Readonly<Record<string, unknown>> | undefined;
}

/** What a row wants to send, and what was left out of it. */
export interface ReadRow extends CustomerRow {
	/** Fields that were invalid and are not sent. */
	readonly leftOut?: readonly string[];
	/** Whether only the mark is sent, because other fields are invalid. */
	readonly isReduced?: boolean;
}

/** Where the fields of a row come from, with automatic mapping. */
interface Origin {
	readonly country: MappedRow['country'];
	readonly mapping: Mapping;
}

const MARK = 'isDoNotDisturbEnabled';

/** Reads the fields of one row. Someone marked is sent as such whatever else is wrong with the row. */
export function readRow(
	fields: unknown,
	{ defaultCountry, leaveOutBadCells }: Pick<BatchSettings, 'defaultCountry' | 'leaveOutBadCells'>,
	origin?: Origin,
): ReadRow {
	const beside = origin?.country;
	const country = typeof beside === 'object' ? undefined : (beside ?? defaultCountry);
	const read = readFields(fields, country);
	if (read.ok) return { values: [read.value] };
	const entered = isRecord(fields) ? fields : {};
	const marked = onlyMark(entered);
	if (marked) return { values: [marked], isReduced: true };
	const bad = [...new Set(read.failure.map(({ path }) => String(path[0])))];
	if (leaveOutBadCells && bad.every((field) => LEFT_OUT.includes(field))) {
		const rest = Object.entries(entered).filter(([field]) => !bad.includes(field));
		const again = readFields(Object.fromEntries(rest), country);
		if (again.ok) return { values: [again.value], leftOut: bad };
	}
	const problems = read.failure.map((each) => explained(each, origin));
	return { values: [], problems, entered: { identifier: entered['identifier'] } };
}

const LEFT_OUT = ['phoneNumber', 'email'];

/** A customer who is marked, with nothing else. */
function onlyMark(entered: Readonly<Record<string, unknown>>): Customer | undefined {
	if (readYesNo(entered[MARK]) !== true) return undefined;
	const read = readFields({ identifier: entered['identifier'], [MARK]: true });
	return read.ok ? read.value : undefined;
}

function explained({ path, message }: Problem, origin: Origin | undefined): Problem {
	const whole = ['customer', ...path];
	if (!origin) return { path: whole, message };
	const { country, mapping } = origin;
	if (path[0] === 'phoneNumber' && typeof country === 'object')
		return { path: whole, message: `${message} ('${country.unknown}' is not a known country)` };
	if (path[0] !== 'identifier' || !message.startsWith('is missing'))
		return { path: whole, message };
	const { identifier, root } = mapping;
	const columns = [...root.columns.values()];
	const found = columns.length > 0 ? `. Columns found: ${formatColumns(columns)}` : '';
	const readFrom = identifier
		? `. It is read from '${nameOf(identifier)}'${identifier.filled > 0 ? ' in all rows' : ', which is empty in all rows'}. Set Identifier Column to use another`
		: found;
	return { path: whole, message: `${message}${readFrom}` };
}

const customersJson = jsonList(customerSchema, 'customer');

/** Reads the customers of a JSON parameter; those that are marked count though other fields are invalid. */
export function readJson(entered: unknown): ReadRow {
	const many = customersJson.safeParse(entered);
	if (many.success) return { values: many.data };
	const list: unknown = parsedOrSame(entered);
	const all = Array.isArray(list) ? (list as readonly unknown[]) : [list];
	const values = all.map((each) => {
		const read = customerSchema.safeParse(each);
		return read.success ? read.data : isRecord(each) ? onlyMark(each) : undefined;
	});
	const whole = values.filter((value) => value !== undefined);
	if (whole.length === values.length && whole.length > 0) return { values: whole, isReduced: true };
	return { values: [], problems: problemsOf(many.error, ['customersJson']) };
}
