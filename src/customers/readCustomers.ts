import { hash } from 'crypto';
import compact from 'lodash/compact';
import isNil from 'lodash/isNil';
import pick from 'lodash/pick';
import sumBy from 'lodash/sumBy';
import type { RowPlan, RowsRead } from '../bulk/plan';
import type { Steps } from '../core/concurrency';
import { mapInSteps } from '../core/concurrency';
import type { Problem } from '../core/failures';
import { isRecord } from '../core/json';
import type { OperationContext, Row } from '../core/operation';
import { plural, sameText } from '../core/text';
import type { BatchSettings } from './batchSettings';
import type { Customer } from './customer';
import { customerFields, MARK } from './customer';
import {
	describeMapping,
	missingFields,
	otherLabels,
	sourcesOf,
	sourcesOfFields,
	unusedMarks,
} from './mapping/describeMapping';
import { createMapping, readMark } from './mapping/mapping';
import type { Column, Columns } from './mapping/table';
import { allColumns, cellsOf, nameOf, pathOf, surveyColumns } from './mapping/table';
import { isNothingFor } from './nothing';
import type { ReadRow } from './readRow';
import { enteredIn, LEFT_OUT, parametersOf, readRow } from './readRow';
import type { PersonOfRow } from './samePeople';
import { describeShared } from './samePeople';

type ReadContext = Pick<OperationContext, 'ledger' | 'account'>;

/** Reads and checks all rows of a run: the fields of their columns, or those of a JSON parameter. */
export function* readCustomers(
	all: Iterable<Row>,
	settings: BatchSettings,
	context: ReadContext,
): Steps<RowsRead<Customer>> {
	const { inputMode, customerMapping, identifierColumn, identifierPrefix, dryRun } = settings;
	const rows = yield* mapInSteps(all, (row) => row);
	const parameters = rows.map(parametersOf);
	const customers = parameters.flatMap(enteredIn);
	const isAutomatic = inputMode === 'fields' && customerMapping === 'autoMapInputData';
	const mapping = isAutomatic ? yield* createMapping(customers, identifierColumn) : undefined;
	const read = yield* mapInSteps(rows, (row) => readRow(row, settings, mapping));
	const column = mapping?.identifier && nameOf(mapping.identifier);
	const held = yield* holdTogether(read, { identifierPrefix, column, ...context });
	const notes = notesOf(read);
	if (!mapping) {
		const input = parameters.map(({ inputRow }) => inputRow).filter(isRecord);
		const isFilled = (field: string): boolean =>
			customers.some((each) => !isNothingFor(field, each[field]));
		const root = yield* surveyColumns(input);
		return {
			rows: held,
			// An option that says nothing about how the rows are mapped would be lost in silence.
			problems: identifierColumn === '' ? [] : [NOT_AUTOMATIC],
			stop: unreadParameter(customers),
			sources: sourcesOfFields(labelsOf(isFilled), root, identifierPrefix),
			notes: [
				...notes,
				...emptyFields(customers, inputMode),
				...(yield* marksNotMapped(parameters, read, isFilled(MARK))),
			],
		};
	}
	const { root, used, reached } = mapping;
	const seen = new Set([...used, ...reached.map(pathOf)]);
	const unused = mapping.problem ? [] : [...otherLabels(root), ...unusedMarks(root, seen)];
	return {
		rows: held,
		problems: compact([mapping.problem]),
		sources: mapping.problem ? undefined : sourcesOf(mapping, identifierPrefix),
		notes: [
			...notes,
			...unused,
			...compact([!mapping.problem && missingFields(mapping), dryRun && describeMapping(mapping)]),
		],
	};
}

/** What rows say of the same customer: a mark of one row holds for all, also in later rounds, and an ID of different people is nobody's. */
function* holdTogether(
	rows: readonly ReadRow[],
	context: ReadContext & { identifierPrefix: string; column: string | undefined },
): Steps<Array<RowPlan<Customer>>> {
	const { identifierPrefix, column, ledger, account } = context;
	const people = new Map<string, PersonOfRow[]>();
	yield* mapInSteps(rows, ({ values, people: all = values }, row) => {
		for (const person of all) {
			const key = sameText(person.identifier);
			const others = people.get(key);
			if (others) others.push({ row, person });
			else people.set(key, [{ row, person }]);
		}
	});
	// No identifiers stand in the ledger.
	const markOf = (key: string): string =>
		`!${hash('sha256', `${account}\n${identifierPrefix}${key}`, 'base64url').slice(0, 16)}`;
	const hasMarks = ledger.recall(ANY_MARK) === true;
	const known = new Map<
		string,
		{ readonly message?: string | undefined; readonly isMarked: boolean }
	>();
	yield* mapInSteps(people, ([key, same]) => {
		const isMarkedNow = same.some(({ person }) => person[MARK]);
		if (isMarkedNow) for (const name of [ANY_MARK, markOf(key)]) ledger.record(name, true);
		const isMarked = isMarkedNow || (hasMarks && ledger.recall(markOf(key)) === true);
		if (isMarked || same.length > 1)
			known.set(key, { message: describeShared(same, column), isMarked });
	});
	return yield* mapInSteps(rows, ({ values, marked = values, problems, entered }) => {
		const found = marked.map((customer) => ({
			customer,
			...known.get(sameText(customer.identifier)),
		}));
		const shared = found.find(({ message }) => message !== undefined);
		const entries = found
			.filter(({ message }) => message === undefined)
			.map(({ customer, isMarked }) => {
				const identifier = `${identifierPrefix}${customer.identifier}`;
				return { content: { ...customer, ...(isMarked && { [MARK]: true }), identifier } };
			});
		const urgent = entries.filter(({ content }) => content[MARK]);
		if (problems) return { entries: [], urgent, problems, entered };
		if (!shared) return { entries };
		const { message = '', customer } = shared;
		const problem = { path: ['customer', 'identifier'], message };
		return { entries: [], urgent, problems: [problem], entered: pick(customer, 'identifier') };
	});
}

/** Says in the ledger that customers were marked, so a run without marks need not look for each of them. */
const ANY_MARK = '!';

/** What was left out of the rows, in words. */
function notesOf(rows: readonly ReadRow[]): string[] {
	const reduced = rows.filter(({ isReduced }) => isReduced === true).length;
	const fields = Object.entries(customerFields).flatMap(([field, { label }]) => {
		const count = sumBy(
			rows,
			({ leftOut = [] }) => leftOut.filter((each) => each === field).length,
		);
		return count > 0 ? [`${plural(count, 'customer')} without ${label}`] : [];
	});
	const spoilt = rows.filter(({ problems }) =>
		problems?.every(({ path: [, field = ''] }) => LEFT_OUT.includes(String(field))),
	).length;
	return compact([
		spoilt > 0 &&
			`To send ${plural(spoilt, 'customer')} without invalid phone numbers and emails, turn on 'Leave Out Bad Cells'`,
		reduced > 0 &&
			`${plural(reduced, 'row')} marked Do Not Disturb: only the mark is sent, because other cells are invalid`,
		fields.length > 0 && `Sent without invalid cells: ${fields.join(', ')}`,
	]);
}

const NOT_AUTOMATIC: Problem = {
	path: ['options', 'identifierColumn'],
	message: 'applies to Map Automatically only. Remove it, or choose Map Automatically',
};

/** A field whose expression gives nothing in any row: its column was renamed, or never there. */
function unreadParameter(customers: readonly Columns[]): string | undefined {
	const lost = labelsOf((field) =>
		customers.every((each) => Object.hasOwn(each, field) && each[field] === undefined),
	);
	if (customers.length === 0 || lost.length === 0) return undefined;
	return `Not sent, because ${lost.join(' and ')} is mapped to a column that no row has. Correct its expression, or remove the field. If the source leaves out empty columns, enter a value for them, e.g. {{ $json.column ?? '' }}`;
}

/** Fields that have something in them in no row; the editor leaves null in those that no one touched. */
const emptyFields = (customers: readonly Columns[], inputMode: string): string[] =>
	labelsOf(
		(field) =>
			customers.every((each) => isNothingFor(field, each[field])) &&
			customers.some((each) =>
				inputMode === 'json' ? Object.hasOwn(each, field) : !isNil(each[field]),
			),
	).map((label) => `${label} is mapped and empty in all rows`);

const labelsOf = (isMeant: (field: string) => boolean): string[] =>
	Object.entries(customerFields).flatMap(([field, { label }]) =>
		isMeant(field) ? [`'${label}'`] : [],
	);

/** Columns of the input that look like a mark and are not mapped: of those that may be, one says yes of someone who is not marked. */
function* marksNotMapped(
	parameters: readonly Columns[],
	read: readonly ReadRow[],
	isMapped: boolean,
): Steps<string[]> {
	const inputRows = parameters
		.filter((_, row) => !isMapped || read[row]?.values.some((person) => !person[MARK]))
		.map(({ inputRow }) => inputRow)
		.filter(isRecord);
	const root = yield* surveyColumns(inputRows);
	const saysYes = (column: Column): boolean =>
		inputRows.some((row) => readMark(column, cellsOf(row)(column)) === true);
	const mapped = allColumns(root).filter((each) => isMapped && !(each.mark && saysYes(each)));
	return unusedMarks(root, new Set(mapped.map(pathOf))).map(
		(note) => `${note}. Map it to Do Not Disturb`,
	);
}
