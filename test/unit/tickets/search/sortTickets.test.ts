import type { SortRule } from '../../../../src/tickets/search/query';
import { sortTickets } from '../../../../src/tickets/search/sortTickets';
import { by, rowsOf } from '../../../support/tickets';

it.each<[SortRule['column'], readonly unknown[]]>([
	['ticketNumber', [-2, 0, '9', 10]],
	['isShared', [false, 'true']],
	['createdAt', ['2026-01-15T12:00:00Z', '2026-01-15T12:00:01Z']],
	[
		'createdAt',
		[
			'2026-01-01T00:30:00+01:00',
			'2026-01-01T00:00:00Z',
			'2026-01-01T00:00:00.500Z',
			'2026-01-01T00:00:01Z',
		],
	],
	['createdAt', ['2026-01-15T12:00:00,5Z', '2026-01-15T12:00:00.5Z']],
	['createdAt', [1_768_480_215_250, 1_768_480_215_251]],
])('sorts %s by value, whatever it is written as: %j', (column, values) => {
	const rows = rowsOf(column, ...values);
	const turned = [...rows].reverse();
	const isTied = values.length === 2 && String(values[0]).includes(',');
	if (!isTied) expect(sortTickets(turned, by(column))).toEqual(rows);
	expect(sortTickets(rows, by(column))).toEqual(rows);
	expect(sortTickets(rows, by(column, 'desc'))).toEqual(isTied ? rows : turned);
});

it('sorts times that are equal where one of them shows that fractions are shown', () => {
	const rows = rowsOf(
		'createdAt',
		'2026-01-15T12:00:00Z',
		'2026-01-15T12:00:00Z',
		'2026-01-15T12:00:00.5Z',
	);
	expect(sortTickets([...rows].reverse(), by('createdAt'))).toEqual(rows);
	expect(sortTickets(rows, [...by('createdAt'), ...by('title')])).toBeUndefined();
});

it('goes on with the next rule where the first finds no difference, and then by number', () => {
	const rows = [
		{ id: 'a', isShared: true, ticketNumber: 2 },
		{ id: 'b', isShared: false, ticketNumber: 1 },
		{ id: 'c', isShared: true, ticketNumber: 1 },
	];
	const ids = (...sort: SortRule[]) => sortTickets(rows, sort)?.map(({ id }) => id);
	expect(ids(...by('isShared', 'desc'), ...by('ticketNumber'))).toEqual(['c', 'a', 'b']);
	expect(ids(...by('isShared'))).toEqual(['b', 'c', 'a']);
	expect(ids()).toEqual(['a', 'b', 'c']);
});

it.each<[string, readonly unknown[]]>([
	['ticketNumber', [2, 'x']],
	['ticketNumber', [2, null]],
	['ticketNumber', [2, undefined]],
	['title', ['a', 'b']],
	['createdAt', ['soon']],
	// Whole seconds may hide what comes first.
	['createdAt', ['2026-01-15T12:00:00Z', '2026-01-15T12:00:00Z']],
	['createdAt', [1_768_480_215, 1_768_480_215]],
])('leaves %s to the service where only that knows the order: %j', (column, values) => {
	expect(sortTickets(rowsOf(column, ...values), by(column))).toBeUndefined();
});
