import compact from 'lodash/compact';
import groupBy from 'lodash/groupBy';
import type { RowPlan, RowsRead } from '../bulk/plan';
import type { Problem } from '../core/failures';
import { isRecord } from '../core/json';
import type { Row } from '../core/operation';
import { plural } from '../core/text';
import type { BatchSettings } from './batchSettings';
import type { Customer } from './customer';
import { customerFields, MARK } from './customer';
import { describeMapping, sourcesOf, unusedMarks } from './mapping/describeMapping';
import { createMapping } from './mapping/mapping';
import type { Columns } from './mapping/table';
import { nameOf, surveyColumns } from './mapping/table';
import { isNothing } from './nothing';
import type { ReadRow } from './readRow';
import { parametersOf, readRow } from './readRow';
import { describeShared, differentPeople } from './samePeople';

/** Reads and checks all rows of a run: the fields of their columns, or those of a JSON parameter. */
export function readCustomers(all: Iterable<Row>, settings: BatchSettings): RowsRead<Customer> {
	const { inputMode, customerMapping, identifierColumn, dryRun } = settings;
	const rows = [...all];
	const parameters = rows.map(parametersOf);
	const customers = parameters.map(({ customer }) => customer).filter(isRecord);
	const isAutomatic = inputMode === 'fields' && customerMapping === 'autoMapInputData';
	const mapping = isAutomatic ? createMapping(customers, identifierColumn) : undefined;
	const read = rows.map((row) => readRow(row, settings, mapping));
	const source = mapping?.identifier && nameOf(mapping.identifier);
	const [held, notes] = [holdTogether(read, settings, source), notesOf(read)];
	if (!mapping)
		return {
			rows: held,
			problems: identifierColumn === '' ? [] : [NOT_AUTOMATIC],
			stop: inputMode === 'fields' ? unreadParameter(customers) : undefined,
			notes: [...notes, ...marksNotMapped(parameters)],
		};
	const marks = mapping.problem ? [] : unusedMarks(mapping.root, mapping.used);
	return {
		rows: held,
		problems: compact([mapping.problem]),
		sources: mapping.problem ? undefined : sourcesOf(mapping, settings.identifierPrefix),
		notes: [...notes, ...marks, ...compact([dryRun && describeMapping(mapping)])],
	};
}

/** What rows say of the same customer: a mark of one row holds for all, and an ID of different people is nobody's. */
function holdTogether(
	rows: readonly ReadRow[],
	{ identifierPrefix }: BatchSettings,
	source: string | undefined,
): Array<RowPlan<Customer>> {
	const people = rows.flatMap(({ values }, row) => values.map((person) => ({ row, person })));
	const groups = Object.entries(groupBy(people, ({ person }) => keyOf(person)));
	const several = new Map(
		groups
			.filter(([, { length }]) => length > 1)
			.map(([key, same]) => [
				key,
				{ both: differentPeople(same), isMarked: same.some(({ person }) => person[MARK]) },
			]),
	);
	return rows.map(({ values, problems, entered }) => {
		const both = compact(values.map((customer) => several.get(keyOf(customer))?.both))[0];
		if (both) {
			const message = describeShared(both, source);
			const { identifier } = both[0].person;
			return {
				entries: [],
				problems: [{ path: ['customer', 'identifier'], message }],
				entered: { identifier },
			};
		}
		const entries = values.map((customer) => ({
			content: {
				...customer,
				...(several.get(keyOf(customer))?.isMarked && { [MARK]: true }),
				identifier: `${identifierPrefix}${customer.identifier}`,
			},
		}));
		return { entries, problems, entered };
	});
}

/** Keys that look the same are the same. */
const keyOf = ({ identifier }: Customer): string => identifier.normalize('NFKC').toLowerCase();

/** What was left out of the rows, in words. */
function notesOf(rows: readonly ReadRow[]): string[] {
	const reduced = rows.filter(({ isReduced }) => isReduced === true).length;
	const fields = Object.entries(customerFields).flatMap(([field, { label }]) => {
		const count = rows.filter(({ leftOut }) => leftOut?.includes(field)).length;
		return count > 0 ? [`${plural(count, 'customer')} without ${label}`] : [];
	});
	return compact([
		reduced > 0 &&
			`${plural(reduced, 'row')} marked Do Not Disturb: only the mark is sent, because other cells are invalid`,
		fields.length > 0 && `Sent without invalid cells: ${fields.join(', ')}`,
	]);
}

/** An option that says nothing about how the rows are mapped would be lost in silence. */
const NOT_AUTOMATIC: Problem = {
	path: ['options', 'identifierColumn'],
	message: 'applies to Map Automatically only. Remove it, or choose Map Automatically',
};

/** A field whose expression gives nothing in any row: its column was renamed, or never there. */
function unreadParameter(customers: readonly Columns[]): string | undefined {
	const lost = Object.entries(customerFields).filter(([field]) =>
		customers.every((each) => Object.hasOwn(each, field) && each[field] === undefined),
	);
	if (customers.length === 0 || lost.length === 0) return undefined;
	const labels = lost.map(([, { label }]) => `'${label}'`).join(' and ');
	return `Not sent, because ${labels} is mapped to a column that no row has. Correct its expression, or remove the field. If the source leaves out empty columns, enter a value for them, e.g. {{ $json.column ?? '' }}`;
}

/** Columns of the input that look like a mark, where no row fills Do Not Disturb: they are said in every run. */
function marksNotMapped(parameters: readonly Columns[]): string[] {
	if (parameters.some(saysMark)) return [];
	const inputRows = parameters.map(({ inputRow }) => inputRow).filter(isRecord);
	return unusedMarks(surveyColumns(inputRows)).map((note) => `${note}. Map it to Do Not Disturb`);
}

/** Whether a row fills Do Not Disturb itself; text of JSON may have it in any form. */
function saysMark({ customer, customersJson }: Columns): boolean {
	if (typeof customersJson === 'string') return customersJson.includes(MARK);
	return [customersJson ?? customer]
		.flat()
		.some((each) => isRecord(each) && !isNothing(each[MARK]));
}
