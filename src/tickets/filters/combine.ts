import intersectionWith from 'lodash/intersectionWith';
import isEqual from 'lodash/isEqual';
import unionWith from 'lodash/unionWith';
import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import type { Operator } from '../operators';

/** The operators on one column. */
export type Operands = Partial<Record<Operator, unknown>>;

/** Adds one operator to those of a column, so all of them have to match; says why where that cannot be. */
export function combineOperands(
	existing: Operands,
	operator: Operator,
	operand: unknown,
): Result<Operands, string> {
	const before = existing[operator];
	if (before === undefined || isEqual(before, operand))
		return ok({ ...existing, [operator]: operand });
	switch (operator) {
		case 'ne':
		case 'notIn':
			return ok({ ...existing, [operator]: unionWith(asList(before), asList(operand), isEqual) });
		case 'in': {
			const both = intersectionWith(asList(before), asList(operand), isEqual);
			return both.length > 0
				? ok({ ...existing, in: both })
				: fail(
						"has two 'Is Any Of' conditions with no value in common, so nothing can match. Put all values into one condition",
					);
		}
		case 'gt':
		case 'gte':
			return ok({ ...existing, [operator]: later(before, operand) });
		case 'lt':
		case 'lte':
			return ok({ ...existing, [operator]: later(before, operand) === before ? operand : before });
		default:
			return fail(
				operator === 'eq'
					? `cannot be ${JSON.stringify(before)} and ${JSON.stringify(operand)} at once. Use 'Is Any Of'`
					: "has two conditions that the service cannot combine. Keep one, use 'Is Any Of', or make one of two texts case-sensitive",
			);
	}
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/** The greater of two numbers, or of two UTC timestamps (which sort as text). */
const later = (a: unknown, b: unknown): unknown =>
	typeof a === 'number' && typeof b === 'number' ? Math.max(a, b) : String(a) > String(b) ? a : b;

/** The operators of a column with others that have to match as well, where one condition can say both. */
export function addOperand(existing: Operands = {}, added: Operands): Operands {
	let combined = existing;
	for (const [operator, operand] of Object.entries(added)) {
		const both = combineOperands(combined, operator as Operator, operand);
		if (both.ok) combined = both.value;
	}
	return combined;
}
