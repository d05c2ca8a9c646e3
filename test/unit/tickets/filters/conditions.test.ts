import type { Column } from '../../../../src/tickets/columns';
import { columnNames, columns } from '../../../../src/tickets/columns';
import type { Condition } from '../../../../src/tickets/filters/conditions';
import { compileConditions, conditionSchema } from '../../../../src/tickets/filters/conditions';
import type { Operator } from '../../../../src/tickets/operators';
import { operators, operatorsByKind, valueFieldFor } from '../../../../src/tickets/operators';
import { exampleOperand } from '../../../support/exampleValues';
import { uuidOf } from '../../../support/samples';

const ZONE = 'Europe/Berlin';
const compile = (...conditions: Condition[]) => {
	const compiled = compileConditions(conditions, { zone: ZONE, nowMs: 0, emptyValue: 'stop' });
	return compiled.ok ? { ...compiled, value: compiled.value.filters } : compiled;
};
const problemsOf = (...conditions: Condition[]): Array<[string, string]> => {
	const compiled = compile(...conditions);
	return compiled.ok
		? []
		: compiled.failure.problems.map(({ path, reason: message }) => [path.join('.'), message]);
};
const on = (
	column: Column,
	operator: Operator,
	fields: Record<string, unknown> = {},
): Condition => ({
	column,
	operator,
	...fields,
});
const all = Object.keys(operators) as Operator[];
const legal = (column: Column, operator: Operator) =>
	(operatorsByKind[columns[column].kind] as readonly Operator[]).includes(operator);
const pairs = columnNames.flatMap((column) => all.map((operator) => [column, operator] as const));

/** The condition as the panel gives it: the example operand in the field that is shown for it. */
function filled(column: Column, operator: Operator): Condition {
	const { kind } = columns[column];
	const widget = valueFieldFor(kind, operator);
	return on(
		column,
		operator,
		widget === undefined ? {} : { [widget]: exampleOperand(operator, kind) },
	);
}

describe('the conditions of the builder', () => {
	it.each(pairs)('compile %s with %s, or refuse the pair', (column, operator) => {
		const { kind } = columns[column];
		if (legal(column, operator)) {
			expect(compile(filled(column, operator))).toEqual({
				ok: true,
				value: { [column]: { [operator]: exampleOperand(operator, kind) } },
			});
		} else {
			expect(problemsOf(filled(column, operator))).toEqual([
				['filters.conditions.0.operator', expect.stringContaining(columns[column].label)],
			]);
		}
	});

	it.each([
		['a, b ,c', ['a', 'b', 'c']],
		['a\nb,\r\n c; d\n', ['a', 'b', 'c; d']],
		['a', ['a']],
		[
			['a, b', 'c'],
			['a, b', 'c'],
		],
	])('read a list from %j', (valueList, expected) => {
		expect(compile(on('title', 'in', { valueList }))).toEqual({
			ok: true,
			value: { title: { in: expected } },
		});
	});

	it('read numbers, yes and no, dates and names in the type of their column', () => {
		expect(
			compile(
				on('ticketNumber', 'in', { valueList: '1, -2, +3' }),
				on('ticketNumber', 'lt', { numberValue: ' 7 ' }),
				on('isShared', 'in', { valueList: 'TRUE, false' }),
				on('createdAt', 'gte', { dateValue: '2026-07-31' }),
				on('createdAt', 'in', { valueList: '2026-01-31T00:00+01:00, 2026-07-31T00:00Z' }),
				on('updatedAt', 'isRelativeToToday', { numberValue: '-7' }),
				on('priority', 'in', { priorityValues: 'High, urgent' }),
				on('source', 'eq', { sourceValue: ' Chat Widget' }),
			),
		).toEqual({
			ok: true,
			value: {
				ticketNumber: { in: [1, -2, 3], lt: 7 },
				isShared: { in: [true, false] },
				createdAt: {
					gte: '2026-07-30T22:00:00.000Z',
					in: ['2026-01-30T23:00:00.000Z', '2026-07-31T00:00:00.000Z'],
				},
				updatedAt: { isRelativeToToday: -7 },
				priority: { in: ['high', 'urgent'] },
				source: { eq: 'chat_widget' },
			},
		});
	});

	it.each([
		[on('ticketNumber', 'eq', { numberValue: '12a' }), 'numberValue', 'whole number'],
		[on('ticketNumber', 'in', { valueList: '1,9999999999' }), 'valueList', 'between'],
		[on('ticketNumber', 'in', { valueList: ' , ' }), 'valueList', 'is empty'],
		[on('statusId', 'eq', { value: 'open' }), 'value', '"open" is not a UUID'],
		[on('statusId', 'in', { idValues: `${uuidOf(1)},open` }), 'idValues', 'is not a UUID'],
		[on('priority', 'in', { priorityValues: ['low', 'huge'] }), 'priorityValues', 'one of'],
		[on('isShared', 'in', { valueList: 'true,maybe' }), 'valueList', 'true or false'],
		[on('createdAt', 'gt', { dateValue: '31.01.2026' }), 'dateValue', 'is not a valid date'],
		[on('updatedAt', 'isRelativeToToday', { numberValue: 'x' }), 'numberValue', 'a number'],
		[on('title', 'eq', { value: new Date(0) }), 'value', 'must be text'],
		[on('source', 'eq', { sourceValue: 'high' }), 'sourceValue', 'one of api, chat_widget'],
	])('refuse %j', (condition, field, message) => {
		expect(problemsOf(condition)).toEqual([
			[`filters.conditions.0.${field}`, expect.stringContaining(message)],
		]);
	});

	it('refuse what cannot be put together, at the later condition', () => {
		expect(
			problemsOf(
				on('title', 'iLike', { value: '%a%' }),
				on('priority', 'isNull'),
				on('title', 'iLike', { value: '%b%' }),
			),
		).toEqual([['filters.conditions.2', expect.stringContaining('on Title cannot be')]]);
	});

	it('refuse the same condition a second time, as an expression in their place gives it', () => {
		const same = on('priority', 'eq', { priorityValue: 'low' });
		expect(problemsOf(same, on('title', 'isEmpty'), { ...same }, { ...same })).toEqual([
			['filters.conditions.2', expect.stringContaining('is the same as Condition 1')],
		]);
	});

	it('are of columns and operators that exist', () => {
		const messages = (value: unknown) =>
			(conditionSchema.safeParse(value).error?.issues ?? []).map(({ path, message }) => [
				path.join('.'),
				message,
			]);
		expect(messages({ column: 'colour', operator: 'equals' })).toEqual([
			['column', expect.stringMatching(/^must be one of agentId, .*, workspaceId$/)],
			['operator', expect.stringMatching(/^must be one of eq, gt, .*, contains, /)],
		]);
		expect(messages({})).toHaveLength(2);
		expect(messages({ column: '__proto__', operator: 'constructor' })).toHaveLength(2);
	});
});

describe('values that are empty or hold a gap', () => {
	const GAP =
		'has an empty value. Remove it, correct the expression that gives it, or skip empty values in the options';
	const EMPTY = 'is empty. Enter a value or remove the condition';
	const read = (emptyValue: 'stop' | 'skip' | 'matchEmpty', ...conditions: Condition[]) => {
		const compiled = compileConditions(conditions, {
			zone: ZONE,
			nowMs: 0,
			emptyValue,
		} as Parameters<typeof compileConditions>[1]);
		return compiled.ok
			? compiled.value.filters
			: compiled.failure.problems.map(({ path, reason: message }) => [path.at(-1), message]);
	};
	const anyOf = (value: unknown) =>
		on('title', 'in', { [valueFieldFor('text', 'in') ?? '']: value });

	it('stop a list in which one is missing', () => {
		for (const value of [['a', ''], ['a', null], 'a,,b', ' ,a'])
			expect([value, read('stop', anyOf(value))]).toEqual([value, [[expect.any(String), GAP]]]);
		for (const value of [['a', 'b'], 'a, b', ['a']])
			expect([value, read('stop', anyOf(value))]).toEqual([
				value,
				{ title: { in: [value].flat().flatMap((each) => each.split(', ')) } },
			]);
	});

	it('stop a list without any', () => {
		for (const value of [[], '', ['', ' '], undefined, null])
			expect([value, read('stop', anyOf(value))]).toEqual([value, [[expect.any(String), EMPTY]]]);
	});

	const between = (more: object) =>
		({ column: 'ticketNumber', operator: 'between', ...more }) as Condition;

	const NO_NUMBER = 'must be a whole number';

	it('are kept as they are in a list, and trimmed in text', () => {
		expect(read('stop', anyOf(['trail ', ' x']))).toEqual({ title: { in: ['trail ', ' x'] } });
		expect(read('stop', anyOf('["trail "]'))).toEqual({ title: { in: ['trail '] } });
		expect(read('stop', anyOf('trail , x'))).toEqual({ title: { in: ['trail', 'x'] } });
	});

	it('stop numbers that could be one or two', () => {
		const numbers = (valueList: unknown) =>
			read('stop', { column: 'ticketNumber', operator: 'in', valueList } as Condition);
		for (const valueList of ['1,000', '5, 12,345', '100,200'])
			expect(numbers(valueList)).toEqual([
				['valueList', `${NO_NUMBER} without separators. Separate several by a comma and a blank`],
			]);
		expect(numbers('1001,1002, 7,8')).toEqual({ ticketNumber: { in: [1001, 1002, 7, 8] } });
	});

	it('stop the text of a date that is not valid', () => {
		for (const value of ['Invalid DateTime', ' Invalid Date'])
			for (const operator of ['eq', 'contains', 'iLike'])
				expect(read('stop', { column: 'title', operator, value } as Condition)).toEqual([
					['value', expect.stringContaining('a date that is not valid')],
				]);
	});

	it('stop a range with what is missing or wrong', () => {
		expect(read('stop', between({ numberValue: 5 }))).toEqual([['numberTo', EMPTY]]);
		expect(read('stop', between({ numberValue: 'x', numberTo: '' }))).toEqual([
			['numberValue', NO_NUMBER],
			['numberTo', EMPTY],
		]);
	});

	it('make a range of one end where that is wanted', () => {
		expect(read('skip', between({ numberValue: 5 }))).toEqual({ ticketNumber: { gte: 5 } });
		expect(read('skip', between({ numberTo: 9 }))).toEqual({ ticketNumber: { lte: 9 } });
	});
});
