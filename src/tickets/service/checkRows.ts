import { compact } from 'lodash';
import type { ContractError } from '../../core/failures';
import { shorten } from '../../core/words';
import { toText } from '../../core/plainText';
import { columnNames, columns, type Column, type Kind } from '../columns';
import type { Filters } from '../filters/schema';
import { searchContractError, type Query } from '../search/query';
import { ticketKey, toComparable, type Ticket } from '../ticket';

/** A service may show times without the fraction of the second. */
const SLACK_MS: Partial<Record<Kind, number>> = { timestamp: 1_000 };

/** Returns a contradiction between a query and one page of rows: a repeated ID, a wrong order, or a row that should not match. */
export function checkRows(
	{ filters, sort: [rule] }: Query,
	rows: readonly Ticket[],
): ContractError | undefined {
	const ids = compact(rows.map(({ id }) => id));
	const repeatedId = ids.find((id, i) => ids.indexOf(id) < i);
	if (repeatedId !== undefined)
		return searchContractError(`One page has the ticket ${toText(repeatedId)} twice`);
	if (!rule) return findMismatch(filters, rows);
	const { column, direction } = rule;
	const { kind, label } = columns[column];
	const sign = direction === 'asc' ? 1 : -1;
	// Texts become NaN, which is never out of order, because only the service knows its order of texts.
	const values = rows.map((row) => Number(toComparable(row[column], column)));
	const place = values.findIndex(
		(value, i) => ((values[i - 1] ?? NaN) - value) * sign > (SLACK_MS[kind] ?? 0),
	);
	if (place < 0) return findMismatch(filters, rows);
	const [before, after] = [rows[place - 1], rows[place]].map((row) => toShortJson(row?.[column]));
	return searchContractError(
		`Tickets were requested by ${label} (${direction}), but ${before} came before ${after}`,
		USE_OTHER_NODES,
	);
}

const USE_OTHER_NODES =
	'Contact the service. Until then, use a Filter or Sort node in place of a condition or sort';

/** Finds a row that plainly fails an exact condition: on a number, enum, UUID, boolean, null or time. */
function findMismatch(filters: Filters, rows: readonly Ticket[]): ContractError | undefined {
	for (const column of columnNames)
		for (const [operator, operand] of Object.entries(filters[column] ?? {})) {
			const wanted = [operand].flat().map((one) => toComparable(one, column));
			const condition = { column, operand, wanted };
			const row = rows.find((each) => isCertainMismatch(each[column], operator, condition));
			if (row)
				return searchContractError(
					`Tickets with ${columns[column].label} ${toShortJson({ [operator]: operand })} were requested, but ticket ${toText(ticketKey(row))} has ${toShortJson(row[column])}`,
					USE_OTHER_NODES,
				);
		}
	return undefined;
}

/** The direction of each bound. */
const SIGNS: Readonly<Record<string, number>> = { gt: 1, gte: 1, lt: -1, lte: -1 };

/** Whether a value certainly fails a condition. Missing columns always pass, and text passes every comparison. Times have a second of slack. */
function isCertainMismatch(
	value: unknown,
	operator: string,
	{ column, operand, wanted }: { column: Column; operand: unknown; wanted: readonly unknown[] },
): boolean {
	const actual = toComparable(value, column);
	const slack = SLACK_MS[columns[column].kind] ?? 0;
	const sign = SIGNS[operator];
	if (value === undefined) return false;
	// An empty text may count as null.
	if (operator === 'isNull' || operator === 'isNotNull')
		return value !== '' && (value === null) !== (operand === (operator === 'isNull'));
	if (sign === undefined && operator !== 'eq' && operator !== 'in') return false;
	// Null fails every comparison. A value of an unexpected type passes.
	if (value === null || actual === undefined) return value === null;
	if (sign === undefined)
		return !wanted.some((one) => one === actual || Math.abs(Number(one) - Number(actual)) <= slack);
	const isStrict = operator === 'gt' || operator === 'lt';
	const distance = (Number(actual) - Number(wanted[0])) * sign;
	return isStrict && slack === 0 ? distance <= 0 : distance < -slack;
}

const toShortJson = (value: unknown): string => shorten(JSON.stringify(value) ?? 'nothing', 100);
