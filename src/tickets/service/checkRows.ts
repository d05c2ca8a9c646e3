import type { ContractError } from '../../core/failures';
import { toText } from '../../core/plainText';
import { shorten } from '../../core/words';
import { columnNames, columns, type Column, type Kind } from '../columns';
import type { Filters } from '../filters/schema';
import { ticketKey, toComparable, type Ticket } from '../ticket';
import { searchContractError, type Query, type SortRule } from './query';

/** A service may show times without the fraction of the second. */
const SLACK_MS: Partial<Record<Kind, number>> = { timestamp: 1_000 };

const USE_OTHER_NODES =
	'Contact the service. Until then, use a Filter or Sort node in place of a condition or sort';

/** Returns an error if a page contradicts its query: repeated ID, missing number, wrong order or row. Otherwise undefined. */
export function checkRows(
	{ filters, sort: [rule] }: Query, // Further rules order equal values only.
	rows: readonly Ticket[],
): ContractError | undefined {
	const ids = new Set<unknown>(); // Only the ID may be missing, because `ticketKey` then returns the number.
	for (const { id, ticketNumber } of rows) {
		if (id && ids.has(id))
			return searchContractError(`One page has the ticket ${toText(id)} twice`);
		if (typeof ticketNumber !== 'number')
			return searchContractError('A ticket came without a readable Ticket Number');
		ids.add(id);
	}
	return (rule && findDisorder(rule, rows)) ?? findMismatch(filters, rows);
}

/** Returns the error about the first row that is out of order; undefined if there is no such row. */
function findDisorder(
	{ column, direction }: SortRule,
	rows: readonly Ticket[],
): ContractError | undefined {
	const { kind, label } = columns[column];
	const sign = direction === 'asc' ? 1 : -1;
	// Texts become NaN, which is never out of order, because only the service knows its order of texts.
	const values = rows.map((row) => Number(toComparable(row[column], column)));
	// Times may differ by the slack, because a service may sort by more digits than it shows.
	const index = values.findIndex(
		(value, i) => ((values[i - 1] ?? NaN) - value) * sign > (SLACK_MS[kind] ?? 0),
	);
	if (index < 0) return undefined;
	const before = toShortJson(rows[index - 1]?.[column]);
	const after = toShortJson(rows[index]?.[column]);
	return searchContractError(
		`Tickets were requested by ${label} (${direction}), but ${before} came before ${after}`,
		USE_OTHER_NODES,
	);
}

/** Returns the error about a row that plainly fails a condition; undefined if there is no such row. */
function findMismatch(filters: Filters, rows: readonly Ticket[]): ContractError | undefined {
	for (const column of columnNames)
		for (const [operator, operand] of Object.entries(filters[column] ?? {})) {
			const isMismatch = createMismatchTest(column, operator, operand);
			const row = isMismatch && rows.find((each) => isMismatch(each[column]));
			if (row)
				return searchContractError(
					`Tickets with ${columns[column].label} ${toShortJson({ [operator]: operand })} were requested, but ticket ${toText(ticketKey(row))} has ${toShortJson(row[column])}`,
					USE_OTHER_NODES,
				);
		}
	return undefined;
}

/** Makes a test of values that plainly fail a condition; undefined for operators without such a test, e.g. `ne`. */
function createMismatchTest(
	column: Column,
	operator: string,
	operand: unknown,
): ((value: unknown) => boolean) | undefined {
	if (operator === 'isNull' || operator === 'isNotNull') {
		const isNullWanted = operand === (operator === 'isNull');
		// An empty text may count as null, and a column may be missing.
		return (value) => value !== undefined && value !== '' && (value === null) !== isNullWanted;
	}
	const wanted = [operand].flat().map((one) => toComparable(one, column));
	const bound = Number(wanted[0]); // Only numbers, and times in ms, have bounds.
	// A service may round times, so a difference within the slack proves nothing.
	const slack = SLACK_MS[columns[column].kind] ?? 0;
	const isNoneOf = (actual: number | string) =>
		!wanted.some((one) => one === actual || Math.abs(Number(one) - Number(actual)) <= slack);
	const isBelow = (actual: number | string) => Number(actual) < bound - slack;
	const isAbove = (actual: number | string) => Number(actual) > bound + slack;
	// `gt` and `lt` exclude their bound, but a rounded time may equal it.
	const isExactlyAtBound = (actual: number | string) => slack === 0 && actual === bound;
	const tests: Readonly<Record<string, (actual: number | string) => boolean>> = {
		eq: isNoneOf,
		in: isNoneOf,
		gt: (actual) => isBelow(actual) || isExactlyAtBound(actual),
		gte: isBelow,
		lt: (actual) => isAbove(actual) || isExactlyAtBound(actual),
		lte: isAbove,
	};
	const isMismatch = tests[operator];
	if (!isMismatch) return undefined;
	return (value) => {
		// Null fails every comparison. Free text and values of an unexpected type pass.
		const actual = toComparable(value, column);
		return actual === undefined ? value === null : isMismatch(actual);
	};
}

const toShortJson = (value: unknown): string => shorten(JSON.stringify(value) ?? 'nothing', 100);
