import type { Kind } from '../../../../src/tickets/columns';
import { columnNames, columns } from '../../../../src/tickets/columns';
import { columnSchema, filtersSchema, operandSchema } from '../../../../src/tickets/filters/schema';
import type { Operator } from '../../../../src/tickets/operators';
import { operators, operatorsOf } from '../../../../src/tickets/operators';
import { exampleOperand, exampleValue } from '../../../support/exampleValues';
import { uuidOf } from '../../../support/samples';

const ZONE = 'Europe/Berlin';
const schema = filtersSchema(ZONE);
const problemsOf = (value: unknown): Array<[string, string]> =>
	(schema.safeParse(value).error?.issues ?? []).map(({ path, message }) => [
		path.join('.'),
		message,
	]);
const pairs = columnNames.flatMap((column) =>
	(Object.keys(operators) as Operator[]).map((operator) => [column, operator] as const),
);

describe('filters in JSON', () => {
	it.each(pairs)('take %s with %s exactly where the interface does', (column, operator) => {
		const { kind } = columns[column];
		const legal = (operatorsOf[kind] as readonly Operator[]).includes(operator);
		const filters = { [column]: { [operator]: exampleOperand(operator, kind) } };
		const read = schema.safeParse(filters);
		expect(read.success).toBe(legal);
		if (read.success) expect(read.data).toEqual(filters);
		else expect(problemsOf(filters)).toEqual([[column, expect.stringContaining(operator)]]);
	});

	it('take several columns and operators at once', () => {
		const filters = {
			priority: { in: ['urgent', 'high'], ne: 'low' },
			ticketNumber: { gt: 5, lte: 10 },
			isShared: { eq: false },
		};
		expect(schema.parse(filters)).toEqual(filters);
		expect(schema.parse({})).toEqual({});
	});

	it('take one value or a list with ne', () => {
		expect(schema.parse({ priority: { ne: ['low', 'high'] } })).toEqual({
			priority: { ne: ['low', 'high'] },
		});
		expect(problemsOf({ priority: { ne: ['low', 'huge'] } })[0]).toEqual([
			'priority.ne.1',
			'must be one of high, low, medium, urgent',
		]);
		expect(problemsOf({ priority: { ne: [] } })[0]).toEqual([
			'priority.ne',
			expect.stringContaining('empty list'),
		]);
	});

	it('read points in time in the zone of the workflow and send them as UTC', () => {
		expect(
			schema.parse({
				createdAt: { gte: '2026-01-31', lt: '2026-07-31T00:00+02:00', in: ['2026-07-01'] },
			}),
		).toEqual({
			createdAt: {
				gte: '2026-01-30T23:00:00.000Z',
				lt: '2026-07-30T22:00:00.000Z',
				in: ['2026-06-30T22:00:00.000Z'],
			},
		});
	});

	it('send isBetween and isRelativeToToday as they are', () => {
		const filters = { createdAt: { isBetween: 'a,b', isRelativeToToday: -7.5 } };
		expect(schema.parse(filters)).toEqual(filters);
	});

	it.each([
		[
			{ colour: { eq: 'red' } },
			'',
			"has no column 'colour'. Remove or rename it. The columns are agentId,",
		],
		[{ Priority: { eq: 'low' } }, '', "has no column 'Priority'"],
		[{ priority: { eq: 'low' }, x: {}, y: {} }, '', "has no column 'x', 'y'"],
		[
			{ priority: { equals: 'low' } },
			'priority',
			"has no operator 'equals'. Remove or rename it. The operators are eq,",
		],
		[{ priority: { gt: 'low' } }, 'priority', "has no operator 'gt'"],
		[{ priority: {} }, 'priority', 'has no operator, so it would match everything'],
		[{ priority: 'low' }, 'priority', 'must be an object of operators'],
		[{ priority: ['low'] }, 'priority', 'must be an object of operators'],
		[{ priority: null }, 'priority', 'must be an object of operators'],
		[{ priority: { in: [] } }, 'priority.in', 'is an empty list'],
		[{ priority: { in: 'low' } }, 'priority.in', 'must be a list'],
		[{ priority: { eq: ['low'] } }, 'priority.eq', 'must be one of'],
		[{ priority: { eq: null } }, 'priority.eq', 'must be one of'],
		[{ priority: { eq: '' } }, 'priority.eq', 'must be one of'],
		[{ priority: { eq: 'Low' } }, 'priority.eq', 'must be one of'],
		[{ source: { eq: 'fax' } }, 'source.eq', 'must be one of'],
		[{ title: { eq: '' } }, 'title.eq', 'is empty'],
		[{ title: { eq: 5 } }, 'title.eq', 'must be text'],
		[{ title: { iLike: '' } }, 'title.iLike', 'is empty'],
		[{ title: { in: ['a', ''] } }, 'title.in.1', 'is empty'],
		[{ statusId: { eq: '' } }, 'statusId.eq', 'is empty'],
		[{ statusId: { eq: 'open' } }, 'statusId.eq', "'open' is not a UUID"],
		[{ ticketNumber: { eq: '5' } }, 'ticketNumber.eq', 'must be a whole number'],
		[{ ticketNumber: { eq: 1.5 } }, 'ticketNumber.eq', 'must be a whole number'],
		[{ ticketNumber: { gt: 2147483648 } }, 'ticketNumber.gt', 'must be between -2147483648 and'],
		[{ ticketNumber: { gt: -2147483649 } }, 'ticketNumber.gt', 'must be between -2147483648 and'],
		[{ createdAt: { gt: 'yesterday' } }, 'createdAt.gt', 'must be an ISO 8601'],
		[{ createdAt: { gt: '' } }, 'createdAt.gt', 'is empty'],
		[{ createdAt: { gt: 1700000000000 } }, 'createdAt.gt', 'must be an ISO 8601'],
		[{ createdAt: { isBetween: '' } }, 'createdAt.isBetween', 'is empty'],
		[{ createdAt: { isRelativeToToday: '7' } }, 'createdAt.isRelativeToToday', 'must be a number'],
		[{ isShared: { eq: 'true' } }, 'isShared.eq', 'must be true or false'],
		[{ isShared: { isNull: 'yes' } }, 'isShared.isNull', 'must be true or false'],
		[[], '', 'must be an object of columns'],
		['priority', '', 'must be an object of columns'],
		[null, '', 'must be an object of columns'],
	])('refuse %j', (filters, path, message) => {
		expect(problemsOf(filters)[0]).toEqual([path, expect.stringContaining(message)]);
	});

	it('refuse the names that every object has', () => {
		for (const text of ['{"__proto__":{"eq":"x"}}', '{"constructor":{"eq":"x"}}']) {
			expect(schema.safeParse(JSON.parse(text)).success).toBe(false);
		}
		for (const text of ['{"title":{"__proto__":"x"}}', '{"title":{"toString":"x"}}']) {
			expect(schema.safeParse(JSON.parse(text)).success).toBe(false);
		}
	});

	it('take the least and the greatest ticket number', () => {
		const filters = { ticketNumber: { in: [-2147483648, 2147483647] } };
		expect(schema.parse(filters)).toEqual(filters);
	});
});

describe('an operand', () => {
	const kinds = Object.keys(operatorsOf) as Kind[];

	it.each(kinds.flatMap((kind) => operatorsOf[kind].map((operator) => [kind, operator] as const)))(
		'of %s with %s is never nothing',
		(kind, operator) => {
			const operand = operandSchema(operator, kind, ZONE);
			for (const nothing of [undefined, null, '', [], {}, NaN]) {
				expect([nothing, operand.safeParse(nothing).success]).toEqual([nothing, false]);
			}
		},
	);

	it('of one column does not fit another kind', () => {
		expect(columnSchema('number', ZONE).safeParse({ eq: uuidOf(1) }).success).toBe(false);
		expect(columnSchema('priority', ZONE).safeParse({ eq: exampleValue('source') }).success).toBe(
			false,
		);
	});
});
