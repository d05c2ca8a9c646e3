import { columnNames } from '../../../../src/tickets/columns';
import type { Query } from '../../../../src/tickets/search/query';
import {
	keysetQuery,
	noColumnTwice,
	searchRequest,
	sortRuleSchema,
} from '../../../../src/tickets/search/query';
import { interfaceColumns } from '../../../support/interfaceTable';
import { by } from '../../../support/tickets';

const query: Query = { filters: {}, sort: [], select: [] };

describe('the request of a search', () => {
	it('has the spelling of the formal schema', () => {
		expect(
			searchRequest(
				{
					filters: { priority: { in: ['urgent'] } },
					sort: [
						{ column: 'priority', direction: 'desc' },
						{ column: 'ticketNumber', direction: 'asc' },
					],
					select: ['id', 'title'],
				},
				{ limit: 25, offset: 50 },
			),
		).toEqual({
			method: 'POST',
			path: '/tickets/search',
			body: {
				filters: { priority: { in: ['urgent'] } },
				pagination: { limit: 25, offset: 50 },
				sort: [
					{ field: 'priority', direction: 'desc' },
					{ field: 'ticketNumber', direction: 'asc' },
				],
				select: { id: true, title: true },
			},
			idempotent: true,
			help: { readOnly: true },
		});
	});

	it('leaves out what is not asked for', () => {
		const request = searchRequest({ filters: {}, sort: [], select: [] }, { limit: 1, offset: 0 });
		expect(request.body).toEqual({ pagination: { limit: 1, offset: 0 } });
	});

	it('can sort by every column of the interface, and by no other', () => {
		for (const column of interfaceColumns) {
			expect(sortRuleSchema.parse({ column })).toEqual({ column, direction: 'asc' });
		}
		expect(columnNames).toHaveLength(interfaceColumns.length);
		for (const rule of [{ column: 'colour' }, { column: 'id', direction: 'up' }, {}]) {
			expect(sortRuleSchema.safeParse(rule).success).toBe(false);
		}
	});
});

describe('queries', () => {
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
