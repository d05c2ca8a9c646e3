import { columnKinds } from './columns.mts';
import type { Column, ColumnKind } from './columns.mts';
import type { Conditions, Filters, FilterValue } from './filterSchema.mts';
import { normalTimestamp, utcDay } from './timestamp.mts';

/** Part of a statement with the values of its question marks. */
export interface Sql {
	text: string;
	values: Array<string | number>;
}

type Operand = FilterValue | readonly FilterValue[];
type Compile = (name: string, operand: Operand, kind: ColumnKind) => Sql;

function stored(value: FilterValue, kind: ColumnKind): string | number {
	if (typeof value === 'boolean') return Number(value);
	return kind === 'timestamp' && typeof value === 'string' ? normalTimestamp(value) : value;
}

function compare(sign: string): Compile {
	return (name, operand, kind) => ({
		text: `${name} ${sign} ?`,
		values: [stored(operand as FilterValue, kind)],
	});
}

/** One JSON parameter instead of many question marks, so a statement is prepared once. */
function list(word: 'IN' | 'NOT IN'): Compile {
	return (name, operand, kind) => ({
		text: `${name} ${word} (SELECT value FROM json_each(?))`,
		values: [JSON.stringify((operand as FilterValue[]).map((value) => stored(value, kind)))],
	});
}

function flag(whenTrue: (name: string) => string): Compile {
	return (name, operand) => ({
		text: operand === true ? whenTrue(name) : `NOT (${whenTrue(name)})`,
		values: [],
	});
}

function like(ignoreCase: 0 | 1, wanted: 0 | 1): Compile {
	return (name, operand) => ({
		text: `matches_like(${name}, ?, ${ignoreCase}) = ${wanted}`,
		values: [operand as string],
	});
}

/** As in SQL, `ne`, `notLike` and their like never match null; `notIn` of an empty list matches all. */
const operators: Readonly<Record<string, Compile>> = {
	eq: compare('='),
	ne: (name, operand, kind) =>
		(Array.isArray(operand) ? list('NOT IN') : compare('<>'))(name, operand, kind),
	in: list('IN'),
	notIn: list('NOT IN'),
	isNull: flag((name) => `${name} IS NULL`),
	isNotNull: flag((name) => `${name} IS NOT NULL`),
	isEmpty: flag((name) => `${name} IS NULL OR ${name} = ''`),
	isNotEmpty: flag((name) => `${name} IS NOT NULL AND ${name} <> ''`),
	like: like(0, 1),
	notLike: like(0, 0),
	iLike: like(1, 1),
	notILike: like(1, 0),
	gt: compare('>'),
	gte: compare('>='),
	lt: compare('<'),
	lte: compare('<='),
	isBetween: (name, operand) => ({
		text: `${name} BETWEEN ? AND ?`,
		values: (operand as string).split(',').map(normalTimestamp),
	}),
};

function relativeDay(name: string, days: number, now: number): Sql {
	const day = utcDay(now, days);
	return { text: `${name} >= ? AND ${name} < ?`, values: [day.from, day.to] };
}

const keyOperators = ['eq', 'in', 'gt', 'gte', 'lt', 'lte'];

/** Turns checked filters into a WHERE clause; `isRelativeToToday` counts from now (ms). */
export function whereClause(filters: Filters, now: number): Sql {
	const byNumber = keyOperators.some((operator) => operator in (filters.ticketNumber ?? {}));
	const parts: Sql[] = [];
	for (const [column, conditions] of Object.entries(filters) as Array<[Column, Conditions]>) {
		for (const [operator, operand] of Object.entries(conditions)) {
			// A unary plus keeps SQLite from preferring another index to the one on ticketNumber.
			const bypass = byNumber && column !== 'ticketNumber' && operator !== 'eq';
			const name = `${bypass ? '+' : ''}"${column}"`;
			const compile = operators[operator];
			parts.push(
				compile
					? compile(name, operand, columnKinds[column])
					: relativeDay(name, operand as number, now),
			);
		}
	}
	return {
		text: parts.map((part) => `(${part.text})`).join(' AND ') || '1',
		values: parts.flatMap((part) => part.values),
	};
}
