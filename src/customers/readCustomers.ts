import { compact, map, uniq } from 'lodash';
import type { RowRead, RowsRead } from '../bulk/plan';
import { mapYielding } from '../core/concurrency';
import type { Ledger, OperationContext, Row } from '../core/operation';
import { comparableText } from '../core/plainText';
import { askAboutMarks, describeMissingColumn } from '../core/readMark';
import { formatRows, listSome } from '../core/words';
import type { BatchSettings } from './batchSettings';
import {
	customerFields,
	listUnknownFields,
	MARK,
	toUnknownFieldsReason,
	type Columns,
	type Customer,
} from './customer';
import { mapColumns } from './mapColumns';
import { readCustomerRow, readEnteredRow, readMarkOf, type EnteredRow } from './readRow';

/** Reads and checks the customers of all rows, and records their marks for later rounds. `stop` prevents sending. */
export async function readCustomers(
	rows: Iterable<Row>,
	settings: BatchSettings,
	context: OperationContext,
): Promise<RowsRead<Customer>> {
	const { isAutomatic, marks } = settings;
	const entered = await mapYielding(rows, (row) => readEnteredRow(row, settings), context);
	const columns = compact(map(entered, 'columns'));
	const choices = settings.columnsToUse.columns;
	const markColumn = isAutomatic ? marks?.column : undefined;
	const isMapped = isAutomatic && columns.length > 0;
	const mapped = isMapped ? await mapColumns(columns, { choices, markColumn }, context) : undefined;
	// Without a mapping, no row is read.
	if (mapped && !mapped.ok) return { rows: entered.map(() => ({})), stop: mapped.failure };
	const mapping = mapped?.value;
	const readRow = (row: EnteredRow) => readCustomerRow(row, settings, mapping);
	const read = await mapYielding(entered, readRow, context);
	const stop =
		findMarkProblem(entered, settings) ??
		(mapping ? askAboutSharedIdentifiers(read, choices) : findFieldFault(columns, settings));
	const mayRecord = !settings.dryRun && stop === undefined;
	return {
		rows: spreadMarks(read, { ledger: context.ledger, mayRecord }),
		stop,
		notes: compact([mapping?.description, noteUnreadMarks(entered, settings)]),
	};
}

/** Notes the rows without readable columns, whose marks are unknown; undefined without such rows, or in a run without marks. */
function noteUnreadMarks(rows: readonly EnteredRow[], settings: BatchSettings): string | undefined {
	const { isAutomatic, marks } = settings;
	const unread = rows.flatMap(({ columns }, position) => (columns ? [] : [position]));
	const hasMarks = isAutomatic ? Boolean(marks) : rows.some(({ columns = {} }) => MARK in columns);
	if (!hasMarks || unread.length === 0) return undefined;
	const names = formatRows(unread, { max: 5 });
	return `${names}: a mark cannot be read there, so other rows of the same customer are sent without it`;
}

/** Returns the reason to stop if marks are missing or unclear; undefined if all are clear, or none are sent. */
function findMarkProblem(rows: readonly EnteredRow[], settings: BatchSettings): string | undefined {
	const { isAutomatic, marks } = settings;
	if (!marks) return undefined;
	// Without automatic mapping, the mark is a field of the mapper or of JSON, which may be left empty.
	const missing = isAutomatic ? describeMissingColumn(map(rows, 'columns'), marks) : undefined;
	const cells = rows.map(({ columns = {} }) => readMarkOf(columns, settings));
	// The answers to unclear marks are entered under Options.
	return missing ?? askAboutMarks(cells, marks, 'Options');
}

/** The key in the memory of the execution for the identifiers of customers who must not be called. */
const MARKED_CUSTOMERS = '!';

/** Marks all rows of a customer that any row or earlier round marks. `mayRecord` keeps the marks for later rounds. */
function spreadMarks(
	rows: ReadonlyArray<RowRead<Customer>>,
	{ ledger, mayRecord }: { readonly ledger: Ledger; readonly mayRecord: boolean },
): Array<RowRead<Customer>> {
	const marked = new Set((ledger[MARKED_CUSTOMERS] as string[] | undefined) ?? []);
	for (const { content } of rows) if (content?.[MARK]) marked.add(content.identifier);
	if (mayRecord) ledger[MARKED_CUSTOMERS] = [...marked];
	return rows.map((row) => {
		if (!row.content || !marked.has(row.content.identifier)) return row;
		return { ...row, content: { ...row.content, [MARK]: true } };
	});
}

/** Returns the question about identifiers that rows with different names share; undefined without one. */
function askAboutSharedIdentifiers(
	rows: ReadonlyArray<RowRead<Customer>>,
	choices: BatchSettings['columnsToUse']['columns'],
): string | undefined {
	// A chosen column is the user's answer.
	if (choices.some(({ field }) => field === 'identifier')) return undefined;
	const first = new Map<string, { readonly name: string; readonly row: number }>();
	const shared: string[] = [];
	for (const [row, { content }] of rows.entries()) {
		if (content?.name === undefined) continue;
		const { identifier, name } = content;
		const same = first.get(identifier);
		if (!same) first.set(identifier, { name, row });
		else if (comparableText(same.name) !== comparableText(name))
			shared.push(`${identifier} (rows ${same.row + 1} and ${row + 1})`);
	}
	if (shared.length === 0) return undefined;
	return `rows with different names have the same Identifier: ${listSome(shared)}. Choose the column that is unique per customer under Options > 'Columns to Use'. To keep this one, choose it there`;
}

/** Returns the reason to stop if a mapped field does not exist, or has no value in any row. */
function findFieldFault(
	customers: readonly Columns[],
	{ inputMode }: BatchSettings,
): string | undefined {
	if (customers.length === 0) return undefined;
	// JSON has its own fields in each row, so there they are faults of their rows.
	const unknown = inputMode === 'fields' ? uniq(customers.flatMap(listUnknownFields)) : [];
	if (unknown.length > 0) return `'Customer' ${toUnknownFieldsReason(unknown)}`;
	// An expression that gives nothing sets its key to undefined. A field without an expression has no key.
	const lost = Object.entries(customerFields)
		.filter(([field]) => customers.every((each) => field in each && each[field] === undefined))
		.map(([, { label }]) => `'${label}'`);
	if (lost.length === 0) return undefined;
	const predicate = lost.length === 1 ? 'is mapped to a column' : 'are mapped to columns';
	return `${lost.join(' and ')} ${predicate} that no row has. Correct the expression, or remove the field. If the source leaves out empty columns, enter a value for them, e.g. {{ $json.column ?? '' }}`;
}
