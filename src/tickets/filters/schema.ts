import { memoize } from 'lodash';
import { z } from 'zod/v4';
import { isRecord } from '../../core/json';
import { choice, isRealText, NOT_REAL_TEXT, uuid, rejectGaps } from '../../core/schemas';
import { isBlank } from '../../core/plainText';
import { addFault } from '../../core/problems';
import { listSome } from '../../core/words';
import {
	columnNames,
	columns,
	priorities,
	sources,
	ticketNumberRange,
	type Column,
	type Kind,
} from '../columns';
import { listOperators, operators, type Operand, type Operator } from '../operators';
import type { Operands } from './combine';
import { expandWholeDay, toUtcTimestamp, type DayForm } from './days';

/** Filters as the service takes them: several columns and operators all have to match. */
export type Filters = Partial<Record<Column, Operands>>;

/** The schema of filters; a time without an offset is read in `zone` and becomes UTC. */
export const filtersSchema = memoize((zone: string): z.ZodType<Filters> => {
	const shape = Object.fromEntries(
		columnNames.map((name) => [name, columnSchema(columns[name].kind, zone).optional()]),
	);
	return rejectGaps(
		strictObjectSchema('column', shape, '{"priority": {"in": ["urgent", "high"]}}'),
	);
});

/** Makes a schema of an object whose keys are columns or operators. Its error names unknown and possible keys. */
function strictObjectSchema(
	what: string,
	shape: z.ZodRawShape,
	example: string,
): z.ZodType<object> {
	const names = Object.keys(shape).join(', ');
	return z.strictObject(shape, {
		error: (issue) =>
			issue.code === 'unrecognized_keys'
				? `has no ${what} ${listSome(issue.keys, "'")}. Remove or rename it. The ${what}s are ${names}`
				: `must be an object of ${what}s, e.g. ${example}`,
	});
}

/** Builds the schema of the operators on one column. Times become UTC, and days are whole (see `DayForm`). */
export const columnSchema = memoize(
	(kind: Kind, zone: string, form: DayForm = 'date'): z.ZodType<Operands> => {
		const names = listOperators(kind);
		const shape = Object.fromEntries(
			names.map((name) => [name, buildOperandSchema(name, kind, zone).optional()]),
		);
		const operands = strictObjectSchema('operator', shape, '{"eq": …}');
		const lacksOperator = (value: unknown) =>
			isRecord(value) && Object.values(value).every((operand) => operand === undefined);
		const error = `has no operator, so it would match everything. Add one of ${names.join(', ')}, or remove the column`;
		return z
			.unknown()
			.refine((value) => !lacksOperator(value), { error, abort: true })
			.pipe(kind === 'timestamp' ? withWholeDays(zone, form).pipe(operands) : operands);
	},
	(kind, zone, form) => `${kind} ${zone} ${form}`,
);

/** Makes a schema that replaces operators on days by those on times, e.g. `eq` by `gte` and `lt`. */
const withWholeDays = (zone: string, form: DayForm): z.ZodType =>
	z.unknown().transform((value, context) => {
		if (!isRecord(value)) return value;
		const operands: Record<string, unknown> = {};
		for (const [operator, operand] of Object.entries(value)) {
			const day = expandWholeDay(operator, operand, { zone, form });
			const meaning = day?.ok === true ? day.value : { [operator]: operand };
			// On days, `gt` and `gte` both become `gte`, so one would overwrite the other.
			const isTaken = Object.keys(meaning).some((name) => name in operands);
			const message = day?.ok === false ? day.failure : isTaken && TWO_BOUNDS;
			if (message) context.addIssue({ code: 'custom', path: [operator], message });
			Object.assign(operands, meaning);
		}
		return operands;
	});

const TWO_BOUNDS = 'is a second bound at the same end. Remove one';

/** The message about an empty value. */
export const EMPTY_CONDITION = 'is empty. Enter a value or remove the condition';

/** Text that is neither empty nor the text of an invalid date. */
export const filledText = z
	.string({ error: 'must be text' })
	.refine((text) => !isBlank(text), { error: EMPTY_CONDITION })
	.refine((text) => !/^Invalid Date(Time)?$/.test(text.trim()), {
		error: 'is what an expression writes for a date that is not valid. Correct the expression',
	});

const yesOrNo = z.boolean({ error: 'must be true or false' });

/** Builds the schema of an operator's value on a kind of column. `ne` takes one value or a list. */
function buildOperandSchema(operator: Operator, kind: Kind, zone: string): z.ZodType {
	const one = listValueSchemas(zone)[kind];
	const many = z
		.array(one, { error: 'must be a list, e.g. ["a", "b"]' })
		.min(1, { error: 'is an empty list. Add a value' });
	if (operator === 'ne')
		return z
			.preprocess((value) => (Array.isArray(value) ? value : [value]), many)
			.transform((values) => (values.length === 1 ? values[0] : values));
	const schemas: Record<Operand, z.ZodType> = {
		one,
		many,
		flag: yesOrNo,
		pattern: filledText.refine((text) => !/^%+$/.test(text), {
			error: 'matches any text. Add text to it, or use Is Set (isNotNull)',
		}),
		text: filledText,
		number: z.number({ error: 'must be a number' }),
	};
	return schemas[operators[operator].operand];
}

/** Returns the schemas of one value, by the kind of its column. `zone` applies to times without an offset. */
const listValueSchemas = memoize((zone: string): Record<Kind, z.ZodType> => ({
	identifier: uuid,
	// "undefined" with `ne` would match every ticket.
	text: filledText.refine(isRealText, { error: NOT_REAL_TEXT }),
	number: z
		.int({
			error: 'must be a whole number without separators, e.g. 1001, or a list such as 1001, 1002',
		})
		.min(ticketNumberRange.min, { error: outOfRange })
		.max(ticketNumberRange.max, { error: outOfRange }),
	source: choice(Object.keys(sources)),
	priority: choice(Object.keys(priorities)),
	timestamp: z.unknown().transform((entered, context) => {
		const value = typeof entered === 'string' ? entered : undefined;
		return toUtcTimestamp(entered, zone) ?? addFault(context, { value, reason: BAD_TIME });
	}),
	boolean: yesOrNo,
}));

const outOfRange = `must be between ${ticketNumberRange.min} and ${ticketNumberRange.max}`;
const BAD_TIME = 'is not a valid date. Use e.g. 2026-01-31 or 2026-01-31T09:00:00Z';
