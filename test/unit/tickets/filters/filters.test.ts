import type { Column, Kind } from '../../../../src/tickets/columns';
import { columnNames, columns } from '../../../../src/tickets/columns';
import type { Condition } from '../../../../src/tickets/filters/conditions';
import { compileConditions } from '../../../../src/tickets/filters/conditions';
import { columnSchema, filtersSchema } from '../../../../src/tickets/filters/schema';
import type { Operator } from '../../../../src/tickets/operators';
import { operators, operatorsByKind, valueFieldFor } from '../../../../src/tickets/operators';
import { exampleOperand } from '../../../support/exampleValues';

const ZONE = 'Europe/Berlin';
const problemsOf = (value: unknown): Array<[string, string]> =>
	(filtersSchema(ZONE).safeParse(value).error?.issues ?? []).map(({ path, message }) => [
		path.join('.'),
		message,
	]);

/** The problems of a condition as the panel gives it, with the operand in the field that is shown for it. */
function compile(column: Column, operator: Operator, operand: unknown) {
	const field = valueFieldFor(columns[column].kind, operator);
	const condition: Condition = { column, operator, ...(field && { [field]: operand }) };
	return compileConditions([condition], { zone: ZONE, nowMs: 0, emptyValue: 'stop' });
}

const pairs = columnNames.flatMap((column) =>
	(Object.keys(operators) as Operator[]).map((operator) => [column, operator] as const),
);

it.each(pairs)('takes %s with %s where the interface does, in both modes', (column, operator) => {
	const { kind } = columns[column];
	const operand = exampleOperand(operator, kind);
	const filters = { [column]: { [operator]: operand } };
	const json = filtersSchema(ZONE).safeParse(filters);
	const compiled = compile(column, operator, operand);
	if ((operatorsByKind[kind] as readonly Operator[]).includes(operator)) {
		expect(json.data).toEqual(filters);
		expect(compiled).toEqual({ ok: true, value: { filters, skipped: 0 } });
	} else {
		expect(problemsOf(filters)).toEqual([[column, expect.stringContaining(operator)]]);
		expect(compiled).toMatchObject({
			failure: { problems: [{ path: ['filters', 'conditions', 0, 'operator'] }] },
		});
	}
});

describe('filters in JSON', () => {
	it.each([
		{},
		{ priority: { in: ['urgent', 'high'], ne: ['low', 'high'] }, isShared: { eq: false } },
		{ createdAt: { isBetween: 'a,b', isRelativeToToday: -7.5 } },
		{ ticketNumber: { in: [-2147483648, 2147483647], gt: 5, lte: 10 } },
	])('take %j as they are', (filters) => {
		expect(filtersSchema(ZONE).parse(filters)).toEqual(filters);
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
		expect(problemsOf(filters)[0]).toEqual([path, expect.stringContaining(message)]);
	});

	const kinds = Object.keys(operatorsByKind) as Kind[];

	it.each(
		kinds.flatMap((kind) => operatorsByKind[kind].map((operator) => [kind, operator] as const)),
	)('take nothing for no operand of %s with %s', (kind, operator) => {
		const operands = columnSchema(kind, ZONE);
		for (const nothing of [undefined, null, '', [], {}, NaN]) {
			const { success } = operands.safeParse({ [operator]: nothing });
			expect([nothing, success]).toEqual([nothing, false]);
		}
	});
});
