import type { Kind } from '../../../src/tickets/columns';
import { columnNames, columns } from '../../../src/tickets/columns';
import type { Operator } from '../../../src/tickets/operators';
import {
	operatorLabel,
	operators,
	operatorsOf,
	valueFieldFor,
	valueFields,
} from '../../../src/tickets/operators';
import { interfaceOperators } from '../../support/interfaceTable';

const kinds = Object.keys(operatorsOf) as Kind[];
const all = Object.keys(operators) as Operator[];
const fits = (kind: Kind, operator: Operator) => {
	const list: readonly Operator[] = operatorsOf[kind];
	return list.includes(operator);
};

describe('the operators', () => {
	it.each(columnNames.map((name) => [name]))('of %s are those of the interface', (name) => {
		expect([...operatorsOf[columns[name].kind]].sort()).toEqual(
			[...(interfaceOperators.get(name) ?? [])].sort(),
		);
	});

	it('are all used, and no other', () => {
		const used = new Set([...interfaceOperators.values()].flat());
		expect([...all].sort()).toEqual([...used].sort());
	});

	it('take what the interface says', () => {
		const taken = Object.fromEntries(all.map((name) => [name, operators[name].operand]));
		expect(taken).toEqual({
			eq: 'one',
			ne: 'oneOrMany',
			in: 'many',
			notIn: 'many',
			isNull: 'flag',
			isNotNull: 'flag',
			isEmpty: 'flag',
			isNotEmpty: 'flag',
			iLike: 'pattern',
			notILike: 'pattern',
			like: 'pattern',
			notLike: 'pattern',
			gt: 'one',
			gte: 'one',
			lt: 'one',
			lte: 'one',
			isBetween: 'text',
			isRelativeToToday: 'number',
		});
	});

	it('have labels of their own on every kind', () => {
		for (const kind of kinds) {
			const labels = operatorsOf[kind].map((name) => operatorLabel(name, kind));
			expect(new Set(labels).size).toBe(labels.length);
		}
	});

	it('read as points in time on timestamps only', () => {
		expect(operatorLabel('gt', 'timestamp')).toBe('Is After');
		expect(operatorLabel('gt', 'number')).toBe('Is Greater Than');
	});
});

describe('the widgets', () => {
	it.each(kinds.flatMap((kind) => all.map((operator) => [kind, operator] as const)))(
		'of %s and %s: exactly one where a value is needed, else none',
		(kind, operator) => {
			const needed = fits(kind, operator) && operators[operator].operand !== 'flag';
			const found = Object.values(valueFields).filter((widget) => {
				const its: readonly Kind[] = widget.kinds;
				const ops: readonly Operator[] = widget.operators;
				return its.includes(kind) && ops.includes(operator);
			});
			// A widget may be made for a pair that its menu never offers; it must not be missing or double.
			if (needed) expect(found).toHaveLength(1);
			else if (fits(kind, operator)) expect(found).toHaveLength(0);
			if (needed) expect(valueFieldFor(kind, operator)).toBe(found[0]?.name);
			else if (fits(kind, operator)) expect(valueFieldFor(kind, operator)).toBeUndefined();
		},
	);

	it('are shown for no pair that no column has', () => {
		for (const { kinds: its, operators: ops } of Object.values(valueFields)) {
			for (const kind of its) {
				for (const operator of ops) expect([kind, operator, fits(kind, operator)]).toContain(true);
			}
		}
	});
});
