import { columnNames } from '../../../../src/tickets/columns';
import type { Filters } from '../../../../src/tickets/filters/schema';
import {
	keysetQuery,
	noColumnTwice,
	searchRequest,
	sortRuleSchema,
} from '../../../../src/tickets/search/query';
import { interfaceColumns } from '../../../support/interfaceTable';
import { by } from '../../../support/tickets';

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
