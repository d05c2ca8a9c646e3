import {
	selectColumns,
	withCheckedColumns,
	withNeededColumns,
} from '../../../../src/tickets/search/neededColumns';
import type { Query } from '../../../../src/tickets/search/query';
import type { Ticket } from '../../../../src/tickets/ticket';
import { by } from '../../../support/tickets';

describe('queries', () => {
	it('also select what has to be seen', () => {
		const wanted = {
			filters: { priority: { eq: 'low' } },
			sort: by('title'),
			select: ['source'],
		} as unknown as Query;
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
});
