import isEqual from 'lodash/isEqual';
import { z } from 'zod/v4';
import type { InputError, Problem } from '../core/failures';
import { problemsOf } from '../core/operation';
import type { Result } from '../core/result';
import { fail, ok } from '../core/result';
import type { Column, Kind } from './columns';
import { columnNames, columns } from './columns';
import { combine } from './combine';
import type { Filters } from './filters';
import { operandSchema } from './filters';
import type { Operator } from './operators';
import { operators, operatorsOf } from './operators';
import { widgetFor } from './widgets';

/** One condition of the filter builder: a column, an operator, and the fields that may hold its value. */
export const conditionSchema = z.looseObject({
	column: z.enum(columnNames as [Column, ...Column[]], {
		error: 'is not a ticket column. Choose one from the list',
	}),
	operator: z.enum(Object.keys(operators) as [Operator, ...Operator[]], {
		error: 'is not an operator. Choose one from the list',
	}),
});

/** A checked condition. */
export type Condition = z.infer<typeof conditionSchema>;

/** n8n turns an expression in place of the conditions into many default ones before a node sees it. */
const SAME =
	'Remove it. If an expression stands in place of the conditions, add them one by one with expressions in their fields, or choose JSON instead';

const UNDER = ['filters', 'conditions'];

/**
 * Turns the conditions of the builder into filters. All have to match; two on one column are combined, or refused
 * where no single filter says the same, so that none is ever overwritten.
 */
export function compileConditions(
	conditions: readonly Condition[],
	zone: string,
): Result<Filters, InputError> {
	const problems: Problem[] = [];
	const filters: Filters = {};
	for (const [index, condition] of conditions.entries()) {
		const { column, operator } = condition;
		const first = conditions.findIndex((other) => isEqual(other, condition));
		if (first < index) {
			problems.push({
				path: [...UNDER, index],
				message: `is the same as Condition ${first + 1}. ${SAME}`,
			});
			continue;
		}
		const operand = readOperand(condition, zone);
		if (!operand.ok) {
			problems.push(
				...operand.failure.map(({ path, message }) => ({
					path: [...UNDER, index, ...path],
					message,
				})),
			);
			continue;
		}
		const combined = combine(filters[column] ?? {}, operator, operand.value);
		if (combined.ok) filters[column] = combined.value;
		else
			problems.push({
				path: [...UNDER, index],
				message: `on ${columns[column].label} ${combined.failure}`,
			});
	}
	return problems.length > 0 ? fail({ kind: 'input', problems }) : ok(filters);
}

function readOperand(
	{ column, operator, ...fields }: Condition,
	zone: string,
): Result<unknown, Problem[]> {
	const kind: Kind = columns[column].kind;
	const allowed: readonly Operator[] = operatorsOf[kind];
	if (!allowed.includes(operator)) {
		const message = `'${operators[operator].label}' does not fit ${columns[column].label}. Choose another operator`;
		return fail([{ path: ['operator'], message }]);
	}
	if (operators[operator].operand === 'flag') return ok(true);
	const widget = widgetFor(kind, operator) ?? 'value';
	const parsed = operandSchema(operator, kind, zone).safeParse(
		readField(fields[widget], operator, kind),
	);
	return parsed.success
		? ok(parsed.data)
		: fail(problemsOf(parsed.error, [widget]).map(({ message }) => ({ path: [widget], message })));
}

/** What a field holds, in the type of its column: lists may be separated by commas, numbers may come as text. */
function readField(value: unknown, operator: Operator, kind: Kind): unknown {
	if (operators[operator].operand === 'many') return readList(value, kind);
	if (value === undefined || value === null) return '';
	return operator === 'isRelativeToToday' ? toNumber(value) : readOne(value, kind);
}

function readList(value: unknown, kind: Kind): unknown {
	if (value === undefined || value === null || value === '') return [];
	if (typeof value === 'object' && !Array.isArray(value)) return value;
	const parts: unknown[] = Array.isArray(value)
		? value
		: String(value)
				.split(',')
				.map((part) => part.trim())
				.filter((part) => part !== '');
	return parts.map((part) => readOne(part, kind));
}

function readOne(value: unknown, kind: Kind): unknown {
	if (kind === 'number') return toNumber(value);
	if (kind === 'boolean' && typeof value === 'string')
		return { true: true, false: false }[value.trim().toLowerCase()] ?? value;
	return value;
}

const toNumber = (value: unknown): unknown =>
	typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;
