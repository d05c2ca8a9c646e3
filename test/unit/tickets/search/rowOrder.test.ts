import { isOutOfOrder, numberIn, timeOf } from '../../../../src/tickets/search/rowOrder';
import type { Ticket } from '../../../../src/tickets/ticket';
import { by, rowsOf } from '../../../support/tickets';

describe('rows out of order', () => {
	it.each<[string, string, readonly unknown[], boolean]>([
		['ticketNumber', 'asc', [1, 2, 2, 3], false],
		['ticketNumber', 'asc', [1, 3, 2], true],
		['ticketNumber', 'desc', [3, 2, 1], false],
		['ticketNumber', 'desc', [1, 2], true],
		['ticketNumber', 'asc', ['10', '9'], true],
		['ticketNumber', 'asc', [1, null, 2], false],
		['ticketNumber', 'asc', [2, ' ', 1], false],
		['ticketNumber', 'asc', ['x', 1], false],
		['isShared', 'asc', [true, false], true],
		['isShared', 'asc', ['false', 'true'], false],
		['createdAt', 'asc', ['2026-01-15T12:00:01Z', '2026-01-15T12:00:00Z'], true],
		['createdAt', 'asc', ['2026-01-15T12:00:00Z', '2026-01-15T12:00:00Z'], false],
		['createdAt', 'desc', ['2026-01-15', '2026-01-16'], true],
		['title', 'asc', ['b', 'a'], true],
		['title', 'asc', ['B', 'A'], true],
		['title', 'asc', ['2', '1'], true],
		['title', 'asc', ['B', 'a'], false],
		['title', 'asc', ['ab', 'aa'], false],
		['title', 'asc', ['-b', '-a'], false],
		['title', 'asc', ['-B', '-A'], false],
		['title', 'asc', ['x2', 'a1'], true],
		['title', 'asc', ['-2', '-1'], false],
		['ticketNumber', 'asc', [2, null, 1], false],
		['ticketNumber', 'asc', [3, 'x', 2], false],
		['ticketNumber', 'desc', [1, 'x', 2], false],
		['title', 'asc', ['b', '', 'a'], false],
		['title', 'asc', ['a', '-', 'a'], true],
		['title', 'asc', ['a', 'A', 'a'], false],
		['priority', 'asc', ['low', 'high'], false],
		['priority', 'asc', ['low', 'high', 'low'], true],
		['priority', 'asc', ['low', null, 'low'], true],
		['priority', 'asc', ['low', 'low', 'high'], false],
	])('by %s, %s: %j are %s', (column, direction, values, expected) => {
		expect(isOutOfOrder(rowsOf(column, ...values), by(column, direction))).toBe(expected);
	});

	it('are judged by the next rule where the first ties', () => {
		const sort = [...by('priority'), ...by('ticketNumber', 'desc')];
		const rows = (...pairs: ReadonlyArray<readonly [string, number]>) =>
			pairs.map(([priority, ticketNumber]) => ({ priority, ticketNumber }) as unknown as Ticket);
		expect(isOutOfOrder(rows(['low', 2], ['low', 1]), sort)).toBe(false);
		expect(isOutOfOrder(rows(['low', 1], ['low', 2]), sort)).toBe(true);
		expect(isOutOfOrder(rows(['low', 1], ['high', 2]), sort)).toBe(false);
		expect(isOutOfOrder(rows(['low', 1]), sort)).toBe(false);
		expect(isOutOfOrder(rows(['low', 1], ['low', 2]), [])).toBe(false);
	});
});

describe('values in rows', () => {
	it.each<[unknown, number | undefined]>([
		[5, 5],
		[' 5 ', 5],
		[true, 1],
		['true', 1],
		['false', 0],
		['True', undefined],
		[Infinity, undefined],
		[null, undefined],
		['x', undefined],
	])('%j is the number %j', (value, expected) => {
		expect(numberIn(value)).toBe(expected);
	});

	const ms = Date.UTC(2026, 0, 15, 12, 30, 15);
	it.each<[unknown, number | undefined]>([
		['2026-01-15T12:30:15Z', ms],
		['2026-01-15 12:30:15', ms],
		[' 2026-01-15T12:30:15.250123Z ', ms + 250],
		['2026-01-15T12:30:15,25Z', ms + 250],
		['2026-01-15 13:30:15 +01:00', ms],
		['2026-01-15T13:30:15+01', ms],
		['2026-01-15T11:00:15-0130', ms],
		['2026-01-15', Date.UTC(2026, 0, 15)],
		[ms, ms],
		[ms / 1_000, ms],
		['1768480215', 1_768_480_215_000],
		[99_999_999_999, 99_999_999_999_000],
		[100_000_000_000, 100_000_000_000],
		['+002026-01-15T12:30:15Z', ms],
		['2026-01-15T12:30:15.2509999Z', ms + 250],
		['2026-01-15T12:30:15.25Z', ms + 250],
		['2026-01-15T', undefined],
		['', undefined],
		['soon', undefined],
		['x2026-01-15', undefined],
		['2026-01-15x', undefined],
		['2026-13-15', undefined],
		[null, undefined],
	])('%j is the time %j', (value, expected) => {
		expect(timeOf(value)).toBe(expected);
	});
});
