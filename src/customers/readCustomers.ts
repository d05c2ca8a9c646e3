import compact from 'lodash/compact';
import get from 'lodash/get';
import { z } from 'zod/v4';
import type { RowsRead } from '../bulk/plan';
import { mapYielding } from '../core/concurrency';
import { countryParameter } from '../core/country';
import type { Problem } from '../core/failures';
import { isRecord, jsonList } from '../core/json';
import type { OperationContext, Row } from '../core/operation';
import { problemsOf } from '../core/problems';
import { readMarks } from '../core/readMark';
import { plural, listSome } from '../core/words';
import { cleanText } from '../core/plainText';
import type { BatchSettings } from './batchSettings';
import type { Columns, Customer } from './customer';
import { customerFields, MARK } from './customer';
import type { CustomersRead } from './holdMarks';
import { holdMarks } from './holdMarks';
import { describeMapping, mapColumns } from './mapColumns';
import type { CustomerRead, EnteredCustomer } from './readRow';
import { readEntered } from './readRow';

/** Reads and checks all rows of a run: the columns of rows, the fields of the mapper, or JSON. */
export async function readCustomers(
	rows: Iterable<Row>,
	settings: BatchSettings,
	context: OperationContext,
): Promise<RowsRead<Customer>> {
	const { columnsToUse, doNotDisturbColumnName, identifierPrefix, markedValues } = settings;
	const isAutomatic =
		settings.inputMode === 'fields' && settings.customerMapping === 'autoMapInputData';
	const collected = await mapYielding(
		rows,
		(row) => collectCustomers(row, settings, isAutomatic),
		context,
	);
	const customers = collected.flatMap((row) => row.customers);
	const columns = customers.map((each) => each.columns);
	const mapped =
		isAutomatic && columns.length > 0
			? mapColumns(columns, columnsToUse.columns, doNotDisturbColumnName)
			: undefined;
	if (mapped && !mapped.ok)
		return { rows: collected.map(() => ({ contents: [] })), ...mapped.failure };
	const mapping = mapped ? mapped.value : undefined;
	const cells = customers.map(({ cell }) => cell);
	const answers = readMarks(cells, 'Do Not Disturb', markedValues ?? new Set());
	const marks = answers.marks.values();
	const readRow = (row: CollectedRow): CustomersRead => {
		const all = row.customers.map((each) => {
			const mark = marks.next().value ?? 'blank';
			return readEntered({ ...each, mark }, settings, mapping);
		});
		return { all, problems: row.problems };
	};
	const read = await mapYielding(collected, readRow, context);
	const isChosen = columnsToUse.columns.some(({ field }) => field === 'identifier');
	const question = mapping ? !isChosen && askAboutShared(read) : rejectLostFields(columns);
	return {
		rows: holdMarks(read, identifierPrefix, context),
		stop: answers.stop ?? (question || undefined),
		sources: mapping && { fields: Object.fromEntries(mapping.fields), columns: mapping.all },
		notes: compact([
			mapping && describeMapping(mapping, doNotDisturbColumnName),
			answers.note,
			...noteLosses(read.flatMap(({ all }) => all)),
		]),
	};
}

/** The customers of a row as they were entered, and the problems of the row. */
interface CollectedRow {
	readonly customers: ReadonlyArray<Omit<EnteredCustomer, 'mark'> & { readonly cell: unknown }>;
	readonly problems: readonly Problem[];
}

const customerObject = z.custom<Columns>(isRecord, {
	error: 'must be an object with the fields of a customer, e.g. {"identifier": "C-1"}',
});
const customersJson = jsonList(customerObject, 'customer');

/** Collects the customers of a row: its columns, the fields of the mapper, or the objects in JSON. */
function collectCustomers(row: Row, settings: BatchSettings, isAutomatic: boolean): CollectedRow {
	if (row.problems !== undefined) return { customers: [], problems: row.problems };
	const entered = Object(row.parameters) as Columns;
	const isJson = settings.inputMode === 'json';
	const path = isJson ? 'customersJson' : 'customer';
	const parsed = (isJson ? customersJson : customerObject).safeParse(entered[path]);
	const country = countryParameter.safeParse(get(entered, 'options.defaultCountry'));
	const list: readonly Columns[] = parsed.success ? [parsed.data].flat() : [];
	const asks = isAutomatic && settings.doNotDisturb === 'marked';
	return {
		customers: list.map((columns, index) => ({
			columns,
			path: list.length > 1 ? [path, index] : [path],
			country: country.data,
			cell: asks ? entered['doNotDisturbColumn'] : isAutomatic ? '' : (columns[MARK] ?? ''),
		})),
		problems: [
			...(parsed.success ? [] : problemsOf(parsed.error, [path])),
			...(country.success ? [] : problemsOf(country.error, ['options', 'defaultCountry'])),
		],
	};
}

/** Asks about identifiers that rows with different names share: another column may be the unique one. */
function askAboutShared(rows: readonly CustomersRead[]): string | undefined {
	const first = new Map<string, { readonly name: string; readonly row: number }>();
	const shared: string[] = [];
	for (const [row, { all }] of rows.entries())
		for (const { person } of all) {
			const name = cleanText(person?.name ?? '').toLowerCase();
			if (!person || name === '') continue;
			const same = first.get(person.identifier);
			if (!same) first.set(person.identifier, { name, row });
			else if (same.name !== name)
				shared.push(`${person.identifier} (rows ${same.row + 1} and ${row + 1})`);
		}
	if (shared.length === 0) return undefined;
	return `rows with different names have the same Identifier: ${listSome(shared)}. Choose the column that is unique per customer under 'Columns to Use'. To keep this one, choose it there`;
}

/** Reports entered values that are not sent. */
function noteLosses(all: readonly CustomerRead[]): string[] {
	const reduced = all.filter(({ reducedBy }) => reducedBy !== undefined).length;
	const without = all.filter(({ leftOut }) => leftOut).length;
	return compact([
		reduced > 0 && `${plural(reduced, 'mark')} sent alone, because other cells are not valid`,
		without > 0 && `${plural(without, 'customer')} sent without an invalid Phone Number or Email`,
	]);
}

/** Stops at a field whose expression gives nothing in any row: its column was renamed, or never existed. */
function rejectLostFields(customers: readonly Columns[]): string | undefined {
	const lost = Object.entries(customerFields).flatMap(([field, { label }]) =>
		customers.every((each) => Object.hasOwn(each, field) && each[field] === undefined)
			? [`'${label}'`]
			: [],
	);
	if (customers.length === 0 || lost.length === 0) return undefined;
	return `${lost.join(' and ')} is mapped to a column that no row has. Correct its expression, or remove the field. If the source leaves out empty columns, enter a value for them, e.g. {{ $json.column ?? '' }}`;
}
