import compact from 'lodash/compact';
import difference from 'lodash/difference';
import isEmpty from 'lodash/isEmpty';
import omit from 'lodash/omit';
import type { Problem } from '../core/failures';
import { isRecord, jsonList, jsonParameter, listIn, unpacked } from '../core/json';
import type { Row } from '../core/operation';
import { problemsOf } from '../core/operation';
import type { BatchSettings } from './batchSettings';
import type { Customer } from './customer';
import {
	customerFields,
	customerSchema,
	filledFields,
	MARK,
	NO_OBJECT,
	readFields,
} from './customer';
import type { MappedRow, Mapping } from './mapping/mapping';
import { mapCustomer, remainingIn } from './mapping/mapping';
import type { Columns } from './mapping/table';

/** The customers of a row, or its problems, and what was left out of it. */
export interface ReadRow {
	readonly values: readonly Customer[];
	/** Those it has with all that is said of them, also where less is sent, or nothing. */
	readonly people?: readonly Customer[];
	readonly problems?: readonly Problem[] | undefined;
	/** Of several in an invalid row those who are marked, whose marks are sent. */
	readonly marked?: readonly Customer[];
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

/** The customers of a row as they were entered: the fields of the mapper, or the objects of a JSON parameter. */
export const enteredIn = ({ customer, customersJson }: Columns): Columns[] =>
	(customersJson === undefined
		? [customer]
		: listIn(jsonParameter.safeParse(customersJson).data, 'customer')
	).filter(isRecord);

/** Reads one row: the columns that a mapping says, the fields that a user mapped, or the customers in a JSON parameter. */
export function readRow(row: Row, settings: BatchSettings, mapping?: Mapping): ReadRow {
	if (row.problems !== undefined) return { values: [], problems: row.problems };
	const { customer, customersJson, misread } = parametersOf(row);
	if (settings.inputMode === 'json') return readJson(customersJson, settings);
	const refused = (message: string): ReadRow => ({
		values: [],
		problems: [{ path: ['customer'], message }],
		entered: { identifier: '' },
	});
	if (!isRecord(customer)) return refused(NO_OBJECT);
	const { defaultCountry: country, remainingColumns } = settings;
	if (!mapping) {
		const wrong = (misread ?? []) as readonly Problem[];
		const fields = omit(
			filledFields(customer),
			wrong.map(({ path }) => String(path[0])),
		);
		return readCells({ fields, country }, settings, wrong);
	}
	const mapped = mapCustomer(customer, mapping, country);
	const { fields, inside } = mapped;
	if (inside !== undefined)
		return refused(
			`has its fields in '${inside}', unlike other rows. Bring all rows into one form`,
		);
	const rest = remainingColumns === 'metadata' ? remainingIn(customer, mapping) : {};
	const own = unpacked(fields['metadata']);
	const given = isRecord(own) ? own : own === undefined ? {} : { metadata: own };
	// The service takes no list.
	const isKept = isEmpty(rest) && !Array.isArray(fields['metadata']);
	const metadata = isKept ? fields['metadata'] : { ...rest, ...given };
	return readCells({ ...mapped, fields: { ...fields, metadata } }, settings);
}

/** The fields that a customer can be sent without where they are invalid. */
export const LEFT_OUT = ['phoneNumber', 'email'];

/** Reads the fields of a row. Someone marked is sent as such whatever else is wrong with the row. */
function readCells(
	{ fields, country, hints = {} }: MappedRow,
	{ leaveOutBadCells }: BatchSettings,
	misread: readonly Problem[] = [],
): ReadRow {
	const { customer, problems } = readFields(fields, country);
	const found = [...problems, ...misread];
	const people = peopleIn(customer);
	const bad = badIn(found, Object.keys(customerFields));
	const marked = onlyMark(customer);
	const canLeaveOut = leaveOutBadCells && !marked && difference(bad, LEFT_OUT).length === 0;
	if (people.length > 0 && (bad.length === 0 || canLeaveOut))
		return { values: people, leftOut: bad };
	if (marked) return { values: [marked], people, isReduced: true };
	const hinted = found.map(({ path, message }) => ({
		path: ['customer', ...path],
		message: `${message}${hints[String(path[0])] ?? ''}`,
	}));
	return {
		values: [],
		people,
		problems: hinted,
		entered: { identifier: fields['identifier'] ?? '' },
	};
}

const badIn = (problems: readonly Problem[], fields: readonly string[]): string[] =>
	fields.filter((field) => problems.some(({ path }) => path[0] === field));

const peopleIn = (customer: Partial<Customer>): Customer[] => {
	const { identifier } = customer;
	return identifier === undefined ? [] : [{ ...customer, identifier }];
};

const onlyMark = ({ identifier, [MARK]: isMarked }: Partial<Customer>): Customer | undefined =>
	identifier !== undefined && isMarked ? { identifier, [MARK]: true } : undefined;

const customersJson = jsonList(customerSchema, 'customer');

/** Reads the customers of a JSON parameter; those that are marked count though other fields are invalid. */
function readJson(entered: unknown, { leaveOutBadCells }: BatchSettings): ReadRow {
	const many = customersJson.safeParse(entered);
	if (many.success) return { values: many.data };
	// Not of text that JSON itself would lose something of, such as the first of two marks.
	const list = listIn(jsonParameter.safeParse(entered).data, 'customer');
	const read = list.map((each) => {
		const { customer, problems } = readFields(isRecord(each) ? filledFields(each) : {});
		const marked = onlyMark(customer);
		const bad = leaveOutBadCells && !marked ? badIn(problems, LEFT_OUT) : [];
		const whole = customerSchema.safeParse(isRecord(each) ? omit(each, bad) : each).data;
		return { said: peopleIn(customer), bad, whole, marked, value: whole ?? marked };
	});
	const values = compact(read.map(({ value }) => value));
	const people = read.flatMap(({ said }) => said);
	const leftOut = read.flatMap(({ bad }) => bad);
	if (values.length === list.length && list.length > 0)
		return { values, people, leftOut, isReduced: read.some(({ whole }) => !whole) };
	const marked = compact(read.map((each) => each.marked));
	const problems = problemsOf(many.error, ['customersJson']);
	return { values: [], marked, people, problems, isReduced: marked.length > 0 };
}
