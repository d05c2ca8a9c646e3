import { gt, isEqual, uniq } from 'lodash';
import { fail, ok, type Result } from '../../core/result';
import type { Operator } from '../operators';

/** The operators on one column. */
export type Operands = Partial<Record<Operator, unknown>>;

/** Adds operators to those of a column, so all have to match; fails if no filter expresses both. */
export function combineOperands(existing: Operands, added: Operands): Result<Operands, string> {
	let combined = existing;
	for (const [operator, operand] of Object.entries(added)) {
		const before: unknown = Reflect.get(combined, operator);
		const differs = before !== undefined && !isEqual(before, operand);
		const both = differs ? mergeOperand(operator as Operator, before, operand) : ok(operand);
		if (!both.ok) return both;
		combined = { ...combined, [operator]: both.value };
	}
	return ok(combined);
}

/** Merges two different operands of an operator into one that means both; fails for the other operators. */
function mergeOperand(operator: Operator, old: unknown, added: unknown): Result<unknown, string> {
	switch (operator) {
		case 'ne': // It takes one value or a list.
		case 'notIn':
			return ok(uniq([old, added].flat()));
		// `gt` of lodash compares numbers, and UTC times as text.
		case 'gt':
		case 'gte':
			return ok(gt(old, added) ? old : added);
		case 'lt':
		case 'lte':
			return ok(gt(old, added) ? added : old);
		default: // E.g. `eq`, or `in`: both conditions are rarely meant.
			return fail(
				`can have only one such value, ${JSON.stringify(old)} or ${JSON.stringify(added)}. Keep one, or use ${operator === 'eq' ? "'Is Any Of'" : 'a Filter node'}`,
			);
	}
}
