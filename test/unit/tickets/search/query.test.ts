import { columnNames } from '../../../../src/tickets/columns';
import type { Query } from '../../../../src/tickets/search/query';
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
		for (const column of interfaceColumns) {
			expect(sortRulesSchema.parse([{ column }])).toEqual([{ column, direction: 'asc' }]);
		}
		expect(columnNames).toHaveLength(interfaceColumns.length);
		for (const rule of [{ column: 'colour' }, { column: 'id', direction: 'up' }, {}]) {
			expect(sortRulesSchema.safeParse([rule]).success).toBe(false);
		}
	});
});

describe('a slice of the tickets', () => {
	it('without bounds restricts nothing, and is sorted by number', () => {
		expect(keysetQuery({ ...query, select: ['title'] }, {})).toStrictEqual({
			filters: {},
			sort: [{ column: 'ticketNumber', direction: 'asc' }],
			select: ['title'],
		});
		expect(keysetQuery(query, { direction: 'desc' })).toStrictEqual({
			filters: {},
			sort: [{ column: 'ticketNumber', direction: 'desc' }],
			select: [],
		});
	});

	it('has its bounds', () => {
		expect(keysetQuery(query, { gte: 5, lte: 9 }).filters).toStrictEqual({
			ticketNumber: { gte: 5, lte: 9 },
		});
		expect(keysetQuery(query, { gte: 0 }).filters).toStrictEqual({ ticketNumber: { gte: 0 } });
		expect(keysetQuery(query, { lte: 0 }).filters).toStrictEqual({ ticketNumber: { lte: 0 } });
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
