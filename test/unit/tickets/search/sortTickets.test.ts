import { columnNames, columnsOf } from '../../../../src/tickets/columns';
import type { SortRule } from '../../../../src/tickets/search/query';
import {
	areSortable,
	canSortLocally,
	rulesWithGaps,
	sortTickets,
} from '../../../../src/tickets/search/sortTickets';
import { by, rowsOf } from '../../../support/tickets';

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

it('goes on with the next rule where the first finds no difference, empty values too', () => {
	const rows = [
		{ id: 'a', isShared: true, closedAt: null },
		{ id: 'b', isShared: false },
		{ id: 'c', isShared: false, closedAt: '2026-01-01T00:00:00Z' },
		{ id: 'd', isShared: true, closedAt: '2026-01-01T01:00:00+01:00' },
	];
	const ids = (...sort: SortRule[]) => sortTickets(rows, sort).map(({ id }) => id);
	expect(ids(desc('closedAt'), asc('isShared'))).toEqual(['b', 'a', 'c', 'd']);
	expect(ids(asc('closedAt'), desc('isShared'))).toEqual(['d', 'c', 'a', 'b']);
});

it('leaves ties, and everything where there is no rule, as it came', () => {
	const rows = [3, 1, 2].map((n) => ({ id: `t${n}`, isShared: true, ticketNumber: n }));
	expect(sortTickets(rows, [desc('isShared')])).toEqual(rows);
	expect(sortTickets(rows, [])).toEqual(rows);
});

describe('sorting here', () => {
	it.each<[string, readonly unknown[], boolean]>([
		['ticketNumber', [2, '1', null, undefined], true],
		['ticketNumber', [2, 'x'], false],
		['title', ['a'], false],
		['createdAt', ['2026-01-15T12:00:00Z', '2026-01-15T12:00:01Z'], true],
		['createdAt', ['2026-01-15T12:00:00Z', '2026-01-15T12:00:00Z'], false],
		['createdAt', ['2026-01-15T12:00:00.5Z', '2026-01-15T12:00:00.5Z'], true],
		['createdAt', ['2026-01-15T12:00:00,5Z', '2026-01-15T12:00:00,5Z'], true],
		['createdAt', [1_768_480_215_250, 1_768_480_215_250], true],
		['createdAt', [1_768_480_215, 1_768_480_215], false],
		['createdAt', ['soon'], false],
	])('by %s is right for %j: %s', (column, values, expected) => {
		expect(areSortable(rowsOf(column, ...values), by(column))).toBe(expected);
	});

	it('needs to know where empty values belong only where there are both', () => {
		const rule = by('ticketNumber');
		expect(rulesWithGaps(rowsOf('ticketNumber', 1, null), rule)).toEqual(rule);
		expect(rulesWithGaps(rowsOf('ticketNumber', 1, undefined), rule)).toEqual(rule);
		expect(rulesWithGaps(rowsOf('ticketNumber', 1, 2), rule)).toEqual([]);
		expect(rulesWithGaps(rowsOf('ticketNumber', null, null), rule)).toEqual([]);
		expect(rulesWithGaps([], rule)).toEqual([]);
	});

	it.each<[string, object, readonly unknown[]]>([
		['asc', {}, [1, 2, 10, null]],
		['desc', {}, [null, 10, 2, 1]],
		['asc', { asc: true }, [null, 1, 2, 10]],
		['desc', { desc: false }, [10, 2, 1, null]],
		['asc', { desc: true }, [1, 2, 10, null]],
	])('%s with %j gives %j', (direction, nullsFirst, expected) => {
		const sorted = sortTickets(
			rowsOf('ticketNumber', 10, null, '2', 1),
			by('ticketNumber', direction),
			nullsFirst,
		);
		expect(
			sorted.map((row) => (row['ticketNumber'] === null ? null : Number(row['ticketNumber']))),
		).toEqual(expected);
	});
});
