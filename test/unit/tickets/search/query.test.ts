import { columnNames } from '../../../../src/tickets/columns';
import type { Keyset, Query } from '../../../../src/tickets/search/query';
import { keysetQuery, searchRequest, sortRulesSchema } from '../../../../src/tickets/search/query';
import { interfaceColumns } from '../../../support/interfaceTable';
import { by } from '../../../support/tickets';

const query: Query = { filters: {}, sort: [], select: [] };

describe('the request of a search', () => {
	const page = { limit: 25, offset: 50 };
	const whole: Query = {
		filters: { priority: { in: ['urgent'] } },
		sort: by('priority', 'desc'),
		select: ['id', 'title'],
	};
	const formal = {
		filters: { priority: { in: ['urgent'] } },
		pagination: page,
		sort: [{ field: 'priority', direction: 'desc' }],
		select: { id: true, title: true },
	};

	it.each<[string, Query, Parameters<typeof searchRequest>[2], object]>([
		['has the spelling of the formal schema', whole, undefined, formal],
		[
			'has the other spelling',
			whole,
			{ sort: 'column', select: 'list' },
			{ ...formal, sort: by('priority', 'desc'), select: ['id', 'title'] },
		],
		['leaves out what is not asked for', query, undefined, { pagination: page }],
	])('%s', (_, asked, dialect, body) => {
		expect(searchRequest(asked, page, dialect)).toEqual({
			method: 'POST',
			path: '/tickets/search',
			body,
			idempotent: true,
			help: { readOnly: true },
		});
	});

	it('can sort by every column of the interface, and by no other', () => {
		for (const column of interfaceColumns)
			expect(sortRulesSchema.parse([{ column }])).toEqual([{ column, direction: 'asc' }]);
		expect(columnNames).toHaveLength(interfaceColumns.length);
		for (const rule of [{ column: 'colour' }, { column: 'id', direction: 'up' }, {}])
			expect(sortRulesSchema.safeParse([rule]).success).toBe(false);
	});
});

describe('a slice of the tickets', () => {
	it.each<[Keyset, object]>([
		[{}, {}],
		[{ gte: 0 }, { ticketNumber: { gte: 0 } }],
		[{ lte: 0 }, { ticketNumber: { lte: 0 } }],
		[{ direction: 'desc', gte: 5, lte: 9 }, { ticketNumber: { gte: 5, lte: 9 } }],
	])('with %j restricts no more than that', (slice, filters) => {
		const { direction = 'asc' } = slice;
		const sort = by('ticketNumber', direction);
		expect(keysetQuery(query, slice)).toStrictEqual({ filters, sort, select: [] });
	});

	it('keeps the filters of the user, and of two bounds the stricter one', () => {
		const filters = {
			priority: { eq: 'low' },
			ticketNumber: { gte: 7, lte: 8, gt: 1 },
			id: { notIn: ['x'], like: 'a%' },
		};
		expect(keysetQuery({ ...query, filters }, {}).filters).toStrictEqual(filters);
		expect(keysetQuery({ ...query, filters }, { gte: 5, lte: 9 }).filters).toStrictEqual(filters);
		expect(keysetQuery({ ...query, filters }, { gte: 8, lte: 8 }).filters).toMatchObject({
			ticketNumber: { gte: 8, lte: 8, gt: 1 },
		});
	});
});
