import { columnNames } from '../../../../src/tickets/columns';
import { searchRequest, sortRuleSchema } from '../../../../src/tickets/search/query';
import { interfaceColumns } from '../../../support/interfaceTable';

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
