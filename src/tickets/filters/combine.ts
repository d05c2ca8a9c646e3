import castArray from 'lodash/castArray';
import gt from 'lodash/gt';
import intersection from 'lodash/intersection';
import isEqual from 'lodash/isEqual';
import union from 'lodash/union';
import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import type { Operator } from '../operators';

/** The operators on one column. */
export type Operands = Partial<Record<Operator, unknown>>;

/** Adds operators to those of a column, so all have to match; fails if no filter expresses both. */
export function combineOperands(existing: Operands, added: Operands): Result<Operands, string> {
	let combined = existing;
	for (const [operator, operand] of Object.entries(added)) {
		const before: unknown = Reflect.get(combined, operator);
		const isNew = before === undefined || isEqual(before, operand);
		const both = isNew ? ok(operand) : combine(operator as Operator, before, operand);
		if (!both.ok) return both;
		combined = { ...combined, [operator]: both.value };
	}
	return ok(combined);
}

/** The operand that means the same as two operands together. */
function combine(operator: Operator, before: unknown, operand: unknown): Result<unknown, string> {
	switch (operator) {
		case 'ne':
		case 'notIn':
			return ok(union(castArray(before), castArray(operand)));
		case 'in': {
			const both = intersection(castArray(before), castArray(operand));
			return both.length > 0
				? ok(both)
				: fail(
						"has two 'Is Any Of' conditions with no value in common, so nothing can match. Put all values into one condition",
					);
		}
		case 'gt':
		case 'gte':
			return ok(isAfter(before, operand) ? before : operand);
		case 'lt':
		case 'lte':
			return ok(isAfter(before, operand) ? operand : before);
		default:
			return fail(
				operator === 'eq'
					? `cannot be ${JSON.stringify(before)} and ${JSON.stringify(operand)} at once. Use 'Is Any Of'`
					: "has two conditions that the service cannot combine. Keep one, use 'Is Any Of', or make one of two texts case-sensitive",
			);
	}
}

/** Whether a number is greater, or a UTC time later; times sort as text without their Z. */
export const isAfter = (a: unknown, b: unknown): boolean => gt(sortable(a), sortable(b));

const sortable = (value: unknown): unknown =>
	typeof value === 'string' ? value.replace(/Z$/, '') : value;

/** The operators of a column with bounds that have to match as well. */
export function addBounds(existing: Operands = {}, bounds: Operands): Operands {
	const both = combineOperands(existing, bounds);
	return both.ok ? both.value : existing;
}
