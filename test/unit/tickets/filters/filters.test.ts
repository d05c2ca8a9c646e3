import type { Kind } from '../../../../src/tickets/columns';
import { columnNames, columns } from '../../../../src/tickets/columns';
import { columnSchema, filtersSchema } from '../../../../src/tickets/filters/schema';
import type { Operator } from '../../../../src/tickets/operators';
import { operators, operatorsByKind } from '../../../../src/tickets/operators';
import { exampleOperand } from '../../../support/exampleValues';

const ZONE = 'Europe/Berlin';
const schema = filtersSchema(ZONE);
const problemsOf = (value: unknown, read = filtersSchema(ZONE)): Array<[string, string]> =>
	(read.safeParse(value).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]);
const pairs = columnNames.flatMap((column) =>
	(Object.keys(operators) as Operator[]).map((operator) => [column, operator] as const),
);

describe('filters in JSON', () => {
	it.each(pairs)('take %s with %s exactly where the interface does', (column, operator) => {
		const { kind } = columns[column];
		const legal = (operatorsByKind[kind] as readonly Operator[]).includes(operator);
		const filters = { [column]: { [operator]: exampleOperand(operator, kind) } };
		const read = schema.safeParse(filters);
		expect(read.success).toBe(legal);
		if (read.success) expect(read.data).toEqual(filters);
		else expect(problemsOf(filters, schema)).toEqual([[column, expect.stringContaining(operator)]]);
	});

	it.each([
		{},
		{
			priority: { in: ['urgent', 'high'], ne: 'low' },
			ticketNumber: { gt: 5, lte: 10 },
			isShared: { eq: false },
		},
		{ priority: { ne: ['low', 'high'] } },
		{ createdAt: { isBetween: 'a,b', isRelativeToToday: -7.5 } },
		{ ticketNumber: { in: [-2147483648, 2147483647] } },
		{ title: { like: '%a', iLike: 'a%' } },
	])('take %j as they are', (filters) => {
		expect(schema.parse(filters)).toEqual(filters);
	});

	const NO_COLUMN = "has no column 'colour'. Remove or rename it. The columns are agentId,";
	const NO_OPERATORS = 'must be an object of operators, e.g. {"eq": …}';
	const NO_OBJECT = 'must be an object of columns, e.g. {"priority": {"in": ["urgent", "high"]}}';
	const NO_PRIORITY = 'must be one of high, low, medium, urgent';
	const NO_LIST = 'must be a list, e.g. ["a", "b"]';
	const EMPTY_LIST = 'is an empty list. Add a value';
	const EMPTY = 'is empty. Enter a value or remove the condition';
	const NO_NUMBER = 'must be a whole number';
	const RANGE = 'must be between -2147483648 and 2147483647';
	const NO_TIME = 'is not a valid date. Use e.g. 2026-01-31 or 2026-01-31T09:00:00Z';
	const NO_YES = 'must be true or false';
	const ANY_TEXT = 'matches any text. Add text to it, or use Is Set (isNotNull)';
	const all = operatorsByKind.text.join(', ');
	const UNKNOWN = `has no operator 'a', 'b'. Remove or rename it. The operators are ${all}`;
	const NONE = `has no operator, so it would match everything. Add one of ${all}, or remove the column`;

	it.each<[unknown, string, string]>([
		[{ colour: { eq: 'red' } }, '', NO_COLUMN],
		[{ title: { a: 1, b: 2 } }, 'title', UNKNOWN],
		[{ title: { ne: 'undefined' } }, 'title.ne.0', 'is what an expression writes'],
		[{ title: { notIn: ['x', ' null'] } }, 'title.notIn.1', 'is what an expression writes'],
		[{ priority: { gt: 'low' } }, 'priority', "has no operator 'gt'"],
		[{ title: {} }, 'title', NONE],
		[{ priority: 'low' }, 'priority', NO_OPERATORS],
		[{ createdAt: 'soon' }, 'createdAt', NO_OPERATORS],
		[{ priority: { in: [] } }, 'priority.in', EMPTY_LIST],
		[{ priority: { in: 'low' } }, 'priority.in', NO_LIST],
		[{ priority: { eq: ['low'] } }, 'priority.eq', NO_PRIORITY],
		[{ priority: { eq: 'Low' } }, 'priority.eq', NO_PRIORITY],
		[{ priority: { ne: 'huge' } }, 'priority.ne.0', NO_PRIORITY],
		[{ priority: { ne: ['low', 'huge'] } }, 'priority.ne.1', NO_PRIORITY],
		[{ source: { eq: 'fax' } }, 'source.eq', 'must be one of'],
		[{ title: { eq: '' } }, 'title.eq', EMPTY],
		[{ title: { eq: 5 } }, 'title.eq', 'must be text'],
		[{ title: { in: ['a', ''] } }, 'title.in.1', EMPTY],
		[{ title: { like: '%%' } }, 'title.like', ANY_TEXT],
		[{ statusId: { eq: 'open' } }, 'statusId.eq', '"open" is not a UUID'],
		[{ ticketNumber: { eq: '5' } }, 'ticketNumber.eq', NO_NUMBER],
		[{ ticketNumber: { eq: 1.5 } }, 'ticketNumber.eq', NO_NUMBER],
		[{ ticketNumber: { gt: 2147483648 } }, 'ticketNumber.gt', RANGE],
		[{ createdAt: { gt: 'yesterday' } }, 'createdAt.gt', NO_TIME],
		[{ createdAt: { gt: 1700000000000 } }, 'createdAt.gt', NO_TIME],
		[{ createdAt: { gt: 'x'.repeat(99) } }, 'createdAt.gt', `"${'x'.repeat(40)}" ${NO_TIME}`],
		[{ createdAt: { gt: ' ' } }, 'createdAt.gt', NO_TIME],
		[{ createdAt: { gte: '', gt: '2026-01-01' } }, 'createdAt.gt', 'is a second bound'],
		[{ createdAt: { lt: 'soon', lte: '2026-01-31' } }, 'createdAt.lte', 'is a second bound'],
		[{ createdAt: { isRelativeToToday: '7' } }, 'createdAt.isRelativeToToday', 'must be a number'],
		[{ isShared: { eq: 'true' } }, 'isShared.eq', NO_YES],
		[{ isShared: { isNull: 'yes' } }, 'isShared.isNull', NO_YES],
		[[], '', NO_OBJECT],
		[null, '', NO_OBJECT],
	])('refuse %j', (filters, path, message) => {
		expect(problemsOf(filters)[0]).toEqual([path, expect.stringContaining(message)]);
	});
});

describe('an operand', () => {
	const kinds = Object.keys(operatorsByKind) as Kind[];

	it.each(
		kinds.flatMap((kind) => operatorsByKind[kind].map((operator) => [kind, operator] as const)),
	)('of %s with %s is never nothing', (kind, operator) => {
		const operands = columnSchema(kind, ZONE);
		for (const nothing of [undefined, null, '', [], {}, NaN]) {
			const { success } = operands.safeParse({ [operator]: nothing });
			expect([nothing, success]).toEqual([nothing, false]);
		}
	});
});
