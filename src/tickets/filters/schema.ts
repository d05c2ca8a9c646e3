import isEmpty from 'lodash/isEmpty';
import isUndefined from 'lodash/isUndefined';
import memoize from 'lodash/memoize';
import omitBy from 'lodash/omitBy';
import { z } from 'zod/v4';
import { isRecord } from '../../core/json';
import { isWritten, NOT_WRITTEN, uuid, withoutGaps } from '../../core/schemas';
import { isBlank } from '../../core/plainText';
import { listSome } from '../../core/words';
import type { Column, Kind } from '../columns';
import { columnNames, columns, priorities, sources, ticketNumberRange } from '../columns';
import type { Operator } from '../operators';
import { operators, operatorsByKind } from '../operators';
import type { Operands } from './combine';
import { addBounds } from './combine';
import type { DayForm } from './days';
import { utcTimestamp, wholeDay } from './days';

/** Filters as the service takes them: several columns and operators all have to match. */
export type Filters = Partial<Record<Column, Operands>>;

/** The schema of filters; a time without an offset is read in `zone` and becomes UTC. */
export const filtersSchema = memoize((zone: string): z.ZodType<Filters> => {
	const shape = Object.fromEntries(
		columnNames.map((name) => [name, columnSchema(columns[name].kind, zone).optional()]),
	);
	const filters = z.strictObject(shape, {
		error: (issue) =>
			issue.code === 'unrecognized_keys'
				? unknownKeys('column', issue.keys, columnNames)
				: 'must be an object of columns, e.g. {"priority": {"in": ["urgent", "high"]}}',
	}) as z.ZodType<Filters>;
	return withoutGaps(filters);
});

/** Names the keys that do not exist, and all that do. */
function unknownKeys(what: string, keys: readonly string[], names: readonly string[]): string {
	return `has no ${what} ${listSome(keys, "'")}. Remove or rename it. The ${what}s are ${names.join(', ')}`;
}

/** The schema of the operators on one column, in which a day means the whole day. */
export const columnSchema = memoize(
	makeColumnSchema,
	(kind: Kind, zone: string, form: DayForm = 'date') => `${kind} ${zone} ${form}`,
);

function makeColumnSchema(kind: Kind, zone: string, form: DayForm = 'date'): z.ZodType<Operands> {
	const names: readonly Operator[] = operatorsByKind[kind];
	const shape = Object.fromEntries(
		names.map((name) => [name, operandSchema(name, kind, zone).optional()]),
	);
	const operands = z.strictObject(shape, {
		error: (issue) =>
			issue.code === 'unrecognized_keys'
				? unknownKeys('operator', issue.keys, names)
				: `must be an object of operators, e.g. {"${names[0] ?? 'eq'}": …}`,
	});
	return z
		.unknown()
		.refine((value) => !isRecord(value) || !isEmpty(omitBy(value, isUndefined)), {
			error: `has no operator, so it would match everything. Add one of ${names.join(', ')}, or remove the column`,
			abort: true,
		})
		.pipe(kind === 'timestamp' ? withWholeDays(zone, form).pipe(operands) : operands);
}

/** Turns operators on days into operators on times. */
const withWholeDays = (zone: string, form: DayForm): z.ZodType =>
	z.unknown().transform((value, context) => {
		if (!isRecord(value)) return value;
		let operands: Operands = {};
		// Values that are not times are rejected later, because another bound could replace them here.
		const rejected: Record<string, unknown> = {};
		for (const [operator, operand] of Object.entries(value)) {
			const isTime = typeof operand === 'string' && operator !== 'isBetween';
			const time = isTime ? utcTimestamp(operand, zone) : undefined;
			const day = wholeDay(operator, operand, { zone, form });
			if (day?.ok === false)
				context.addIssue({ code: 'custom', path: [operator], message: day.failure });
			else if (day) operands = addBounds(operands, day.value);
			else if (time !== undefined) operands = addBounds(operands, { [operator]: time });
			else rejected[operator] = operand;
		}
		return { ...operands, ...rejected };
	});

function operandSchema(operator: Operator, kind: Kind, zone: string): z.ZodType {
	const one = valueSchema(kind, zone);
	const many = z
		.array(one, { error: 'must be a list, e.g. ["a", "b"]' })
		.min(1, { error: 'is an empty list. Add a value' });
	switch (operators[operator].operand) {
		case 'one':
			return one;
		case 'many':
			return many;
		case 'oneOrMany':
			return z.unknown().transform((value, context) => {
				const parsed = (Array.isArray(value) ? many : one).safeParse(value);
				if (parsed.success) return parsed.data;
				for (const { path, message } of parsed.error.issues)
					context.addIssue({ code: 'custom', path, message });
				return z.NEVER;
			});
		case 'flag':
			return z.boolean({ error: 'must be true or false' });
		case 'pattern':
			return filledText.refine((text) => !/^%+$/.test(text), {
				error: 'matches any text. Add text to it, or use Is Set (isNotNull)',
			});
		case 'text':
			return filledText;
		case 'number':
			return z.number({ error: 'must be a number' });
	}
}

/** The message about an empty value. */
export const EMPTY_CONDITION = 'is empty. Enter a value or remove the condition';

/** Text that is not empty. */
export const filledText = z
	.string({ error: 'must be text' })
	.refine((text) => !isBlank(text), { error: EMPTY_CONDITION })
	.refine((text) => !/^Invalid Date(Time)?$/.test(text.trim()), {
		error: 'is what an expression writes for a date that is not valid. Correct the expression',
	});

/** The schema of one value of a kind of column. */
function valueSchema(kind: Kind, zone: string): z.ZodType {
	switch (kind) {
		case 'identifier':
			return uuid;
		case 'text':
			// "undefined" with `ne` would match every ticket.
			return filledText.refine(isWritten, { error: NOT_WRITTEN });
		case 'number':
			return z
				.int({ error: notWhole })
				.min(ticketNumberRange.min, { error: outOfRange })
				.max(ticketNumberRange.max, { error: outOfRange });
		case 'source':
			return enumSchema(Object.keys(sources));
		case 'priority':
			return enumSchema(Object.keys(priorities));
		case 'timestamp':
			return z.string({ error: BAD_TIME }).transform((value, context) => {
				const time = utcTimestamp(value, zone);
				if (time !== undefined) return time;
				const bad = `"${value.slice(0, 40)}" ${BAD_TIME}`;
				const message = value.trim() ? bad : 'is empty. Enter a date or remove the condition';
				context.addIssue({ code: 'custom', message });
				return z.NEVER;
			});
		case 'boolean':
			return z.boolean({ error: 'must be true or false' });
	}
}

const notWhole = ({ input }: { readonly input?: unknown }): string =>
	/\d[\s,]+\d/.test(String(input))
		? 'must be a whole number without separators. Separate several by a comma and a blank'
		: 'must be a whole number';
const outOfRange = `must be between ${ticketNumberRange.min} and ${ticketNumberRange.max}`;
const BAD_TIME = 'is not a valid date. Use e.g. 2026-01-31 or 2026-01-31T09:00:00Z';

const enumSchema = (values: readonly string[]): z.ZodType =>
	z.enum(values as [string, ...string[]], { error: `must be one of ${values.join(', ')}` });
