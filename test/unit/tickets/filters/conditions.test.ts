import { compile, on, type Condition } from '../../../support/compileFilters';

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
			on('isShared', 'eq', { booleanValue: 'TRUE' }),
			on('createdAt', 'gte', { dateValue: '2026-07-31' }),
			on('updatedAt', 'eq', { dateValue: '2026-07-31T09:00+01:00' }),
			on('priority', 'in', { priorityValues: 'High, urgent' }),
			on('source', 'eq', { sourceValue: ' Chat Widget' }),
		]),
	).toEqual({
		ticketNumber: { in: [1001, 1002, -2, 3], lt: 7 },
		isShared: { eq: true },
		createdAt: { gte: '2026-07-30T22:00:00.000Z' },
		updatedAt: { eq: '2026-07-31T08:00:00.000Z' },
		priority: { in: ['high', 'urgent'] },
		source: { eq: 'chat_widget' },
	});
});

it.each<[Condition, string, string]>([
	[on('ticketNumber', 'in', { valueList: ' , ' }), 'valueList', 'is empty'],
	[on('priority', 'in', { priorityValues: ['low', 'huge'] }), 'priorityValues', 'one of'],
	[on('isShared', 'eq', { booleanValue: 'maybe' }), 'booleanValue', 'true or false'],
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
	[on('title', 'in', { valueList: ['a', null] }), 'valueList', 'has an empty value'],
	[on('ticketNumber', 'gte', { numberValue: 'x' }), 'numberValue', 'whole number'],
])('refuses %j', (condition, field, message) => {
	const problem = new RegExp(`^0 ${field} .*${message}`);
	expect(compile([condition])).toEqual([expect.stringMatching(problem)]);
});

it.each<[string, Condition[], string]>([
	[
		'the same condition twice',
		[on('title', 'eq', { value: 'a' }), on('title', 'eq', { value: 'a' })],
		'1 is the same as Condition 1',
	],
	[
		'two values of one column',
		[on('title', 'eq', { value: 'a' }), on('title', 'eq', { value: 'b' })],
		`1 on Title can have only one such value, "a" or "b". Keep one, or use 'Is Any Of'`,
	],
	[
		'two patterns on one column',
		[on('title', 'contains', { value: 'a' }), on('title', 'contains', { value: 'b' })],
		'1 on Title can have only one such value, "%a%" or "%b%". Keep one, or use a Filter node',
	],
	[
		'an operator of another kind',
		[on('title', 'gt', { value: 'a' })],
		`0 operator "Is Greater Than" is not offered for Title. Choose another operator, or set 'Filter By' to JSON`,
	],
])('says what is wrong with %s', (_, conditions, problem) => {
	const problems = compile(conditions);
	expect(problems).toHaveLength(1);
	expect(problems).toEqual([expect.stringContaining(problem)]);
});

it('converts a value only where its column has another type', () => {
	expect(compile([on('title', 'eq', { value: 1001 })])).toEqual({ title: { eq: '1001' } });
	for (const value of ['High', 'Chat Widget', 'TRUE', '7'])
		expect(compile([on('title', 'eq', { value })])).toEqual({ title: { eq: value } });
	expect(compile([on('isShared', 'ne', { booleanValue: ' False ' })])).toEqual({
		isShared: { ne: false },
	});
	expect(compile([on('title', 'in', { valueList: '1,000' })])).toEqual({
		title: { in: ['1', '000'] },
	});
});
