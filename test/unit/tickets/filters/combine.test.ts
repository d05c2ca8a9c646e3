import fc from 'fast-check';
import type { Operands } from '../../../../src/tickets/filters/combine';
import { combineOperands } from '../../../../src/tickets/filters/combine';
import type { Operator } from '../../../../src/tickets/operators';

it.each<[Operands, Operands, Operands | undefined]>([
	[{ eq: 'a' }, { eq: 'a' }, { eq: 'a' }],
	[{ iLike: '%a%' }, { like: '%b%' }, { iLike: '%a%', like: '%b%' }],
	[{ iLike: '%a%' }, { iLike: '%b%' }, undefined],
	[{ isBetween: 'a' }, { isBetween: 'b' }, undefined],
	[{ in: ['a', 'b'] }, { in: ['b', 'c'] }, undefined],
])('two conditions on one column %j and %j are %j, or refused', (existing, added, expected) => {
	const both = combineOperands(existing, added);
	expect(both.ok ? both.value : undefined).toEqual(expected);
});

it('two conditions on one column never drop a restriction: combined they match exactly what both match', () => {
	const value = fc.integer({ min: 0, max: 6 });
	const values = fc.array(value, { minLength: 1, maxLength: 4 });
	const restriction = fc.oneof(
		fc.tuple(fc.constantFrom<Operator>('eq', 'gt', 'gte', 'lt', 'lte'), value),
		fc.tuple(fc.constant<Operator>('notIn'), values),
		fc.tuple(fc.constant<Operator>('ne'), fc.oneof(value, values)),
		fc.tuple(fc.constantFrom<Operator>('isNull', 'isNotNull'), fc.constant(true)),
	);
	fc.assert(
		fc.property(
			fc.array(restriction, { minLength: 1, maxLength: 6 }),
			fc.constantFrom('numbers', 'times'),
			(restrictions, as) => {
				const known = restrictions.map(
					([operator, operand]) => [operator, as === 'times' ? toTime(operand) : operand] as const,
				);
				let combined: Operands = {};
				for (const [operator, operand] of known) {
					const both = combineOperands(combined, { [operator]: operand });
					// What is refused is said, so nothing is dropped; and it can only be what matches nothing.
					if (!both.ok) {
						for (const row of rowsAs(as)) {
							expect(known.every(([name, wanted]) => matches(row, name, wanted))).toBe(false);
						}
						return;
					}
					combined = both.value;
				}
				const entries = Object.entries(combined) as Array<[Operator, unknown]>;
				for (const row of rowsAs(as)) {
					expect(entries.every(([name, wanted]) => matches(row, name, wanted))).toBe(
						known.every(([name, wanted]) => matches(row, name, wanted)),
					);
				}
			},
		),
		{ numRuns: 2000 },
	);
});

const timeOf = (n: number): string => new Date(Date.UTC(2026, 0, 28 + n)).toISOString();

const toTime = (operand: unknown): unknown =>
	Array.isArray(operand)
		? operand.map(toTime)
		: typeof operand === 'number'
			? timeOf(operand)
			: operand;

const rowsAs = (as: string): Array<string | number | null> => [
	null,
	...[0, 1, 2, 3, 4, 5, 6].map((n) => (as === 'times' ? timeOf(n) : n)),
];

const asList = (operand: unknown): unknown[] => (Array.isArray(operand) ? operand : [operand]);

/** What an operator means, written a second time. */
function matches(row: string | number | null, operator: Operator, operand: unknown): boolean {
	if (operator === 'isNull') return row === null;
	if (operator === 'isNotNull') return row !== null;
	if (row === null) return false;
	if (operator === 'eq') return row === operand;
	if (operator === 'ne' || operator === 'notIn') return !asList(operand).includes(row);
	if (operator === 'in') return asList(operand).includes(row);
	const [a, b] = [String(row), String(operand)];
	const order = typeof row === 'number' ? row - Number(operand) : a < b ? -1 : a > b ? 1 : 0;
	if (operator === 'gt') return order > 0;
	if (operator === 'gte') return order >= 0;
	return operator === 'lt' ? order < 0 : order <= 0;
}
