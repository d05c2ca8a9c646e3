import type { RowsRead } from '../bulk/plan';
import { isRecord } from '../core/json';
import type { Row } from '../core/operation';
import type { BatchSettings } from './batchSettings';
import type { Customer } from './customer';
import { customerFields } from './customer';
import { holdTogether } from './holdTogether';
import type { Columns } from './mapping/table';
import { describeMapping, markColumns, sourcesOf, unusedMarks } from './mapping/describeMapping';
import type { Mapping } from './mapping/mapping';
import { createMapping, mapCustomer, remainingIn, usedColumns } from './mapping/mapping';
import { nameOf, surveyColumns } from './mapping/table';
import type { ReadRow } from './readRow';
import { readJson, readRow } from './readRow';
import { isNothing } from './nothing';

/** Reads and checks all rows of a run: the fields of their columns, or those of a JSON parameter. */
export function readCustomers(all: Iterable<Row>, settings: BatchSettings): RowsRead<Customer> {
	const rows = [...all];
	const isAutomatic =
		settings.inputMode === 'fields' && settings.customerMapping === 'autoMapInputData';
	const mapping = isAutomatic
		? createMapping(customersOf(rows), settings.identifierColumn)
		: undefined;
	const read = mapping ? readMapped(rows, mapping, settings) : readEntered(rows, settings);
	const { plans, notes } = holdTogether(read, {
		...settings,
		identifierFrom: mapping?.identifier && nameOf(mapping.identifier),
	});
	const unread = mapping ? undefined : unreadParameter(rows, settings);
	const described = mapping && settings.dryRun ? (describeMapping(mapping) ?? []) : [];
	const problem = mapping?.problem ?? wrongOption(settings, isAutomatic);
	return {
		rows: plans.map(({ values, ...row }) => ({
			...row,
			entries: values.map((content) => ({ content })),
		})),
		problems: problem ? [problem] : [],
		stop: unread,
		sources: mapping && !mapping.problem ? sourcesOf(mapping) : undefined,
		notes: [...notes, ...marksNotRead(rows, mapping), described].flat(),
	};
}

const parametersOf = (row: Row): Columns =>
	row.problems === undefined && isRecord(row.parameters) ? row.parameters : {};

function* customersOf(rows: readonly Row[]): Generator<Columns> {
	for (const row of rows) {
		const { customer } = parametersOf(row);
		if (isRecord(customer)) yield customer;
	}
}

function readMapped(rows: readonly Row[], mapping: Mapping, settings: BatchSettings): ReadRow[] {
	const used = usedColumns(mapping);
	return rows.map((row) => {
		if (row.problems !== undefined) return { values: [], problems: row.problems };
		const { customer } = parametersOf(row);
		if (!isRecord(customer)) return readRow(customer, settings);
		const { fields, country } = mapCustomer(customer, mapping);
		const rest =
			settings.remainingColumns === 'metadata' && fields['metadata'] === undefined
				? remainingIn(customer, mapping, used)
				: {};
		const whole = Object.keys(rest).length > 0 ? { ...fields, metadata: rest } : fields;
		return readRow(whole, settings, { country, mapping });
	});
}

const readEntered = (rows: readonly Row[], settings: BatchSettings): ReadRow[] =>
	rows.map((row) => {
		if (row.problems !== undefined) return { values: [], problems: row.problems };
		const { customer, customersJson } = parametersOf(row);
		return settings.inputMode === 'json' ? readJson(customersJson) : readRow(customer, settings);
	});

/** An option that says nothing about how the rows are mapped would be lost in silence. */
const wrongOption = ({ identifierColumn }: BatchSettings, isAutomatic: boolean) =>
	identifierColumn !== '' && !isAutomatic
		? {
				path: ['options', 'identifierColumn'],
				message: 'applies to Map Automatically only. Remove it, or choose Map Automatically',
			}
		: undefined;

/** A field whose expression gives nothing in any row: its column was renamed, or never there. */
function unreadParameter(rows: readonly Row[], { inputMode }: BatchSettings): string | undefined {
	if (inputMode !== 'fields') return undefined;
	const customers = [...customersOf(rows)];
	const lost = Object.entries(customerFields).filter(
		([field]) =>
			customers.length > 0 &&
			customers.every(
				(customer) => Object.hasOwn(customer, field) && customer[field] === undefined,
			),
	);
	if (lost.length === 0) return undefined;
	const labels = lost.map(([, { label }]) => `'${label}'`).join(' and ');
	return `Not sent, because ${labels} is mapped to a column that no row has. Correct its expression, or remove the field. If the source leaves out empty columns, enter a value for them, e.g. {{ $json.column ?? '' }}`;
}

/** Columns that look like a mark and are not read are said in every run. */
function marksNotRead(rows: readonly Row[], mapping: Mapping | undefined): string[] {
	if (mapping) {
		const names = mapping.problem ? [] : unusedMarks(mapping);
		return names.map((name) => `'${name}' looks like a do-not-call mark and is not used`);
	}
	const isMapped = rows.some((row) => saysMark(parametersOf(row)));
	if (isMapped) return [];
	const inputRows = rows.flatMap((row) => {
		const { inputRow } = parametersOf(row);
		return isRecord(inputRow) ? [inputRow] : [];
	});
	return markColumns(surveyColumns(inputRows)).map(
		(name) => `'${name}' looks like a do-not-call mark and is not used. Map it to Do Not Disturb`,
	);
}

const MARK = 'isDoNotDisturbEnabled';

/** Whether a row fills Do Not Disturb itself; text of JSON may have it in any form. */
function saysMark({ customer, customersJson }: Columns): boolean {
	if (customersJson === undefined) return isRecord(customer) && !isNothing(customer[MARK]);
	if (typeof customersJson === 'string') return customersJson.includes(MARK);
	const list: readonly unknown[] = Array.isArray(customersJson) ? customersJson : [customersJson];
	return list.some((each) => isRecord(each) && !isNothing(each[MARK]));
}
