import type { Filters } from '../../../../src/tickets/filters/schema';
import { ignoredMembers, unmatchedColumn } from '../../../../src/tickets/search/checkRows';
import type { Ticket } from '../../../../src/tickets/ticket';
import { by, rowsOf, ticket } from '../../../support/tickets';

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

it.each([
	['that tells case apart', ['Alpha', 'Bravo', 'a_b', 'alpha', 'beta']],
	['that passes over case', ['alpha', 'Alpha', 'alpha', 'beta', 'Bravo']],
])('takes an order %s for one', (_, titles) => {
	const rows = titles.map((title, i) => ticket(i, { title }));
	const sort = [{ column: 'title', direction: 'asc' } as const];
	expect(ignoredMembers({ filters: {}, sort, select: [] }, rows)).toEqual([]);
	const scattered = [...rows, ticket(9, { title: 'alpha' })];
	expect(ignoredMembers({ filters: {}, sort, select: [] }, scattered)).toEqual(['sort']);
});
