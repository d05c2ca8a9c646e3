import castArray from 'lodash/castArray';
import compact from 'lodash/compact';
import type { ContractError } from '../../core/failures';
import { shorten } from '../../core/words';
import { toText } from '../../core/plainText';
import type { Column, Kind } from '../columns';
import { columnNames, columns } from '../columns';
import type { Filters } from '../filters/schema';
import type { Query, SortRule } from '../search/query';
import { searchContractError } from '../search/query';
import type { Ticket } from '../ticket';
import { comparable, sortValue, ticketKey } from '../ticket';

/** A service may show times without the fraction of the second. */
const SLACK_MS: Partial<Record<Kind, number>> = { timestamp: 1_000 };

/** The contradiction between a query and the rows of one page; undefined if there is none. */
export function checkRows(
	{ filters, sort }: Query,
	rows: readonly Ticket[],
): ContractError | undefined {
	const ids = compact(rows.map(({ id }) => id));
	const twin = ids.find((id, i) => ids.indexOf(id) < i);
	if (twin !== undefined)
		return searchContractError(`One page has the ticket ${toText(twin)} twice`);
	return findDisorder(rows, sort) ?? findMismatch(filters, rows);
}

/** Checks the order by the first rule, for numbers and times. */
function findDisorder(
	rows: readonly Ticket[],
	[rule]: readonly SortRule[],
): ContractError | undefined {
	if (!rule) return undefined;
	const { column, direction } = rule;
	const { kind, label } = columns[column];
	const sign = direction === 'asc' ? 1 : -1;
	const values = rows.map((row) => sortValue(row, column) ?? NaN);
	const place = values.findIndex(
		(value, i) => ((values[i - 1] ?? NaN) - value) * sign > (SLACK_MS[kind] ?? 0),
	);
	if (place < 0) return undefined;
	const [before, after] = [rows[place - 1], rows[place]].map((row) => toShortJson(row?.[column]));
	return searchContractError(
		`Tickets were requested by ${label} (${direction}), but ${before} came before ${after}`,
		'Remove the sort, and use a Sort node',
	);
}

/** Finds a row that plainly fails an exact condition: on a number, enum, UUID, boolean, null or time. */
function findMismatch(filters: Filters, rows: readonly Ticket[]): ContractError | undefined {
	for (const column of columnNames)
		for (const [operator, operand] of Object.entries(filters[column] ?? {})) {
			const fails = createCheck(operator, operand, column);
			const row = fails && rows.find((each) => each[column] !== undefined && fails(each[column]));
			if (row)
				return searchContractError(
					`Tickets with ${columns[column].label} ${toShortJson({ [operator]: operand })} were requested, but ticket ${toText(ticketKey(row))} has ${toShortJson(row[column])}`,
					'Search without this condition, and use a Filter node',
				);
		}
	return undefined;
}

/** Makes the check whether a value certainly fails an operator; undefined if that depends on the service. */
function createCheck(
	operator: string,
	operand: unknown,
	column: Column,
): ((value: unknown) => boolean) | undefined {
	const slack = SLACK_MS[columns[column].kind] ?? 0;
	const wanted = castArray(operand).map((one) => comparable(one, column));
	const isWanted = (value: unknown): boolean => {
		const actual = comparable(value, column);
		return wanted.some((one) => one === actual || Math.abs(Number(one) - Number(actual)) <= slack);
	};
	switch (operator) {
		case 'isNull':
		case 'isNotNull':
			return (value) => value !== '' && (value === null) !== (operand === (operator === 'isNull'));
		case 'eq':
		case 'in':
			return (value) =>
				value === null || (comparable(value, column) !== undefined && !isWanted(value));
		case 'ne':
		case 'notIn':
			return slack > 0 || columns[column].kind === 'text' ? undefined : isWanted;
		case 'gt':
		case 'gte':
		case 'lt':
		case 'lte': {
			const sign = operator.startsWith('g') ? 1 : -1;
			// At the bound itself, numbers fail gt and lt.
			const least = slack === 0 && operator.length === 2 ? Number.MIN_VALUE : -slack;
			return (value) =>
				value === null || (Number(comparable(value, column)) - Number(wanted[0])) * sign < least;
		}
		default:
			return undefined;
	}
}

const toShortJson = (value: unknown): string => shorten(JSON.stringify(value) ?? 'nothing', 100);
