import type { Column } from '../../../../src/tickets/columns';
import type { Condition, ConditionSettings } from '../../../../src/tickets/filters/conditions';
import { compileConditions, conditionSchema } from '../../../../src/tickets/filters/conditions';
import { uuidOf } from '../../../support/samples';

/** What conditions compile to: the filters, or the path in the conditions and the reason of each problem. */
function compile(
	conditions: readonly Condition[],
	emptyValue: ConditionSettings['emptyValue'] = 'stop',
): unknown {
	const settings = { zone: 'Europe/Berlin', nowMs: 0, emptyValue };
	const compiled = compileConditions(conditions, settings);
	if (compiled.ok) return compiled.value.filters;
	return compiled.failure.problems.map(({ path, reason }) => [path.slice(2).join(' '), reason]);
}

const on = (column: Column, operator: Condition['operator'], fields: object = {}): Condition => ({
	column,
	operator,
	...fields,
});
const between = (fields: object) => on('ticketNumber', 'between', fields);

it.each([
	['a, b ,c', ['a', 'b', 'c']],
	['a\nb,\r\n c; d\n', ['a', 'b', 'c; d']],
	['a', ['a']],
	[
		['a, b', ' c '],
		['a, b', ' c '],
	],
	['["trail "]', ['trail ']],
])('reads a list from %j', (valueList, expected) => {
	expect(compile([on('title', 'in', { valueList })])).toEqual({ title: { in: expected } });
});

it('reads numbers, yes and no, dates and names in the type of their column', () => {
	expect(
		compile([
			on('ticketNumber', 'in', { valueList: '1001,1002, -2, +3' }),
			on('ticketNumber', 'lt', { numberValue: ' 7 ' }),
			on('isShared', 'in', { valueList: 'TRUE, false' }),
			on('createdAt', 'gte', { dateValue: '2026-07-31' }),
			on('createdAt', 'in', { valueList: '2026-01-31T00:00+01:00, 2026-07-31T00:00Z' }),
			on('updatedAt', 'isRelativeToToday', { numberValue: '-7' }),
			on('priority', 'in', { priorityValues: 'High, urgent' }),
			on('source', 'eq', { sourceValue: ' Chat Widget' }),
		]),
	).toEqual({
		ticketNumber: { in: [1001, 1002, -2, 3], lt: 7 },
		isShared: { in: [true, false] },
		createdAt: {
			gte: '2026-07-30T22:00:00.000Z',
			in: ['2026-01-30T23:00:00.000Z', '2026-07-31T00:00:00.000Z'],
		},
		updatedAt: { isRelativeToToday: -7 },
		priority: { in: ['high', 'urgent'] },
		source: { eq: 'chat_widget' },
	});
});

it.each<[Condition, string, string]>([
	[on('ticketNumber', 'eq', { numberValue: '12a' }), 'numberValue', 'whole number'],
	[on('ticketNumber', 'in', { valueList: ' , ' }), 'valueList', 'is empty'],
	[on('statusId', 'in', { idValues: `${uuidOf(1)},open` }), 'idValues', 'is not a UUID'],
	[on('priority', 'in', { priorityValues: ['low', 'huge'] }), 'priorityValues', 'one of'],
	[on('isShared', 'in', { valueList: 'true,maybe' }), 'valueList', 'true or false'],
	[on('title', 'eq', { value: new Date(0) }), 'value', 'must be text'],
	// An expression writes this for a date that it cannot read.
	[on('title', 'contains', { value: ' Invalid Date' }), 'value', 'a date that is not valid'],
	[on('title', 'iLike', { value: 'Invalid DateTime' }), 'value', 'a date that is not valid'],
	// They could be one number or two.
	...['1,000', '5, 12,345', '100,200'].map((valueList): [Condition, string, string] => [
		on('ticketNumber', 'in', { valueList }),
		'valueList',
		'without separators',
	]),
	...[['a', ''], ['a', null], 'a,,b', ' ,a'].map((valueList): [Condition, string, string] => [
		on('title', 'in', { valueList }),
		'valueList',
		'has an empty value',
	]),
	[between({ numberValue: 5 }), 'numberTo', 'is empty'],
	[between({ numberValue: 'x', numberTo: 9 }), 'numberValue', 'whole number'],
])('refuses %j', (condition, field, message) => {
	expect(compile([condition])).toEqual([[`0 ${field}`, expect.stringContaining(message)]]);
});

it('makes a range of one end where empty values are skipped', () => {
	expect(compile([between({ numberValue: 5 })], 'skip')).toEqual({ ticketNumber: { gte: 5 } });
	expect(compile([between({ numberTo: 9 })], 'skip')).toEqual({ ticketNumber: { lte: 9 } });
});

it('refuses, at the later one, two that cannot be put together and one that is there twice', () => {
	const iLike = (value: string) => on('title', 'iLike', { value });
	const isNull = on('priority', 'isNull');
	expect(compile([iLike('%a%'), isNull, iLike('%b%')])).toEqual([
		['2', expect.stringContaining('on Title can have only one')],
	]);
	expect(compile([iLike('%a%'), isNull, isNull])).toEqual([
		['2', expect.stringContaining('is the same as Condition 2')],
	]);
});

it.each([{}, { column: 'colour', operator: 'equals' }, { column: '__proto__', operator: 'at' }])(
	'takes no condition without a column and an operator that exist: %j',
	(condition) => {
		const issues = conditionSchema.safeParse(condition).error?.issues ?? [];
		expect(issues.map(({ path }) => path)).toEqual([['column'], ['operator']]);
	},
);
