import type { Filters } from '../../../../src/tickets/filters/schema';
import { ignoredMembers, unmatchedColumn } from '../../../../src/tickets/search/checkRows';
import {
	selectColumns,
	withCheckedColumns,
	withNeededColumns,
} from '../../../../src/tickets/search/neededColumns';
import type { SortRule } from '../../../../src/tickets/search/query';
import { keysetQuery, noColumnTwice, searchRequest } from '../../../../src/tickets/search/query';
import { isOutOfOrder, numberIn, timeOf } from '../../../../src/tickets/search/rowOrder';
import {
	areSortable,
	canSortLocally,
	rulesWithGaps,
	sortTickets,
} from '../../../../src/tickets/search/sortTickets';
import { isRejection, totalRules } from '../../../../src/tickets/search/totalOrder';
import {
	breaksEscape,
	escapedColumns,
	matchesEscapes,
	withoutEscapes,
} from '../../../../src/tickets/search/escapes';
import type { Ticket } from '../../../../src/tickets/ticket';

const rowsOf = (column: string, ...values: readonly unknown[]) =>
	values.map((value) => ({ [column]: value }) as Ticket);
const by = (column: string, direction = 'asc') => [{ column, direction }] as SortRule[];

describe('a row that certainly does not match', () => {
	const breaks = (filters: object, value: unknown) => {
		const [column = ''] = Object.keys(filters);
		return unmatchedColumn(filters as Filters, rowsOf(column, value)) === column;
	};

	it.each<[object, readonly unknown[], readonly unknown[]]>([
		[{ title: { isNull: true } }, ['a', '', 0], [null, undefined]],
		[{ title: { isNotNull: false } }, ['a'], [null]],
		[{ title: { isNull: false } }, [null], ['a', '']],
		[{ title: { isNotNull: true } }, [null], ['a']],
		[{ title: { eq: 'a' } }, [], ['b', null]],
		[{ title: { like: 'a\\%' } }, ['b', 'ab'], ['a%', null]],
		[{ priority: { eq: 'low' } }, ['high', null], ['low', 'LOW', 1, true]],
		[{ priority: { in: ['low', 'high'] } }, ['medium', null], ['low', 'High', 5]],
		[{ priority: { eq: 'low', in: ['high'] } }, ['medium'], ['low', 'high']],
		[{ priority: { ne: 'low' } }, [], ['low', 'high', null]],
		[{ isShared: { eq: true } }, [false, null], [true, 'true', 1]],
		[{ ticketNumber: { eq: 5 } }, [4, 6, '4', null], [5, '5', 'x', {}]],
		[{ ticketNumber: { gt: 5 } }, [5, 4], [6]],
		[{ ticketNumber: { gte: 5 } }, [4], [5, 6]],
		[{ ticketNumber: { lt: 5 } }, [5, 6], [4]],
		[{ ticketNumber: { lte: 5 } }, [6], [5]],
		[{ ticketNumber: { gt: 5, lte: 7 } }, [5, 8], [6, 7]],
		[{ ticketNumber: { gt: 3, gte: 5 } }, [4], [5]],
		[{ ticketNumber: { in: [1, 3] } }, [2], [1, 3, '3']],
		[{ ticketNumber: { ne: 5 } }, [], [5, null]],
		[{ ticketNumber: { isNotNull: true, gt: 5 } }, [null, 5], [6]],
		[
			{ createdAt: { gte: '2026-01-15T12:00:00Z' } },
			['2026-01-15T11:59:58Z', '2026-01-14T09:59:00', '2026-01-13', null],
			[
				'2026-01-15T11:59:59Z',
				'2026-01-15T12:00:00.5Z',
				'2026-01-14T10:01:00',
				'2026-01-14',
				'soon',
			],
		],
		[
			{ createdAt: { lt: '2026-01-15T12:00:00Z' } },
			[
				'2026-01-15T12:00:02Z',
				'2026-01-15T13:00:02+01:00',
				'2026-01-15T13:00:02+0100',
				'2026-01-15T13:00:02+01',
			],
			[
				'2026-01-15T12:00:01Z',
				'2026-01-15T12:00:01z',
				'2026-01-16T13:59:00',
				'2026-01-15T13:00:01+01:00',
			],
		],
		[{ createdAt: { gt: '2026-01-15T12:00:00Z' } }, [], ['2026-01-15T12:00:00Z', 1_768_478_400]],
	])('%j is broken by %j and not by %j', (filters, broken, kept) => {
		expect(broken.filter((value) => !breaks(filters, value))).toEqual([]);
		expect(kept.filter((value) => breaks(filters, value))).toEqual([]);
	});

	it('is looked for in all rows and columns', () => {
		const filters = { ticketNumber: { gte: 1 }, priority: { eq: 'low' } } as Filters;
		const rows = (...more: readonly object[]) => more as readonly Ticket[];
		expect(
			unmatchedColumn(filters, rows({ ticketNumber: 1, priority: 'low' }, { ticketNumber: 2 })),
		).toBeUndefined();
		expect(unmatchedColumn(filters, rows({ ticketNumber: 1 }, { priority: 'high' }))).toBe(
			'priority',
		);
		expect(unmatchedColumn({}, rows({ ticketNumber: 1 }))).toBeUndefined();
		expect(unmatchedColumn(filters, [])).toBeUndefined();
	});
});

describe('members of a search that are ignored', () => {
	const query = (more: object) =>
		({ filters: {}, sort: [], select: [], ...more }) as Parameters<typeof ignoredMembers>[0];

	it('are a sort whose rows come in another order', () => {
		expect(
			ignoredMembers(query({ sort: by('ticketNumber') }), rowsOf('ticketNumber', 1, 2)),
		).toEqual([]);
		expect(
			ignoredMembers(query({ sort: by('ticketNumber') }), rowsOf('ticketNumber', 2, 1)),
		).toEqual(['sort']);
	});

	it('are selected columns where four others come, too', () => {
		const select = ['id'];
		const row = { id: 'a', title: 1, priority: 1, source: 1, ticketNumber: 1 } as unknown as Ticket;
		const { ticketNumber: number, ...three } = row as Record<string, unknown>;
		expect(number).toBe(1);
		expect(ignoredMembers(query({ select }), [row])).toEqual(['select']);
		expect(
			ignoredMembers(query({ select }), [
				three as Ticket,
				{ ...three, other: 1 } as unknown as Ticket,
			]),
		).toEqual([]);
		expect(ignoredMembers(query({ select: ['id', 'title'] }), [row])).toEqual([]);
		expect(ignoredMembers(query({}), [row])).toEqual([]);
	});
});

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
		['soon', undefined],
		['x2026-01-15', undefined],
		['2026-01-15x', undefined],
		['2026-13-15', undefined],
		[null, undefined],
	])('%j is the time %j', (value, expected) => {
		expect(timeOf(value)).toBe(expected);
	});
});

describe('sorting here', () => {
	it('is possible by numbers, times and truth values', () => {
		for (const column of ['ticketNumber', 'createdAt', 'isShared'])
			expect([column, canSortLocally(by(column))]).toEqual([column, true]);
		for (const column of ['title', 'priority', 'id', 'source'])
			expect([column, canSortLocally(by(column))]).toEqual([column, false]);
		expect(canSortLocally([])).toBe(true);
		expect(canSortLocally([...by('ticketNumber'), ...by('title')])).toBe(false);
	});

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

	it('keeps the order of ties, then goes by the next rule', () => {
		const rows = [
			{ isShared: true, ticketNumber: 1, id: 'a' },
			{ isShared: false, ticketNumber: 2, id: 'b' },
			{ isShared: true, ticketNumber: 1, id: 'c' },
			{ isShared: true, ticketNumber: 0, id: 'd' },
		] as unknown as Ticket[];
		const ids = (sort: SortRule[]) => sortTickets(rows, sort).map(({ id }) => id);
		expect(ids([...by('isShared', 'desc'), ...by('ticketNumber')])).toEqual(['d', 'a', 'c', 'b']);
		expect(ids(by('isShared'))).toEqual(['b', 'a', 'c', 'd']);
		expect(ids([])).toEqual(['a', 'b', 'c', 'd']);
	});
});

describe('patterns with an escape', () => {
	it('are found in every column', () => {
		const filters = {
			title: { like: 'a\\_' },
			summary: { iLike: 'a' },
			externalId: { notILike: '\\%' },
		} as unknown as Filters;
		expect(escapedColumns(filters)).toContain('title');
		expect(escapedColumns(filters)).not.toContain('summary');
		expect(escapedColumns({})).toEqual([]);
	});

	it.each<[object, unknown, boolean]>([
		[{ like: '50\\%' }, '50%', false],
		[{ like: '50\\%' }, '50x', true],
		[{ like: '50\\%%' }, '50% off', false],
		[{ like: 'a\\_c' }, 'abc', true],
		[{ like: 'a\\_c_' }, 'A_CD', false],
		[{ iLike: 'a\\_' }, 'A_', false],
		[{ like: 'ä\\_' }, 'x', false],
		[{ like: 'a\\_' }, 'ä', false],
		[{ notLike: 'a\\_' }, 'a_', true],
		[{ notLike: 'a\\_' }, 'A_', false],
		[{ notILike: 'a\\_' }, 'A_', true],
		[{ notILike: 'a\\_' }, 'ab', false],
		[{ like: 'a%' }, 'x', false],
		[{ like: 'a.c\\%' }, 'abc%', true],
		[{ like: '[a]\\%(+)' }, '[a]%(+)', false],
		[{ like: '\\%\n%' }, '%\n\n', false],
		[{ like: 'a\\%' }, 5, false],
		[{ like: 5 }, 'a', false],
	])('%j is broken by %j: %s', (operands, value, expected) => {
		expect(breaksEscape(operands, value)).toBe(expected);
	});

	it('match letter by letter', () => {
		const matches = (operands: object, title: unknown) =>
			matchesEscapes({ title: operands } as Filters, { title } as unknown as Ticket);
		expect(matches({ like: 'a\\_' }, 'a_')).toBe(true);
		expect(matches({ like: 'a\\_' }, 'A_')).toBe(false);
		expect(matches({ iLike: 'a\\_' }, 'A_')).toBe(true);
		expect(matches({ iLike: 'a\\_' }, 'ab')).toBe(false);
		expect(matches({ like: 'a\\_', iLike: 'b\\_' }, 'a_')).toBe(false);
		expect(matches({ like: 'a\\_' }, null)).toBe(false);
		expect(matchesEscapes({ title: { like: 'a' } }, {} as Ticket)).toBe(true);
	});

	it('are loosened by any character in the place of the escaped one', () => {
		const filters = {
			title: { like: 'a\\_\\%b', notLike: 'x\\_', eq: '\\_' },
			priority: { eq: 'low' },
		} as unknown as Filters;
		expect(withoutEscapes(filters)).toEqual({
			title: { like: 'a__b', notLike: 'x\\_', eq: '\\_' },
			priority: { eq: 'low' },
		});
		expect(withoutEscapes({ title: { iLike: '%\\😀%' } } as Filters)).toEqual({
			title: { iLike: '%_%' },
		});
	});
});

describe('queries', () => {
	const query = { filters: {}, sort: [], select: [] } as Parameters<typeof searchRequest>[0];

	it('say only what they want', () => {
		const page = { limit: 10, offset: 5 };
		expect(searchRequest(query, page)).toEqual({
			method: 'POST',
			path: '/tickets/search',
			body: { pagination: page },
			idempotent: true,
			help: { readOnly: true },
		});
		const whole = {
			filters: { title: { eq: 'a' } },
			sort: by('title', 'desc'),
			select: ['id'],
		} as typeof query;
		expect(searchRequest(whole, page).body).toEqual({
			filters: { title: { eq: 'a' } },
			pagination: page,
			sort: [{ field: 'title', direction: 'desc' }],
			select: { id: true },
		});
		expect(
			searchRequest(whole, page, { sort: 'column', select: 'list' } as Parameters<
				typeof searchRequest
			>[2]).body,
		).toMatchObject({
			sort: [{ column: 'title', direction: 'desc' }],
			select: ['id'],
		});
	});

	it('of a slice keep the filters, and add bounds and exclusions', () => {
		const filters = {
			title: { eq: 'a' },
			ticketNumber: { gte: 5 },
			id: { notIn: ['x'] },
		} as unknown as Filters;
		const slice = keysetQuery(
			{ ...query, filters, select: ['id'] as never },
			{ gte: 3, lte: 9, excludedIds: ['y'], direction: 'desc' },
		);
		expect(slice.filters['title']).toEqual({ eq: 'a' });
		expect(slice.filters['ticketNumber']).toEqual({ gte: 5, lte: 9 });
		expect(new Set(slice.filters['id']?.notIn as string[])).toEqual(new Set(['x', 'y']));
		expect([slice.sort, slice.select]).toEqual([by('ticketNumber', 'desc'), ['id']]);
		expect(keysetQuery(query, {})).toEqual({ filters: {}, sort: by('ticketNumber'), select: [] });
		expect(keysetQuery(query, { gte: 0 }).filters).toEqual({ ticketNumber: { gte: 0 } });
	});

	it('also select what has to be seen', () => {
		const wanted = {
			filters: { priority: { eq: 'low' } },
			sort: by('title'),
			select: ['source'],
		} as unknown as typeof query;
		expect(withNeededColumns(wanted).select).toEqual([
			'source',
			'id',
			'ticketNumber',
			'title',
			'priority',
		]);
		expect(withCheckedColumns(wanted).select).toEqual(['source', 'title', 'priority']);
		expect(withNeededColumns({ ...wanted, select: [] }).select).toEqual([]);
		const rows = [{ id: 'a', source: 'x', title: 't' }] as unknown as Ticket[];
		expect(selectColumns(rows, ['source'] as never)).toEqual([{ source: 'x' }]);
		expect(selectColumns(rows, [])).toBe(rows);
	});

	it('name a column of a sort once', () => {
		const issues: unknown[] = [];
		const context = { addIssue: (issue: unknown) => issues.push(issue) } as unknown as Parameters<
			typeof noColumnTwice
		>[1];
		noColumnTwice([{ column: 'a' }, { column: 'b' }, { column: 'a' }], context);
		expect(issues).toEqual([
			{ code: 'custom', path: [2], message: 'sorts by a a second time. Remove it' },
		]);
	});

	it('get an order in which no two tickets tie, of no more rules than a service takes', () => {
		const columns = (sort: SortRule[], max?: number) =>
			totalRules(sort, max).map(({ column }) => column);
		expect(columns([])).toEqual(['ticketNumber', 'id']);
		expect(columns(by('title'))).toEqual(['title', 'ticketNumber', 'id']);
		expect(columns(by('id', 'desc'))).toEqual(['id', 'ticketNumber']);
		expect(columns(by('title'), 2)).toEqual(['title', 'ticketNumber']);
		expect(columns([...by('title'), ...by('source')], 1)).toEqual(['title', 'source']);
	});

	it('are rejected for their filters, or for something else', () => {
		const rejected = (message: string, issues: readonly unknown[] = [], status = 400) =>
			isRejection({ kind: 'api', call: '', status, message, issues });
		expect(rejected('Too many sort rules')).toBe(true);
		expect(rejected('Unknown filter')).toBe(false);
		expect(rejected('Bad FILTERS')).toBe(false);
		expect(rejected('unfiltered')).toBe(true);
		expect(rejected('no', [{ path: ['filters', 'a'], message: 'x' }])).toBe(false);
		expect(rejected('no', [{ path: ['sort', 1], message: 'x' }])).toBe(true);
		expect(rejected('no', [], 500)).toBe(false);
		expect(isRejection(undefined)).toBe(false);
	});
});
