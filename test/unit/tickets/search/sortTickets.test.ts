import { columnNames, columnsOf } from '../../../../src/tickets/columns';
import { canSortLocally, sortTickets } from '../../../../src/tickets/search/sortTickets';
import type { SortRule } from '../../../../src/tickets/search/query';

const asc = (column: SortRule['column']): SortRule => ({ column, direction: 'asc' });
const desc = (column: SortRule['column']): SortRule => ({ column, direction: 'desc' });

/** The values of a column after ordering rows that hold only them. */
const ordered = (values: readonly unknown[], rule: SortRule) =>
	sortTickets(
		values.map((value) => ({ [rule.column]: value })),
		[rule],
	).map((row) => row[rule.column]);

it('can be made here for numbers, times and truth values, since text follows a collation and enums their declaration', () => {
	const not = columnsOf('text', 'identifier', 'source', 'priority');
	expect(not.length).toBeGreaterThan(10);
	for (const column of columnNames) {
		expect([column, canSortLocally([asc(column)])]).toEqual([column, !not.includes(column)]);
	}
	expect(canSortLocally([asc('ticketNumber'), asc('title')])).toBe(false);
	expect(canSortLocally([])).toBe(true);
});

it.each<[SortRule['column'], readonly unknown[]]>([
	['ticketNumber', [-2, 0, 9, 10]],
	['isShared', [false, true]],
	['priority', ['high', 'low', 'medium', 'urgent']],
	[
		'createdAt',
		[
			'2026-01-01T00:30:00+01:00',
			'2026-01-01T00:00:00Z',
			'2026-01-01T00:00:00.500Z',
			'2026-01-01T00:00:01Z',
			'+010000-01-01T00:00:00Z',
		],
	],
])('of %s goes by value', (column, values) => {
	const turned = [...values].reverse();
	expect(ordered(turned, asc(column))).toEqual(values);
	expect(ordered(values, asc(column))).toEqual(values);
	expect(ordered(values, desc(column))).toEqual(turned);
});

it.each<[SortRule['column'], unknown, unknown]>([
	['ticketNumber', -1, 5],
	['createdAt', '1960-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
	['isShared', false, true],
])('of %s takes empty values for the greatest', (column, less, more) => {
	expect(ordered([null, more, less], asc(column))).toEqual([less, more, null]);
	expect(ordered([less, null, more], desc(column))).toEqual([null, more, less]);
	expect(ordered([undefined, less], asc(column))).toEqual([less, undefined]);
});

it('goes on with the next rule where the first finds no difference, empty values too', () => {
	const rows = [
		{ id: 'a', priority: 'low', closedAt: null },
		{ id: 'b', priority: 'high' },
		{ id: 'c', priority: 'high', closedAt: '2026-01-01T00:00:00Z' },
		{ id: 'd', priority: 'low', closedAt: '2026-01-01T01:00:00+01:00' },
	];
	const ids = (...sort: SortRule[]) => sortTickets(rows, sort).map(({ id }) => id);
	expect(ids(desc('closedAt'), asc('priority'))).toEqual(['b', 'a', 'c', 'd']);
	expect(ids(asc('closedAt'), desc('priority'))).toEqual(['d', 'c', 'a', 'b']);
});

it('leaves ties, and everything where there is no rule, as it came', () => {
	const rows = [3, 1, 2].map((n) => ({ id: `t${n}`, isShared: true, ticketNumber: n }));
	expect(sortTickets(rows, [desc('isShared')])).toEqual(rows);
	expect(sortTickets(rows, [])).toEqual(rows);
});
