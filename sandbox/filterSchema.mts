import { z } from 'zod/v4';
import { mapColumns, priorities, sources } from './columns.mts';
import type { Column, ColumnKind } from './columns.mts';
import { timestamp } from './ticket.mts';

/** A single operand of a filter. */
export type FilterValue = string | number | boolean;

/** Operators of one column with their operands. */
export type Conditions = Readonly<Record<string, FilterValue | readonly FilterValue[]>>;

/** Checked filters; all operators of all columns must hold. */
export type Filters = Partial<Record<Column, Conditions>>;

const flags = {
	isNull: z.boolean(),
	isNotNull: z.boolean(),
	isEmpty: z.boolean(),
	isNotEmpty: z.boolean(),
};

const patterns = {
	iLike: z.string(),
	notILike: z.string(),
	like: z.string(),
	notLike: z.string(),
};

function valued<T extends z.ZodType>(value: T) {
	const list = z.array(value);
	return { eq: value, ne: z.union([value, list]), in: list, notIn: list, ...flags };
}

function bounds<T extends z.ZodType>(value: T) {
	return { gt: value, gte: value, lt: value, lte: value };
}

/** The operand of `isBetween`, "from,to", whose format the document does not show. */
const timestampPair = z.string().refine(
	(value) => {
		const ends = value.split(',');
		return ends.length === 2 && ends.every((end) => timestamp.safeParse(end).success);
	},
	{ error: 'Expected two ISO 8601 timestamps separated by a comma' },
);

/** The operators of each kind of column. */
const operatorsByKind = {
	text: z.strictObject({ ...valued(z.string()), ...patterns }).partial(),
	number: z.strictObject({ ...valued(z.number()), ...bounds(z.number()) }).partial(),
	source: z.strictObject({ ...valued(z.enum(sources)), ...patterns }).partial(),
	priority: z.strictObject({ ...valued(z.enum(priorities)), ...patterns }).partial(),
	timestamp: z
		.strictObject({
			...valued(timestamp),
			...bounds(timestamp),
			isBetween: timestampPair,
			isRelativeToToday: z.int().min(-100_000).max(100_000),
		})
		.partial(),
	boolean: z.strictObject(valued(z.boolean())).partial(),
} satisfies Record<ColumnKind, z.ZodType>;

/** The member `filters` of a search. */
export const filters = z.strictObject(mapColumns((_, kind) => operatorsByKind[kind].optional()));
