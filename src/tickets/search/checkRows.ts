import type { Column, Kind } from '../columns';
import { columnNames, columns } from '../columns';
import type { Operands } from '../filters/combine';
import type { Filters } from '../filters/schema';
import type { Ticket } from '../ticket';
import { breaksEscape } from './escapes';
import type { Query } from './query';
import { isOutOfOrder, numberIn, timeOf } from './rowOrder';

/** A member of a search that a service may write in two ways. */
export type Member = 'sort' | 'select';

/** So many columns that were not selected come because selection is ignored; a few may always come. */
const UNSELECTED = 4;

/** The members of a search that its rows show to be ignored. */
export function ignoredMembers({ sort, select }: Query, rows: readonly Ticket[]): Member[] {
	return [
		...(isOutOfOrder(rows, sort) ? (['sort'] as const) : []),
		...(select.length > 0 && isUnselected(rows, select) ? (['select'] as const) : []),
	];
}

const allColumns: ReadonlySet<string> = new Set(columnNames);

/** Whether a row has columns that were not selected. */
function isUnselected(rows: readonly Ticket[], select: Query['select']): boolean {
	const chosen = new Set<string>(select);
	return rows.some((row) => {
		let others = 0;
		for (const name of Object.keys(row)) if (!chosen.has(name) && allColumns.has(name)) others += 1;
		return others >= UNSELECTED;
	});
}

/** The first column on which a row certainly does not match the filters, or undefined where none does. */
export function unmatchedColumn(filters: Filters, rows: readonly Ticket[]): Column | undefined {
	const filtered = columnNames.filter((name) => filters[name] !== undefined);
	return filtered.find((column) => {
		const isUnmatched = checkOf(filters[column] ?? {}, columns[column].kind);
		return rows.some((row) => row[column] !== undefined && isUnmatched(row[column]));
	});
}

/** Says of a value that it certainly does not match. */
type Check = (value: unknown) => boolean;

/** Text is left to the service, which knows its collation. */
function checkOf(operands: Operands, kind: Kind): Check {
	if (operands.isNull === true || operands.isNotNull === false) return (value) => value !== null;
	const isUnmatched =
		kind === 'text'
			? (value: unknown) => breaksEscape(operands, value)
			: kind === 'number' || kind === 'timestamp'
				? isOutside(operands, kind)
				: isUnequal(operands);
	const isSet = operands.isNotNull === true || operands.isNull === false;
	return (value) => (isSet && value === null) || isUnmatched(value);
}

function isUnequal({ eq, in: list }: Operands): Check {
	if (eq === undefined && list === undefined) return () => false;
	const wanted = [...(eq === undefined ? [] : [eq]), ...(Array.isArray(list) ? list : [])];
	const keys = new Set(wanted.map(keyOf));
	const types = new Set(['object', ...wanted.map((one) => typeof one)]);
	// What is written in another way, such as 1 for true, is left to the service.
	return (value) => types.has(typeof value) && !keys.has(keyOf(value));
}

const keyOf = (value: unknown): string => JSON.stringify(value).toLowerCase();

const HOUR_MS = 3_600_000;

/** How far a time may be off: a fraction of a second that is not shown, a zone, or the hours of a day as well. */
function slackOf(value: unknown): number {
	if (typeof value !== 'string' || /[T ].*(Z|[+-]\d{2}(:?\d{2})?)$/i.test(value)) return 1_000;
	return (/\d[T ]/i.test(value) ? 26 : 50) * HOUR_MS;
}

function isOutside(operands: Operands, kind: 'number' | 'timestamp'): Check {
	const read = kind === 'number' ? numberIn : timeOf;
	const { eq, gt, gte, lt, lte, in: listed } = operands;
	const isCompared = [eq, gt, gte, lt, lte, listed].some((operand) => operand !== undefined);
	const bound = (operand: unknown, otherwise: number): number => read(operand) ?? otherwise;
	const low = Math.max(bound(gte, -Infinity), bound(gt, -Infinity));
	const high = Math.min(bound(lte, Infinity), bound(lt, Infinity));
	const list = Array.isArray(listed) ? new Set(listed.map(read)) : undefined;
	const openEnds = [read(gt), read(lt)];
	return (value) => {
		if (value === null) return isCompared;
		const number = read(value);
		if (number === undefined) return false;
		const slack = kind === 'number' ? 0 : slackOf(value);
		if (number < low - slack || number > high + slack) return true;
		if (kind === 'timestamp') return false;
		return openEnds.includes(number) || number !== bound(eq, number) || list?.has(number) === false;
	};
}
