import type { Column } from '../../../../src/tickets/columns';
import type { SortRule } from '../../../../src/tickets/search/query';
import {
	isOutOfOrder,
	isRejection,
	rejectedMembers,
	showUnselected,
} from '../../../../src/tickets/service/dialect';
import { pageSchema } from '../../../../src/tickets/service/fetchPage';
import {
	hasFraction,
	identityOf,
	isZoned,
	numberIn,
	timeOf,
} from '../../../../src/tickets/service/values';

const metadata = { hasNextPage: false };

it.each<[unknown, string | undefined]>([
	[{ data: [{ id: '1' }], metadata }, undefined],
	[{ data: [], metadata, error: null, message: 'Done' }, undefined],
	[{ data: [], metadata, error: {}, errors: [] }, undefined],
	[{ data: [{ id: '1' }], metadata, errors: [{ message: 'Half of it' }] }, 'error: Half of it'],
	[{ data: [], metadata, success: false, message: 'No access' }, 'message: No access'],
	[{ data: [], metadata, success: false, error: { message: 'Closed' } }, 'error: Closed'],
	[{ data: [], metadata, success: false, message: ' ' }, 'success: is false'],
	[{ data: [], metadata, status: 'error' }, 'status: error'],
	[{ data: [], metadata, status: 503, message: 'Closed' }, 'message: Closed'],
	[{ data: [{ id: '1' }], metadata, error: 'Half of it' }, 'error: Half of it'],
	[{ data: [], metadata, error: { code: 5 } }, 'error: (an object)'],
	[{ message: 'Not found' }, 'message: Not found'],
	[{ data: {}, message: 'No' }, 'message: No'],
	[{ data: { id: '1' }, message: 'Done', metadata }, 'data: Invalid input: expected array'],
	[{ data: [['1']], metadata }, 'data.0: a row is not an object'],
	[{ data: [] }, 'metadata: Invalid input: expected object'],
	[[], 'Invalid input: expected object'],
	[null, 'Invalid input: expected object'],
])('a response %j is a page, or says: %s', (body, expected) => {
	const [first] = pageSchema.safeParse(body).error?.issues ?? [];
	const said =
		first && [first.path.join('.'), first.message].filter((text) => text !== '').join(': ');
	expect(said?.replace(/, received .*/, '')).toBe(expected);
});

it.each<[unknown, number | undefined, isZoned: boolean, hasFraction: boolean]>([
	['2026-01-31T10:00:00.500Z', 1_769_853_600_500, true, true],
	['2026-01-31T10:00:00,5004Z', 1_769_853_600_500.4, true, true],
	['2026-01-31 11:00:00+01:00', 1_769_853_600_000, true, false],
	['2026-01-31T11:00:00+0100', 1_769_853_600_000, true, false],
	['2026-01-31t11:00:00.000 +01', 1_769_853_600_000, true, true],
	[' 2026-01-31T10:00z', 1_769_853_600_000, true, false],
	['2026-01-31T10:00', 1_769_853_600_000, false, false],
	['2026-01-31', 1_769_817_600_000, false, false],
	['2026-01-31T10:00:00 CET', undefined, false, false],
	['2026-01-31T10:00:00ZZ', undefined, true, false],
	['2026-13-31', undefined, false, false],
	['soon', undefined, false, false],
	['No 1769853600500', undefined, false, false],
	['1769853600500 ms', undefined, false, false],
	['2026-01-31T10:00:00Z or so', undefined, false, false],
	[`2026-01-31T10:00:00.${'0'.repeat(79)}Z`, 1_769_853_600_000, true, true],
	[`2026-01-31T10:00:00.${'0'.repeat(80)}Z`, undefined, true, true],
	[1_769_853_600, 1_769_853_600_000, true, false],
	[99_999_999_999, 99_999_999_999_000, true, false],
	[100_000_000_000, 100_000_000_000, true, true],
	['1769853600500', 1_769_853_600_500, true, true],
	['-1769853600500', -1_769_853_600_500, true, true],
	[1_769_853_600_500_400, 1_769_853_600_500.4, true, true],
	[Infinity, undefined, true, false],
	[null, undefined, false, false],
	[true, undefined, false, false],
])(
	'the time %j is read as %j, with a zone: %s, with a fraction: %s',
	(value, ms, zoned, fraction) => {
		expect([timeOf(value), isZoned(value), hasFraction(value)]).toEqual([ms, zoned, fraction]);
	},
);

it.each<[unknown, number | undefined]>([
	[7, 7],
	[' 7 ', 7],
	[true, 1],
	['true', 1],
	['false', 0],
	['x', undefined],
	[Infinity, undefined],
	[null, undefined],
])('the number in %j is %j', (value, expected) => {
	expect(numberIn(value)).toBe(expected);
});

it('tells tickets apart by their IDs and numbers, though IDs are hidden or objects, else by all that they show', () => {
	const ids = ['a', 'b', { hex: 'a' }, { hex: 'b' }, null];
	const rows = [1, 2].flatMap((ticketNumber) => ids.map((id) => ({ id, ticketNumber })));
	const all = [...rows, { id: 'a' }, { title: 'x' }, { title: 'y' }];
	expect(new Set(all.map(identityOf)).size).toBe(all.length);
	expect(rows.map((row) => identityOf({ ...row, title: 'x' }))).toEqual(rows.map(identityOf));
});

const sorted = (rows: string): SortRule[] =>
	rows.split(', ').map((rule) => {
		const [column = '', direction] = rule.split(' ');
		return { column: column as Column, direction: direction === 'desc' ? 'desc' : 'asc' };
	});

it.each<[sort: string, values: readonly unknown[][], isWrong: boolean]>([
	['ticketNumber', [[1], [1], ['2'], [10]], false],
	['ticketNumber', [[1], [3], [2]], true],
	['ticketNumber desc', [[3], [2], [2]], false],
	['ticketNumber desc', [[2], [3]], true],
	['ticketNumber', [[2], [null], [1]], false],
	['ticketNumber', [[2]], false],
	['ticketNumber desc', [[null], [1]], false],
	['ticketNumber desc', [[1], [null]], false],
	['title', [['b'], ['a']], false],
	['title', [['10'], ['9']], false],
	['title', [['b'], ['a'], ['b']], false],
	[
		'isShared, ticketNumber',
		[
			[false, 9],
			[true, 1],
			[true, 2],
		],
		false,
	],
	[
		'isShared, ticketNumber',
		[
			[false, 9],
			[true, 2],
			[true, 1],
		],
		true,
	],
	['createdAt', [['2026-01-31T10:00:00Z'], ['2026-01-31T10:00:01Z']], false],
	['createdAt', [['2026-01-31T10:00:01Z'], ['2026-01-31T10:00:00Z']], true],
	// Without a zone an hour may come twice; a fraction may not be shown.
	['createdAt', [['2026-10-25T02:59:00'], ['2026-10-25T01:00:00']], false],
	['createdAt', [['2026-10-25T03:00:00'], ['2026-10-25T01:00:00']], false],
	['createdAt', [['2026-10-25T03:01:00'], ['2026-10-25T01:00:00']], true],
	[
		'createdAt, ticketNumber',
		[
			['2026-01-31T10:00:00Z', 2],
			['2026-01-31T10:00:00Z', 1],
		],
		false,
	],
	['priority', [['low'], ['urgent'], ['high']], false],
])('in the order of %s rows with %j are out of order: %s', (sort, values, expected) => {
	const rules = sorted(sort);
	const rows = values.map((cells) =>
		Object.fromEntries(rules.map(({ column }, i) => [column, cells[i]])),
	);
	expect(isOutOfOrder(rows, rules)).toBe(expected);
	expect(isOutOfOrder(rows, [])).toBe(false);
});

it.each<[columns: string, isIgnored: boolean]>([
	['title id ticketNumber priority', false],
	['title id ticketNumber priority source', true],
	['id ticketNumber priority source', true],
	['title colour size weight age', false],
	['colour', true],
])(
	'of the title alone rows with %s show that columns cannot be selected: %s',
	(columns, expected) => {
		const row = Object.fromEntries(columns.split(' ').map((name) => [name, null]));
		const rows = columns.includes('title') ? [{ title: 'x' }, row] : [row];
		expect(showUnselected(rows, ['title'])).toBe(expected);
	},
);

it.each<
	[message: string, taken: Array<'sort' | 'select'>, members: string[], isRejection: boolean]
>([
	['Invalid sort', [], ['sort'], true],
	['select and sort are wrong', ['select'], ['sort', 'select'], true],
	['Bad request', [], ['sort', 'select'], true],
	['Bad request', ['sort'], ['select'], true],
	['Unknown filter', [], [], false],
	['Invalid filters', [], [], false],
	['pagination.limit is too large', [], [], true],
	['Resorted', ['sort', 'select'], [], true],
])('a rejection "%s" after %j were taken may be about %j', (message, taken, members, expected) => {
	const query = { filters: {}, sort: sorted('title'), select: ['title' as const] };
	const failure = { kind: 'api' as const, status: 422, message, issues: [] };
	expect(rejectedMembers(failure as never, query, new Set(taken))).toEqual(members);
	expect(isRejection(failure as never)).toBe(expected);
	expect(rejectedMembers({ ...failure, status: 500 } as never, query, new Set())).toEqual([]);
});
