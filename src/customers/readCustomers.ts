import compact from 'lodash/compact';
import type { RowsRead } from '../bulk/plan';
import { mapYielding } from '../core/concurrency';
import type { OperationContext, Row } from '../core/operation';
import { comparableText } from '../core/plainText';
import { readMarks } from '../core/readMark';
import { listSome, plural } from '../core/words';
import type { BatchSettings } from './batchSettings';
import type { Columns, Customer } from './customer';
import { customerFields } from './customer';
import type { CustomersRead } from './holdMarks';
import { holdMarks } from './holdMarks';
import { describeMapping, mapColumns } from './mapColumns';
import type { EnteredRow } from './readRow';
import { collectCustomers, readEntered } from './readRow';

/** Reads and checks all rows of a run: the columns of rows, the fields of the mapper, or JSON. */
export async function readCustomers(
	rows: Iterable<Row>,
	settings: BatchSettings,
	context: OperationContext,
): Promise<RowsRead<Customer>> {
	const { isAutomatic, doNotDisturb, doNotDisturbColumnName, markedValues } = settings;
	const collected = await mapYielding(rows, (row) => collectCustomers(row, settings), context);
	const entered = collected.flatMap((row) => row.entered);
	const columns = entered.map((each) => each.columns);
	const choices = settings.columnsToUse.columns;
	const isMapped = isAutomatic && entered.length > 0;
	const mapped = isMapped ? mapColumns(columns, choices, doNotDisturbColumnName) : undefined;
	if (mapped && !mapped.ok)
		return { rows: collected.map(() => ({ contents: [] })), stop: mapped.failure };
	const mapping = mapped?.value;
	const isAsked = !isAutomatic || doNotDisturb === 'marked';
	const cells = isAsked ? entered.map(({ cell }) => cell) : [];
	const answers = readMarks(cells, 'Do Not Disturb', markedValues ?? new Set());
	const marks = answers.marks.values();
	const readRow = ({ entered, problems }: EnteredRow): CustomersRead => ({
		customers: entered.map((each) =>
			readEntered(each, marks.next().value ?? 'blank', settings, mapping),
		),
		problems,
	});
	const read = await mapYielding(collected, readRow, context);
	const held = holdMarks(read, context);
	const isChosen = choices.some(({ field }) => field === 'identifier');
	const question = mapping
		? isChosen
			? undefined
			: askAboutShared(read)
		: rejectLostFields(columns);
	const reduced = held.filter(({ reason }) => reason !== undefined).length;
	const cut = read.flatMap(({ customers }) => customers).filter(({ isCut }) => isCut).length;
	return {
		rows: held,
		stop: answers.stop ?? question,
		sources: mapping && { fields: Object.fromEntries(mapping.fields), columns: mapping.all },
		notes: compact([
			mapping && describeMapping(mapping, doNotDisturbColumnName),
			answers.note,
			reduced > 0 && `${plural(reduced, 'mark')} sent alone, because other cells are not valid`,
			cut > 0 && `${plural(cut, 'customer')} sent without an invalid Phone Number or Email`,
		]),
	};
}

/** Asks about identifiers that rows with different names share: another column may be the unique one. */
function askAboutShared(rows: readonly CustomersRead[]): string | undefined {
	const first = new Map<string, { readonly name: string; readonly row: number }>();
	const shared: string[] = [];
	for (const [row, { customers }] of rows.entries())
		for (const { customer } of customers) {
			if (customer?.name === undefined) continue;
			const { identifier, name } = customer;
			const same = first.get(identifier);
			if (!same) first.set(identifier, { name, row });
			else if (comparableText(same.name) !== comparableText(name))
				shared.push(`${identifier} (rows ${same.row + 1} and ${row + 1})`);
		}
	if (shared.length === 0) return undefined;
	return `rows with different names have the same Identifier: ${listSome(shared)}. Choose the column that is unique per customer under 'Columns to Use'. To keep this one, choose it there`;
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
