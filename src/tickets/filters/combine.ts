import gt from 'lodash/gt';
import isEqual from 'lodash/isEqual';
import uniq from 'lodash/uniq';
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
			return ok(uniq([before, operand].flat()));
		case 'gt':
		case 'gte':
			return ok(gt(before, operand) ? before : operand);
		case 'lt':
		case 'lte':
			return ok(gt(before, operand) ? operand : before);
		default:
			return fail(
				`cannot be ${JSON.stringify(before)} and ${JSON.stringify(operand)} at once. Keep one, or use ${operator === 'eq' ? "'Is Any Of'" : 'a Filter node'}`,
			);
	}
}

/** The operators of a column with bounds that have to match as well. */
export function addBounds(existing: Operands = {}, bounds: Operands): Operands {
	const both = combineOperands(existing, bounds);
	return both.ok ? both.value : existing;
}
