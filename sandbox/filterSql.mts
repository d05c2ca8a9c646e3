import { columnKinds } from './columns.mts';
import type { Column, ColumnKind } from './columns.mts';
import type { Conditions, Filters, FilterValue } from './filterSchema.mts';
import { DAY_MS, normalTimestamp } from './ticket.mts';

/** Part of a statement with the values of its question marks. */
export interface Sql {
	text: string;
	values: Array<string | number>;
}

type Operand = FilterValue | readonly FilterValue[];
type Compile = (name: string, operand: Operand, kind: ColumnKind, now: number) => Sql;

function stored(value: FilterValue, kind: ColumnKind): string | number {
	if (typeof value === 'boolean') return Number(value);
	return kind === 'timestamp' && typeof value === 'string' ? normalTimestamp(value) : value;
}

function compareWith(sign: string): Compile {
	return (name, operand, kind) => ({
		text: `${name} ${sign} ?`,
		values: [stored(operand as FilterValue, kind)],
	});
}

/** Compares with a list as one JSON parameter, so that a statement is prepared once. */
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

/** Compares with a UTC day, counted from the day of `now` (ms). */
const relativeDay: Compile = (name, days, _kind, now) => {
	const startMs = (Math.floor(now / DAY_MS) + Number(days)) * DAY_MS;
	const values = [startMs, startMs + DAY_MS].map((time) => new Date(time).toISOString());
	return { text: `${name} >= ? AND ${name} < ?`, values };
};

/** The SQL of each operator; `ne` and `notLike` never match null, and `notIn` of an empty list matches all. */
const operators: Readonly<Record<string, Compile>> = {
	eq: compareWith('='),
	ne: (name, operand, kind, now) =>
		(Array.isArray(operand) ? list('NOT IN') : compareWith('<>'))(name, operand, kind, now),
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
	gt: compareWith('>'),
	gte: compareWith('>='),
	lt: compareWith('<'),
	lte: compareWith('<='),
	isRelativeToToday: relativeDay,
	isBetween: (name, operand) => ({
		text: `${name} BETWEEN ? AND ?`,
		values: (operand as string).split(',').map(normalTimestamp),
	}),
};

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
			if (compile) parts.push(compile(name, operand, columnKinds[column], now));
		}
	}
	return {
		text: parts.map((part) => `(${part.text})`).join(' AND ') || '1',
		values: parts.flatMap((part) => part.values),
	};
}
