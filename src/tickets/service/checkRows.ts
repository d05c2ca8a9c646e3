import castArray from 'lodash/castArray';
import type { ContractError } from '../../core/failures';
import { shorten, textOf } from '../../core/text';
import type { Column } from '../columns';
import { columnNames, columns } from '../columns';
import type { Filters } from '../filters/schema';
import type { Query, SortRule } from '../search/query';
import { searchContractError } from '../search/query';
import type { Ticket } from '../ticket';
import { comparable, sortValue, ticketKey } from './values';

/** A service may show times without the fraction of the second. */
const SLACK_MS = 1_000;

/** The contradiction between a query and the rows of one page, if any. */
export function checkRows(
	{ filters, sort }: Query,
	rows: readonly Ticket[],
): ContractError | undefined {
	return findTwin(rows) ?? findDisorder(rows, sort) ?? findMismatch(filters, rows);
}

function findTwin(rows: readonly Ticket[]): ContractError | undefined {
	const ids = rows.map(({ id }) => id).filter((id) => id !== undefined && id !== null);
	const twin =
		ids.length === new Set(ids).size ? undefined : ids.find((id, i) => ids.indexOf(id) < i);
	return twin === undefined
		? undefined
		: searchContractError(`One page has the ticket ${textOf(twin)} twice`);
}

/** Checks the order by the first rule, for numbers and times. */
function findDisorder(
	rows: readonly Ticket[],
	[rule]: readonly SortRule[],
): ContractError | undefined {
	if (!rule) return undefined;
	const { column, direction } = rule;
	const slack = slackOf(column);
	const sign = direction === 'asc' ? 1 : -1;
	const values = rows.map((row) => sortValue(row, column));
	const place = values.findIndex(
		(value = NaN, i) => ((values[i - 1] ?? NaN) - value) * sign > slack,
	);
	return place < 0
		? undefined
		: searchContractError(
				`Tickets were requested by ${columns[column].label} (${direction}), but ${shown(rows[place - 1]?.[column])} came before ${shown(rows[place]?.[column])}`,
				'Remove the sort, and use a Sort node',
			);
}

/** Finds a row that plainly fails an exact condition: on a number, enum, UUID, boolean, null or time. */
function findMismatch(filters: Filters, rows: readonly Ticket[]): ContractError | undefined {
	for (const column of columnNames) {
		for (const [operator, operand] of Object.entries(filters[column] ?? {})) {
			const fails = failing(operator, operand, column);
			const row = fails && rows.find((each) => each[column] !== undefined && fails(each[column]));
			if (row) return mismatch(column, { [operator]: operand }, row);
		}
	}
	return undefined;
}

const mismatch = (column: Column, operands: object, row: Ticket): ContractError =>
	searchContractError(
		`Tickets with ${columns[column].label} ${shown(operands)} were requested, but ticket ${textOf(ticketKey(row))} has ${shown(row[column])}`,
		'Search without this condition, and use a Filter node',
	);

/** Tells whether a value certainly fails an operator; undefined where only the service knows. */
function failing(
	operator: string,
	operand: unknown,
	column: Column,
): ((value: unknown) => boolean) | undefined {
	switch (operator) {
		case 'isNull':
		case 'isNotNull': {
			const wantsNull = (operator === 'isNull') === operand;
			return (value) => value !== '' && (value === null) !== wantsNull;
		}
		case 'eq':
		case 'in':
			return isNoneOf(castArray(operand), column);
		case 'ne':
		case 'notIn':
			return isOneOf(castArray(operand), column);
		case 'gt':
		case 'gte':
		case 'lt':
		case 'lte':
			return isBeyond(operator, operand, column);
		default:
			return undefined;
	}
}

function isNoneOf(operands: readonly unknown[], column: Column): (value: unknown) => boolean {
	const wanted = operands.map((operand) => comparable(operand, column));
	const exact = new Set(wanted);
	const isNear = (found: number): boolean =>
		wanted.some((one) => Math.abs(Number(one) - found) <= slackOf(column));
	return (value) => {
		const found = comparable(value, column);
		if (found === undefined || exact.has(found)) return value === null;
		return typeof found === 'string' || !isNear(found);
	};
}

function isOneOf(
	operands: readonly unknown[],
	column: Column,
): ((value: unknown) => boolean) | undefined {
	if (columns[column].kind === 'timestamp') return undefined;
	const unwanted = new Set(operands.map((operand) => comparable(operand, column)));
	return (value) => {
		const found = comparable(value, column);
		return found !== undefined && unwanted.has(found);
	};
}

function isBeyond(operator: string, operand: unknown, column: Column): (value: unknown) => boolean {
	const bound = Number(comparable(operand, column));
	const sign = operator.startsWith('g') ? 1 : -1;
	const slack = slackOf(column);
	return (value) => {
		if (value === null) return true;
		const distance = (Number(comparable(value, column)) - bound) * sign;
		return distance < -slack || (slack === 0 && distance === 0 && !operator.endsWith('e'));
	};
}

const slackOf = (column: Column): number => (columns[column].kind === 'timestamp' ? SLACK_MS : 0);

const shown = (value: unknown): string => shorten(JSON.stringify(value) ?? 'nothing', 100);
