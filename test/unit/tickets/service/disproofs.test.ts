import type { Filters } from '../../../../src/tickets/filters/schema';
import { unmatchedColumn } from '../../../../src/tickets/service/disproofs';

const ID = '00000000-0000-4000-8000-00000000000a';

it.each<[column: string, operands: object, wrong: unknown[], open: unknown[]]>([
	['title', { isNull: true }, ['', 'x'], [null]],
	['title', { isNull: false }, [null], ['', 'x']],
	['title', { isNotNull: true }, [null], ['', 'x']],
	['title', { isNotNull: false }, ['', 'x'], [null]],
	['title', { isEmpty: true }, ['x'], [null, '', ' ']],
	['title', { isEmpty: false }, [null, ''], [' ', 'x']],
	['title', { isNotEmpty: true }, [null, ''], [' ', 'x']],
	['title', { isNotEmpty: false }, ['x'], [null, '', ' ']],
	['closedAt', { isNull: true }, ['2026-01-31T10:00:00Z', 0], [null, '', ' ']],
	['closedAt', { isNotNull: true }, [null], ['', '2026-01-31T10:00:00Z']],
	['closedAt', { isNotNull: false }, ['2026-01-31T10:00:00Z'], [null, '']],
	['title', { eq: 'Café 7' }, [null], ['cafe', 'x']],
	['title', { eq: 'a-b 007' }, [null, 'ab 8', 'a 7', 'ab 70'], ['AB7', 'ä', 7]],
	['title', { in: ['a', 'b'] }, [null, 'c'], ['A', 'b.']],
	['title', { in: ['a', 'ä'] }, [null], ['c']],
	['title', { ne: 'a' }, ['a'], [null, 'A', 'b']],
	['title', { notIn: ['a', 'b'] }, ['b'], [null, 'c']],
	['ticketNumber', { eq: 7 }, [null, 8, '8'], [7, '7']],
	['ticketNumber', { in: [7, 8] }, [9], [8]],
	['ticketNumber', { ne: 7 }, [7, '7'], [null, 8]],
	['ticketNumber', { notIn: [7, 8] }, [8], [null, 9]],
	['ticketNumber', { gt: 7 }, [null, 7, 6, '6'], [8, '8']],
	['ticketNumber', { gte: 7 }, [null, 6], [7, 8]],
	['ticketNumber', { lt: 7 }, [null, 7, 8], [6]],
	['ticketNumber', { lte: 7 }, [null, 8], [7, 6]],
	['isShared', { eq: true }, [null, false, 'false', 0], [true, 'true', 1]],
	['isShared', { ne: true }, [true, 'true'], [null, false]],
	['priority', { in: ['low', 'high'] }, [null, 'urgent'], ['low', ' HIGH ']],
	['priority', { ne: 'low' }, ['low', 'LOW'], [null, 'high']],
	['customerId', { eq: ID }, [null, `${ID}0`], [ID, ID.toUpperCase()]],
	['customerId', { eq: 'x-01' }, ['x01', 'x-1'], [' X-01']],
	[
		'createdAt',
		{ eq: '2026-01-31T10:00:00.500Z' },
		[null, '2026-01-31T10:00:00.400Z', '2026-01-31T10:00:02Z'],
		[
			'2026-01-31T10:00:00.500Z',
			'2026-01-31T10:00:00Z',
			'2026-01-31T11:00:00.500+01:00',
			'2026-01-31T10:00:00',
			'2026-01-31',
		],
	],
	[
		'createdAt',
		{ in: ['2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z'] },
		[null, '2026-02-15T10:00:00Z'],
		['2026-02-28T10:00:00Z', 'soon'],
	],
	[
		'createdAt',
		{ ne: '2026-01-31T10:00:00.500Z' },
		['2026-01-31T10:00:00.500Z', 1769853600500],
		[null, '2026-01-31T10:00:00Z', '2026-01-31T10:00:00.500', '2026-01-31T10:00:00.400Z'],
	],
	[
		'createdAt',
		{ gt: '2026-01-31T10:00:00Z' },
		[
			null,
			'2026-01-31T09:59:58Z',
			'2026-01-31T09:59:59.500Z',
			'2026-01-30T07:00:00',
			'2026-01-28',
			'1769853590',
		],
		[
			'2026-01-31T10:00:00Z',
			'2026-01-31T09:59:59Z',
			'2026-01-30T09:00:00',
			'2026-01-30',
			'soon',
			'1769853601',
		],
	],
	[
		'createdAt',
		{ lt: '2026-01-31T10:00:00Z' },
		[null, '2026-01-31T10:00:02Z', '2026-02-01T13:00:00'],
		['2026-01-31T10:00:00.001Z', '2026-02-01T11:00:00', '2026-02-02'],
	],
	[
		'createdAt',
		{ gte: '2026-01-31T10:00:00.500Z' },
		['2026-01-31T10:00:00.400Z'],
		['2026-01-31T10:00:00.500Z', '2026-01-31T10:00:00Z'],
	],
	[
		'createdAt',
		{ lte: '2026-01-31T10:00:00.500Z' },
		['2026-01-31T10:00:00.600Z'],
		['2026-01-31T10:00:00.500Z'],
	],
	['createdAt', { isBetween: ['2026-01-31', '2026-02-28'] }, [], [null, '2020-01-31T10:00:00Z']],
	['createdAt', { isRelativeToToday: -7 }, [], [null, '2020-01-31T10:00:00Z']],
	[
		'createdAt',
		{ eq: '2026-01-31T10:00:00Z' },
		['2026-01-31T10:00:01.001Z'],
		['2026-01-31T10:00:01Z', '2026-01-31T09:59:59Z'],
	],
	['title', { like: '%ab%' }, [null, 'xyz'], ['AB', 'a-b']],
	['title', { ne: 'b', like: '%b%' }, ['b', 'c'], ['ab']],
	['title', { isEmpty: true }, [], [undefined]],
	['title', { gt: '5' }, [null], ['4', '5', '10']],
	['title', { iLike: '%ab%' }, [null, 'xyz'], ['AB']],
	['title', { notLike: '%ab%' }, ['xabx'], [null, 'AB', 'xyz']],
	['title', { notILike: '%ab%' }, ['xabx', 'AB'], [null, 'xyz']],
])('a row disproves %s %j by any of %j and by none of %j', (column, operands, wrong, open) => {
	const isDisproved = (value: unknown): boolean =>
		unmatchedColumn({ [column]: operands } as Filters, [{ [column]: value }]) === column;
	expect(wrong.filter((value) => !isDisproved(value))).toEqual([]);
	expect(open.filter(isDisproved)).toEqual([]);
});

it('names the column that any row disproves, and none for what rows do not show', () => {
	const filters = { title: { eq: 'a' }, priority: { eq: 'low' } } as Filters;
	expect(unmatchedColumn(filters, [{ title: 'a', priority: 'low' }, { priority: 'high' }])).toBe(
		'priority',
	);
	expect(unmatchedColumn(filters, [{ title: 'a' }, {}])).toBeUndefined();
	expect(unmatchedColumn({ title: { ne: 'b', eq: 'a' } } as Filters, [{ title: 'b' }])).toBe(
		'title',
	);
});
