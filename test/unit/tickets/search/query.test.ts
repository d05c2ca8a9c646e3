import { columnNames } from '../../../../src/tickets/columns';
import type { Query } from '../../../../src/tickets/search/query';
import { searchRequest, sortRulesSchema } from '../../../../src/tickets/search/query';
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
			'narrative',
			{ ...formal, sort: by('priority', 'desc'), select: ['id', 'title'] },
		],
		['leaves out what is not asked for', query, undefined, { pagination: page }],
	])('%s', (_, asked, spelling, body) => {
		expect(searchRequest(asked, page, spelling)).toEqual({
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
