import type { SortRule } from '../../../../src/tickets/search/query';
import { isRejection, totalRules } from '../../../../src/tickets/search/totalOrder';
import { by } from '../../../support/tickets';

describe('queries', () => {
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
