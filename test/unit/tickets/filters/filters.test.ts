import type { Kind } from '../../../../src/tickets/columns';
import { columnNames, columns } from '../../../../src/tickets/columns';
import type { Operator } from '../../../../src/tickets/operators';
import { listOperators, operators, operatorsByKind } from '../../../../src/tickets/operators';
import { builderOperators, takenFields } from '../../../../src/tickets/filters/builderOperators';
import { compile, compileJson, on } from '../../../support/compileFilters';
import { exampleOperand } from '../../../support/exampleValues';

const pairs = columnNames.flatMap((column) =>
	(Object.keys(operators) as Operator[]).map((operator) => [column, operator] as const),
);

it.each(pairs)(
	'takes %s with %s in JSON where the interface does, and where the menu offers it',
	(column, operator) => {
		const { kind } = columns[column];
		const operand = exampleOperand(operator, kind);
		const filters = { [column]: { [operator]: operand } };
		const isKnown = listOperators(kind).includes(operator);
		const unknown = [expect.stringContaining(`${column} has no operator '${operator}'`)];
		expect(compileJson(filters)).toEqual(isKnown ? filters : unknown);
		const offered = builderOperators(kind).get(operator);
		const field = takenFields[kind][offered?.takes ?? 'flag'] ?? '';
		const refused = [expect.stringContaining('is not offered')];
		expect(compile([on(column, operator, { [field]: operand })])).toEqual(
			offered ? filters : refused,
		);
	},
);

describe('filters in JSON', () => {
	it.each([
		{},
		{ priority: { in: ['urgent', 'high'], ne: ['low', 'high'] }, isShared: { eq: false } },
		{ createdAt: { isBetween: 'a,b', isRelativeToToday: -7.5 } },
		{ ticketNumber: { in: [-2147483648, 2147483647], gt: 5, lte: 10 } },
	])('take %j as they are', (filters) => {
		expect(compileJson(filters)).toEqual(filters);
	});

	const PRIORITIES = 'one of high, low, medium, urgent';
	const EXPRESSION = 'is what an expression writes';

	it.each<[unknown, string, string]>([
		[{ colour: { eq: 'red' } }, '', "no column 'colour'"],
		[{ title: { a: 1, b: 2 } }, 'title', "no operator 'a', 'b'"],
		[{ title: { ne: 'undefined' } }, 'title.ne.0', EXPRESSION],
		[{ title: { notIn: ['x', ' null'] } }, 'title.notIn.1', EXPRESSION],
		[{ title: {} }, 'title', 'it would match everything'],
		[{ priority: 'low' }, 'priority', 'an object of operators'],
		[{ priority: { in: 'low' } }, 'priority.in', 'must be a list'],
		[{ priority: { eq: ['low'] } }, 'priority.eq', PRIORITIES],
		[{ priority: { eq: 'Low' } }, 'priority.eq', PRIORITIES],
		[{ priority: { ne: ['low', 'huge'] } }, 'priority.ne.1', PRIORITIES],
		[{ source: { eq: 'fax' } }, 'source.eq', 'one of api, chat_widget'],
		[{ title: { eq: 5 } }, 'title.eq', 'must be text'],
		[{ title: { in: ['a', ''] } }, 'title.in.1', 'is empty'],
		[{ createdAt: { eq: '2026-02-30' } }, 'createdAt.eq', 'is not a valid date'],
		[{ title: { like: '%%' } }, 'title.like', 'matches any text'],
		[{ statusId: { eq: 'open' } }, 'statusId.eq', 'is not a UUID'],
		[{ ticketNumber: { eq: '5' } }, 'ticketNumber.eq', 'a whole number'],
		[{ ticketNumber: { eq: 1.5 } }, 'ticketNumber.eq', 'a whole number'],
		[{ ticketNumber: { gt: 2147483648 } }, 'ticketNumber.gt', 'between -2147483648 and'],
		[{ createdAt: { gt: 'yesterday' } }, 'createdAt.gt', 'is not a valid date'],
		[{ createdAt: { gt: 1700000000000 } }, 'createdAt.gt', 'is not a valid date'],
		[{ createdAt: { lt: 'soon', lte: '2026-01-31' } }, 'createdAt.lte', 'a second bound'],
		[{ createdAt: { isRelativeToToday: '7' } }, 'createdAt.isRelativeToToday', 'a number'],
		[{ isShared: { eq: 'true' } }, 'isShared.eq', 'true or false'],
		[{ isShared: { isNull: 'yes' } }, 'isShared.isNull', 'true or false'],
		[[], '', 'an object of columns'],
		[null, '', 'an object of columns'],
	])('refuse %j', (filters, path, message) => {
		const [problem] = compileJson(filters) as string[];
		expect(problem).toMatch(new RegExp(`^${path} .*${message}`));
	});

	const kinds = Object.keys(operatorsByKind) as Kind[];

	it.each(kinds)('take nothing for no operand of %s', (kind) => {
		const column = columnNames.find((name) => columns[name].kind === kind) ?? 'id';
		for (const operator of listOperators(kind))
			for (const nothing of [undefined, null, '', [], {}, NaN])
				expect(compileJson({ [column]: { [operator]: nothing } })).toBeInstanceOf(Array);
	});
});
