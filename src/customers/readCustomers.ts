import { compact, omit, sumBy } from 'lodash';
import type { RowRead, RowsRead } from '../bulk/plan';
import { mapYielding } from '../core/concurrency';
import { nameField, problemLines } from '../core/describeFailure';
import type { Problem } from '../core/failures';
import type { OperationContext, Row } from '../core/operation';
import { comparableText } from '../core/plainText';
import { readMarks } from '../core/readMark';
import { listSome, plural } from '../core/words';
import type { BatchSettings } from './batchSettings';
import { customerFields, MARK, type Columns, type Customer } from './customer';
import { describeMapping, mapColumns } from './mapColumns';
import { collectCustomers, readEntered, type CustomerRead } from './readRow';

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
	// If the user chose no marks, there are no answers, so every customer counts as blank.
	const cells = isAsked ? entered.map(({ markCell }) => markCell) : [];
	const answers = readMarks(cells, 'Do Not Disturb', markedValues ?? new Set());
	const marks = answers.marks.values(); // One per customer, in the order of rows.
	const read = await mapYielding(
		collected,
		({ entered: inRow, problems }): CustomersRead => {
			const customers = inRow.map((each) =>
				readEntered(each, marks.next().value ?? 'blank', settings, mapping),
			);
			// The mark of a customer alone in its row is sent without the other cells, so the row is valid.
			const isInvalid = customers.some(
				({ customer, problems: faults }) =>
					faults.length > 0 && (!customer?.[MARK] || customers.length > 1),
			);
			return {
				customers,
				problems: [...problems, ...customers.flatMap((each) => each.problems)],
				isInvalid: isInvalid || problems.length > 0,
			};
		},
		context,
	);
	const rowsToSend = spreadMarks(read, context, settings.dryRun);
	// A row has a reason if only its mark is sent.
	const partial = rowsToSend.filter(({ reason }) => reason !== undefined);
	const sentMarksOnly = sumBy(partial, 'contents.length');
	const incomplete = read.flatMap(({ customers }) => customers.filter(({ isCut }) => isCut));
	return {
		rows: rowsToSend,
		stop:
			answers.stop ??
			(mapping ? askAboutSharedIdentifiers(read, choices) : rejectLostFields(columns)),
		sources: mapping && { fields: Object.fromEntries(mapping.fields), columns: mapping.all },
		notes: compact([
			mapping && describeMapping(mapping, doNotDisturbColumnName),
			answers.note,
			sentMarksOnly > 0 &&
				`${plural(sentMarksOnly, 'mark')} without the other cells, which are not valid`,
			incomplete.length > 0 &&
				`Invalid Phone Number or Email left out of ${plural(incomplete.length, 'customer')}`,
		]),
	};
}

/** The customers of a row, and all problems of the row. */
interface CustomersRead {
	readonly customers: readonly CustomerRead[];
	readonly problems: readonly Problem[];
	/** Whether the row has a problem other than of a marked customer. Then only its marks are sent. */
	readonly isInvalid: boolean;
}

/** The key of the ledger for the marked customers of each round. Other keys are hashes or words. */
const MARKED_CUSTOMERS = '!';

/**
 * Sets Do Not Disturb in all rows of a customer that one row, or an earlier loop round, marks.
 * If none of them is sent with all fields, the mark is sent alone.
 */
function spreadMarks(
	rows: readonly CustomersRead[],
	{ ledger, round }: Pick<OperationContext, 'ledger' | 'round'>,
	dryRun: boolean,
): Array<RowRead<Customer>> {
	const rounds = (ledger[MARKED_CUSTOMERS] ?? {}) as Readonly<Record<string, readonly string[]>>;
	const marked = new Set<string>();
	for (const { customers } of rows)
		for (const { customer } of customers) if (customer?.[MARK]) marked.add(customer.identifier);
	// Marks are kept per round, because a round that is tried again may have corrected rows.
	if (!dryRun) ledger[MARKED_CUSTOMERS] = { ...rounds, [round]: [...marked] };
	for (const identifier of Object.values(omit(rounds, round)).flat()) marked.add(identifier);
	const sentWhole = new Set<string>();
	for (const { customers, isInvalid } of rows)
		for (const { customer, problems } of customers)
			if (customer && marked.has(customer.identifier) && problems.length === 0 && !isInvalid)
				sentWhole.add(customer.identifier);
	return rows.map(({ customers, problems, isInvalid }): RowRead<Customer> => {
		const contents = customers.flatMap(({ customer, problems: faults }): Customer[] => {
			if (!customer) return [];
			const { identifier, source } = customer;
			if (!isInvalid && faults.length === 0)
				return [marked.has(identifier) ? { ...customer, [MARK]: true } : customer];
			if (!customer[MARK]) return [];
			const isMarkSentElsewhere = sentWhole.has(identifier);
			return isMarkSentElsewhere ? [] : [{ ...(source && { source }), identifier, [MARK]: true }];
		});
		if (problems.length === 0) return { contents };
		// Each customer of a list has problems of its own.
		const why =
			customers.length > 1 ? ['the list is not valid'] : problemLines(problems, nameField);
		const reason = `Only the mark is sent: ${why.join('. ')}`;
		const invalid = customers.find((each) => each.problems.length > 0) ?? customers[0];
		const entered = { identifier: invalid?.customer?.identifier ?? '' };
		if (contents.length === 0) return { contents, problems, entered };
		// The other customers of a list are not sent, so its row is also rejected.
		return { contents, reason, ...(customers.length > 1 && { problems, entered }) };
	});
}

/** Asks about identifiers that rows with different names share: another column may be the unique one. */
function askAboutSharedIdentifiers(
	rows: readonly CustomersRead[],
	choices: BatchSettings['columnsToUse']['columns'],
): string | undefined {
	// A chosen column is the user's answer.
	if (choices.some(({ field }) => field === 'identifier')) return undefined;
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
	return `rows with different names have the same Identifier: ${listSome(shared)}. Choose the column that is unique per customer under Options > 'Columns to Use'. To keep this one, choose it there`;
}

/** Stops at a field whose expression gives nothing in any row: its column was renamed, or never existed. */
function rejectLostFields(customers: readonly Columns[]): string | undefined {
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
