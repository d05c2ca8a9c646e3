import { compact, map, omit, uniq } from 'lodash';
import type { RowRead, RowsRead } from '../bulk/plan';
import { mapYielding } from '../core/concurrency';
import type { OperationContext, Row } from '../core/operation';
import { comparableText } from '../core/plainText';
import { askAboutMarks, findMissingColumn } from '../core/readMark';
import { formatRows, listSome, plural } from '../core/words';
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
import { readCustomerRow, readEnteredRow, type CustomerRead } from './readRow';

/** Reads and checks all rows of a run: the columns of rows, the fields of the mapper, or JSON. */
export async function readCustomers(
	rows: Iterable<Row>,
	settings: BatchSettings,
	context: OperationContext,
): Promise<RowsRead<Customer>> {
	const { isAutomatic, marks } = settings;
	const enteredRows = await mapYielding(rows, (row) => readEnteredRow(row, settings), context);
	const entered = enteredRows.flatMap((row) => row.entered ?? []);
	const columns = map(entered, 'columns');
	const choices = settings.columnsToUse.columns;
	const markColumn = isAutomatic ? marks?.column : undefined;
	const isMapped = isAutomatic && columns.length > 0;
	const mapped = isMapped ? await mapColumns(columns, { choices, markColumn }, context) : undefined;
	if (mapped && !mapped.ok) return { rows: enteredRows.map(() => ({})), stop: mapped.failure };
	const mapping = mapped?.value;
	const question =
		marks &&
		((isAutomatic ? findMissingColumn(columns, marks) : undefined) ??
			askAboutMarks(map(entered, 'markCell'), marks, 'Options'));
	const read = await mapYielding(
		enteredRows,
		(row): CustomerRead =>
			row.entered
				? readCustomerRow({ entered: row.entered, problems: row.problems }, settings, mapping)
				: { problems: row.problems, entered: { identifier: '' } },
		context,
	);
	const cut = read.filter(({ isCut }) => isCut).length;
	const unread = marks ? [...enteredRows.keys()].filter((i) => !enteredRows[i]?.entered) : [];
	const marksOnly = read.filter(({ reason }) => reason !== undefined).length;
	return {
		rows: spreadMarks(read, context, settings.dryRun),
		stop:
			question ??
			(mapping ? askAboutSharedIdentifiers(read, choices) : findFieldFault(columns, settings)),
		notes: compact([
			mapping?.description,
			unread.length > 0 &&
				`${formatRows(unread, { total: Infinity, max: 5 })}: a mark cannot be read there, so other rows of the same customer are sent without it`,
			marksOnly > 0 &&
				`Only the mark is sent for ${plural(marksOnly, 'row')}, because other cells are not valid`,
			cut > 0 && `Invalid Phone Number or Email left out of ${plural(cut, 'customer')}`,
		]),
	};
}

/** The key of the ledger for the marked customers of each round. Other keys are hashes or words. */
const MARKED_CUSTOMERS = '!';

/** Marks every row of a customer that one row, or an earlier round of a loop, marks. */
function spreadMarks(
	rows: ReadonlyArray<RowRead<Customer>>,
	{ ledger, round }: Pick<OperationContext, 'ledger' | 'round'>,
	dryRun: boolean,
): Array<RowRead<Customer>> {
	const rounds = (ledger[MARKED_CUSTOMERS] ?? {}) as Readonly<Record<string, readonly string[]>>;
	const marked = rows.flatMap(({ content }) => (content?.[MARK] ? content.identifier : []));
	// Marks are kept per round, because a round that is tried again may have corrected rows.
	if (!dryRun) ledger[MARKED_CUSTOMERS] = { ...rounds, [round]: marked };
	const all = new Set([...marked, ...Object.values(omit(rounds, round)).flat()]);
	return rows.map((row) =>
		row.content && all.has(row.content.identifier)
			? { ...row, content: { ...row.content, [MARK]: true } }
			: row,
	);
}

/** Asks about identifiers that rows with different names share: another column may be the unique one. */
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

/** Finds a field of the mapper that does not exist, or whose expression gives nothing in any row. */
function findFieldFault(
	customers: readonly Columns[],
	{ inputMode }: BatchSettings,
): string | undefined {
	// JSON has its own fields in each row, so there they are faults of their rows.
	const unknown = inputMode === 'fields' ? uniq(customers.flatMap(listUnknownFields)) : [];
	if (unknown.length > 0) return `'Customer' ${toUnknownFieldsReason(unknown)}`;
	// An expression that gives nothing sets its key to undefined. A field without an expression has no key.
	const lost = Object.entries(customerFields).flatMap(([field, { label }]) =>
		customers.every((each) => Object.hasOwn(each, field) && each[field] === undefined)
			? [`'${label}'`]
			: [],
	);
	if (customers.length === 0 || lost.length === 0) return undefined;
	const predicate = lost.length === 1 ? 'is mapped to a column' : 'are mapped to columns';
	return `${lost.join(' and ')} ${predicate} that no row has. Correct the expression, or remove the field. If the source leaves out empty columns, enter a value for them, e.g. {{ $json.column ?? '' }}`;
}
