import type { Column, Kind } from '../columns';
import { columnNames, columns } from '../columns';
import type { Operands } from '../filters/combine';
import type { Filters } from '../filters/schema';
import type { Ticket } from '../ticket';
import type { Query } from './query';
import { isOutOfOrder, numberIn, timeOf } from './rowOrder';

/** A member of a search that a service may write in two ways. */
export type Member = 'sort' | 'select';

/** So many columns that were not selected come because selection is ignored; a few may always come. */
const UNSELECTED = 4;

/** The members of a search that its rows show to be ignored. */
export function ignoredMembers({ sort, select }: Query, rows: readonly Ticket[]): Member[] {
	const chosen = new Set<string>(select);
	const others = columnNames.filter((name) => !chosen.has(name));
	const isUnselected = rows.some(
		(row) => others.filter((name) => Object.hasOwn(row, name)).length >= UNSELECTED,
	);
	return [
		...(isOutOfOrder(rows, sort) ? (['sort'] as const) : []),
		...(select.length > 0 && isUnselected ? (['select'] as const) : []),
	];
}

/** The first column on which a row certainly does not match the filters, or undefined where none does. */
export function unmatchedColumn(filters: Filters, rows: readonly Ticket[]): Column | undefined {
	const filtered = columnNames.filter((name) => filters[name] !== undefined);
	return filtered.find((column) =>
		rows.some(
			(row) =>
				row[column] !== undefined &&
				isUnmatched(row[column], filters[column] ?? {}, columns[column].kind),
		),
	);
}

/** Text is left to the service, which knows its collation. */
function isUnmatched(value: unknown, operands: Operands, kind: Kind): boolean {
	if (operands.isNull === true || operands.isNotNull === false) return value !== null;
	if (operands.isNotNull === true || operands.isNull === false) {
		if (value === null) return true;
	}
	if (kind === 'text') return false;
	if (kind === 'number' || kind === 'timestamp') return isOutside(value, operands, kind);
	return !hasEqual(value, operands);
}

function hasEqual(value: unknown, { eq, in: list }: Operands): boolean {
	if (eq === undefined && list === undefined) return true;
	const wanted = [...(eq === undefined ? [] : [eq]), ...(Array.isArray(list) ? list : [])];
	const key = keyOf(value);
	return wanted.some((one) => keyOf(one) === key);
}

const keyOf = (value: unknown): string => JSON.stringify(value).toLowerCase();

/** How far a time may be off: a fraction that is not shown, or a zone. */
const slackOf = (value: unknown): number =>
	typeof value === 'string' && !/(Z|[+-]\d{2}(:?\d{2})?)$/i.test(value) ? 26 * 3_600_000 : 1_000;

function isOutside(value: unknown, operands: Operands, kind: 'number' | 'timestamp'): boolean {
	const read = kind === 'number' ? numberIn : timeOf;
	const slack = kind === 'number' ? 0 : slackOf(value);
	const number = read(value);
	const compares = operands.eq ?? operands.gt ?? operands.gte ?? operands.lt ?? operands.lte;
	if (value === null) return compares !== undefined || operands.in !== undefined;
	if (number === undefined) return false;
	const bound = (operand: unknown, otherwise: number): number => read(operand) ?? otherwise;
	const low = Math.max(bound(operands.gte, -Infinity), bound(operands.gt, -Infinity));
	const high = Math.min(bound(operands.lte, Infinity), bound(operands.lt, Infinity));
	if (number < low - slack || number > high + slack) return true;
	if (kind === 'timestamp') return false;
	const isAtOpenEnd = number === read(operands.gt) || number === read(operands.lt);
	const list = Array.isArray(operands.in) ? operands.in.map(read) : [number];
	return isAtOpenEnd || number !== bound(operands.eq, number) || !list.includes(number);
}
