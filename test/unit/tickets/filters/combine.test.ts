import fc from 'fast-check';
import type { Operands } from '../../../../src/tickets/filters/combine';
import { combineOperands } from '../../../../src/tickets/filters/combine';
import type { Operator } from '../../../../src/tickets/operators';
import { toMatcher } from '../../../support/tickets';

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

/** Whether a ticket matches operators on a column, by the operators of a database. */
const matches = (value: unknown, operands: Operands): boolean =>
	toMatcher({ column: operands })({ column: value });

it.each<[string, (n: number) => unknown]>([
	['numbers', (n) => n],
	['times', (n) => new Date(Date.UTC(2026, 0, 28 + n)).toISOString()],
])(
	'two conditions on one column never drop a restriction: combined they match exactly the %s that both match',
	(_, toValue) => {
		const value = fc.integer({ min: 0, max: 6 }).map(toValue);
		const values = fc.array(value, { minLength: 1, maxLength: 4 });
		const restriction: fc.Arbitrary<Operands> = fc
			.oneof(
				fc.tuple(fc.constantFrom<Operator>('eq', 'gt', 'gte', 'lt', 'lte'), value),
				fc.tuple(fc.constant<Operator>('notIn'), values),
				fc.tuple(fc.constant<Operator>('ne'), fc.oneof(value, values)),
				fc.tuple(fc.constantFrom<Operator>('isNull', 'isNotNull'), fc.constant(true)),
			)
			.map(([operator, operand]) => ({ [operator]: operand }));
		const rows = [null, ...[0, 1, 2, 3, 4, 5, 6].map(toValue)];
		const property = fc.property(fc.array(restriction, { minLength: 1, maxLength: 6 }), (all) => {
			const matching = rows.filter((row) => all.every((operands) => matches(row, operands)));
			let combined: Operands = {};
			for (const operands of all) {
				const both = combineOperands(combined, operands);
				// Conditions may only be rejected together if no row matches all of them.
				if (!both.ok) return expect(matching).toEqual([]);
				combined = both.value;
			}
			return expect(rows.filter((row) => matches(row, combined))).toEqual(matching);
		});
		fc.assert(property, { numRuns: 1_000 });
	},
);
