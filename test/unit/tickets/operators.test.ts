import type { Kind } from '../../../src/tickets/columns';
import { columnNames, columns } from '../../../src/tickets/columns';
import type { Operator } from '../../../src/tickets/operators';
import {
	operatorLabel,
	operators,
	operatorsByKind,
	valueFieldFor,
} from '../../../src/tickets/operators';
import { interfaceOperators } from '../../support/interfaceTable';

const kinds = Object.keys(operatorsByKind) as Kind[];
const all = Object.keys(operators) as Operator[];
describe('the operators', () => {
	it.each(columnNames.map((name) => [name]))('of %s are those of the interface', (name) => {
		expect([...operatorsByKind[columns[name].kind]].sort()).toEqual(
			[...(interfaceOperators.get(name) ?? [])].sort(),
		);
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
			const labels = operatorsByKind[kind].map((name) => operatorLabel(name, kind));
			expect(new Set(labels).size).toBe(labels.length);
		}
	});
});

it.each(
	kinds.flatMap((kind) => operatorsByKind[kind].map((operator) => [kind, operator] as const)),
)('the operators of %s: %s has a field exactly where it takes a value', (kind, operator) => {
	const isFlag = operators[operator].operand === 'flag';
	expect(valueFieldFor(kind, operator) === undefined).toBe(isFlag);
});
